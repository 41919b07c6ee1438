// What a server of a benchmark needs to be started by it; kept apart so that servers load nothing else of the bench.

/** What `startServer` passed. */
export function readSettings<Settings>(): Settings {
  return JSON.parse(process.env['BENCH_SETTINGS'] ?? '{}') as Settings;
}

/** Tells the benchmark where this server listens and which processes it consists of, and ends together with it. */
export function sayReady(port = 0, pids: number[] = [process.pid]): void {
  process.once('disconnect', () => process.exit(0));
  process.once('SIGTERM', () => process.exit(0));
  process.send?.({ port, pids });
}

/** A server that works on order: gets a batch ready, then does it. */
export interface BatchServer {
  /** Not measured. */
  prepare(count: number, variant: string): Promise<void>;
  /** Does what was prepared; returns how many seconds it took. */
  run(): Promise<number>;
}

/** Answers the orders of `batchCase`. */
export function serveBatches(server: BatchServer): void {
  process.on('message', (order: { prepare: number; variant: string } | { run: true }) => {
    const work = 'run' in order ? server.run() : server.prepare(order.prepare, order.variant);
    work.then(
      (seconds) => process.send?.({ seconds: seconds ?? 0 }),
      (error: Error) => process.send?.({ failure: error.stack }),
    );
  });
}
