// What is kept about each answered request: its duration by route and status, and one log line of allowed fields.
import type { Caller } from '../subgraphs/shared/callers/caller';
import type { Log } from '../subgraphs/shared/log/log';
import type { Refusal } from './errors/errors';

export interface RequestMetrics {
  /** Seconds per answered request. */
  requests: { labels(labels: { surface: string; route: string; status: string }): { observe(seconds: number): void } };
}

export type RequestRecorder = (
  status: number,
  exchange: { requestId: string; startedAt: number; caller: Caller },
  refusal: Refusal | null,
) => void;

/** The recorder of one route; a defect is logged whole, a refusal by its code and field, a success by its status. */
export function createRecorder(
  { method, path }: { method: string; path: string },
  { log, metrics }: { log: Log; metrics: RequestMetrics },
): RequestRecorder {
  const route = `${method} ${path}`;
  const byStatus = new Map<number, { observe(seconds: number): void }>();
  return (status, { requestId, startedAt, caller }, refusal) => {
    const durationMs = performance.now() - startedAt;
    const series = byStatus.get(status) ?? metrics.requests.labels({ surface: 'rest', route, status: String(status) });
    byStatus.set(status, series);
    series.observe(durationMs / 1_000);
    const line = {
      requestId,
      route,
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      credentialId: caller.credentialId,
    };
    if (!refusal) {
      if (method === 'GET') log.debug(line, 'answered');
      else log.info(line, 'answered');
      return;
    }
    const refused = { ...line, code: refusal.code, field: refusal.field };
    if (refusal.code === 'internal') log.error({ ...refused, error: refusal.cause }, 'failed unexpectedly');
    else if (refusal.code === 'generic')
      log.error({ ...refused, error: refusal.cause }, 'the graph refused what the contract allows');
    else log.info(refused, 'refused');
  };
}
