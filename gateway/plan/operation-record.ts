// What is kept about each operation that was asked for: one log line and one observation under its name, over HTTP and WebSocket alike. Never a variable's value.
import { createHash } from 'node:crypto';
import type { AuditDoor } from '../../subgraphs/shared/callers/audit';
import type { OperationTrace } from '../../subgraphs/shared/callers/context';
import type { Log } from '../../subgraphs/shared/log/log';
import type { Metrics } from '../../subgraphs/shared/log/metrics';
import type { Usage, UsageCaller } from './usage';

/** Names that get series of their own in one process; whoever makes up names fills no more than this. */
const namesMax = 100;

export interface OperationRecord {
  requestId: string;
  caller: UsageCaller | null;
  trace: OperationTrace;
  /** As `performance.now()` told it. */
  startedAt: number;
  status?: number;
  /** From where it was asked. */
  address?: string;
}

export type RecordOperation = (record: OperationRecord, message?: string) => void;

export interface RecorderDeps {
  log: Log;
  metrics?: Pick<Metrics, 'graphOperations'> | undefined;
  /** Absent: nobody counts who uses what. */
  usage?: Usage | undefined;
  /** Hears of what was asked without a right. */
  audit?: AuditDoor | undefined;
}

export function createOperationRecorder({ log, metrics, usage, audit }: RecorderDeps): RecordOperation {
  const series = new Map<string, { observe(seconds: number): void }>();
  const names = new Set<string>();

  /** Only what was prepared once is a name; what was refused before counts together. */
  function labelOf({ name, kind }: OperationTrace): string {
    if (kind && names.size < namesMax) names.add(name);
    if (names.has(name)) return name;
    return kind ? 'other' : 'refused';
  }

  function observe(trace: OperationTrace, operation: string, seconds: number): void {
    if (!metrics) return;
    const { kind = 'none' } = trace;
    const outcome = outcomeOf(trace);
    const key = `${operation} ${kind} ${outcome}`;
    let known = series.get(key);
    if (!known) {
      known = metrics.graphOperations.labels({ operation, kind, outcome });
      series.set(key, known);
    }
    known.observe(seconds);
  }

  return ({ requestId, caller, trace, startedAt, status, address = '' }, message) => {
    if (trace.isForbidden)
      audit?.note({
        action: 'right.refused',
        requestId,
        address,
        caller,
        subjectType: 'operation',
        subjectId: trace.name,
      });
    const durationMs = performance.now() - startedAt;
    const label = labelOf(trace);
    observe(trace, label, durationMs / 1_000);
    if (trace.used && caller) usage?.note(caller, label, trace.used);
    if (!log.isLevelEnabled('info')) return;
    const { name, kind, cost, subgraphs, code, field } = trace;
    log.info(
      {
        requestId,
        operation: name,
        kind,
        status,
        code,
        field,
        durationMs: Math.round(durationMs * 10) / 10,
        cost,
        subgraphs: [...subgraphs],
        credentialId: caller?.credentialId,
        accountId: caller?.accountId ?? undefined,
      },
      message ?? (code === undefined ? 'answered' : 'refused'),
    );
  };
}

function outcomeOf({ code }: OperationTrace): string {
  if (code === undefined) return 'answered';
  return code === 'internal' || code === 'unavailable' ? 'failed' : 'refused';
}

/** Begins the record of an operation. */
export function startRecord(requestId: string): OperationRecord {
  const trace: OperationTrace = {
    name: 'none',
    kind: undefined,
    cost: 0,
    subgraphs: new Set(),
    used: undefined,
    traceparent: undefined,
    span: undefined,
    code: undefined,
    field: undefined,
    isForbidden: false,
  };
  return { requestId, caller: null, trace, startedAt: performance.now(), status: undefined, address: undefined };
}

/** What an operation is called that is not prepared: as its caller names it, else by the hash of its text. */
export function operationNameOf({ query, operationName }: { query?: unknown; operationName?: unknown }): string {
  if (typeof operationName === 'string' && /^[A-Za-z_]\w{0,127}$/.test(operationName)) return operationName;
  return typeof query === 'string' ? hashOf(query) : 'none';
}

/** Stands for an operation without a name. */
export function hashOf(query: string): string {
  return `#${createHash('sha256').update(query).digest('hex').slice(0, 12)}`;
}

/** The first error names the outcome. */
export function noteErrors(
  trace: OperationTrace | undefined,
  errors: readonly { extensions?: Record<string, unknown> }[] | undefined,
): void {
  const extensions = errors?.[0]?.extensions;
  if (!trace || !errors?.[0]) return;
  trace.code = String(extensions?.['code'] ?? 'none');
  trace.isForbidden ||= errors.some((error) => error.extensions?.['code'] === 'forbidden');
  if (typeof extensions?.['field'] === 'string') trace.field = extensions['field'];
}
