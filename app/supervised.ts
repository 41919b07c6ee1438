// The application process's side of supervision: says when it is ready, lets its replacement come first, then drains and ends.
import cluster from 'node:cluster';
import { type MetricObject, register } from 'prom-client';

/** What a process tells the launcher. */
export type ToLauncher =
  | { type: 'ready' }
  | { type: 'stopping' }
  | { type: 'metrics'; request: number; metrics: MetricObject[] };
/** What the launcher tells a process. */
export type ToProcess = { type: 'drain' } | { type: 'metrics'; request: number };

export interface Supervised {
  /** Call once everything listens and every dependency answered. */
  ready(): void;
}

/**
 * Ties this process to its launcher, or to plain signals in a container. SIGTERM asks for a replacement and serves on until it is ready
 * (`stopMsMax` at most); then, as when the launcher is lost, `drain` stops everything in order, and what is not over by then is cut.
 */
export function supervise(drain: () => Promise<void>, stopMsMax = 10_000): Supervised {
  let draining = false;
  const finish = () => {
    if (draining) return;
    draining = true;
    // A launcher ends what does not end itself.
    if (!process.connected) setTimeout(cut, stopMsMax).unref();
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`The orderly stop failed: ${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  };
  const cut = () => {
    process.stderr.write(`The orderly stop took longer than ${stopMsMax} ms (SHUTDOWN_TIMEOUT_MS): it is cut.\n`);
    process.exit(1);
  };
  process.on('SIGTERM', () => {
    if (!tell({ type: 'stopping' })) return finish();
    setTimeout(finish, stopMsMax).unref();
  });
  // Ctrl-C reaches the whole foreground group; under a launcher it is the launcher that stops its processes in order.
  process.on('SIGINT', () => process.connected || finish());
  process.on('message', (message: ToProcess) => {
    if (message?.type === 'drain') finish();
    if (message?.type === 'metrics') void tellMetrics(message.request);
  });
  // A cluster worker would otherwise end at once, mid-request, when its launcher is gone.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  process.on('disconnect', finish);
  return { ready: () => void tell({ type: 'ready' }) };
}

async function tellMetrics(request: number): Promise<void> {
  tell({ type: 'metrics', request, metrics: await register.getMetricsAsJSON() });
}

function tell(message: ToLauncher): boolean {
  if (!process.connected || !process.send) return false;
  process.send(message);
  return true;
}
