// Structured logs by allow-list: only named fields leave the process, and a last-line scrubber blanks whatever looks like a card number.
import { type Logger, pino } from 'pino';
import { passesLuhn } from '../luhn';
import { readableLine } from './readable-log';
import { refusedFields } from './refused-document';
import { createRepeatGate, kindOf } from './repeated-lines';
import { sourceStack } from './source-stack';

/** The only fields that a log line may carry besides level, time, msg and the process's own name. */
const loggableFields = [
  'requestId',
  'route',
  'method',
  'path',
  'status',
  'durationMs',
  'code',
  'field',
  'credentialId',
  'accountId',
  'operation',
  'kind',
  'cost',
  'subgraphs',
  'subgraph',
  'virtualAccountId',
  'merchantId',
  'terminalId',
  'paymentId',
  'operationId',
  'eventId',
  'eventType',
  'endpointId',
  'deliveryId',
  'attempt',
  'outcome',
  'count',
  'repeats',
  'role',
  'port',
  'pid',
  'signal',
  'reason',
  'dependency',
  'ageMs',
  'waitMs',
  'position',
  'error',
  'keyId',
  'version',
  'address',
] as const;

/** Digit runs of 12 to 19, with optional single spaces or hyphens between digits, that pass the Luhn check. */
const digitRun = /\d(?:[ -]?\d){11,18}/g;
/** An id of ours or of a caller (RFC 9562): digits on both sides of its hyphens are no card number by themselves, and it is what a line is found by. */
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/i;
const suspect = new RegExp(`${uuid.source}|${digitRun.source}`, 'gi');
/** Sixteen digits in front: the one part of an id that could hide a whole card number. */
const digitsInFront = /^\d{8}-\d{4}-\d{4}/;

export function scrub(line: string): string {
  return line.replace(suspect, (found) => (uuid.test(found) ? found.replace(digitsInFront, blanked) : blanked(found)));
}

function blanked(run: string): string {
  return passesLuhn(run.replace(/[ -]/g, '')) ? '[card number]' : run;
}

export type Log = Logger;

/** `json` for programs, `pretty` for people: the same records, fields and blanks. */
export type LogFormat = 'json' | 'pretty';

export function createLog(
  level: string,
  name: string,
  write: (line: string) => void = (line) => void process.stdout.write(line),
  format: LogFormat = 'json',
): Log {
  const allowed = new Set<string>([...loggableFields, 'level', 'time', 'msg', 'role']);
  return pino(
    {
      level,
      base: { role: name },
      hooks: { logMethod: countingRepeats(createRepeatGate()) },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => {
          const kept: Record<string, unknown> = {};
          for (const key of Object.keys(fields)) if (allowed.has(key)) kept[key] = loggable(fields[key]);
          return kept;
        },
      },
    },
    { write: (line: string) => write(scrub(format === 'pretty' ? readableLine(line) : line)) },
  );
}

const warnLevel = 40;

/** Warnings and errors pass the gate; a line that stands for several says how many in `repeats`. */
function countingRepeats(gate: ReturnType<typeof createRepeatGate>) {
  return function logMethod(this: Logger, args: unknown[], method: (...told: unknown[]) => void, level: number): void {
    const [fields, message] = typeof args[0] === 'object' ? args : [{}, args[0]];
    const write = (repeats: number | null) =>
      repeats === null ? method.apply(this, args) : method.call(this, { ...(fields as object), repeats }, message);
    if (level < warnLevel) write(null);
    else gate.pass(kindOf(level, fields as object, message), write);
  };
}

function loggable(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const refused = refusedFields(value);
  return {
    name: value.name,
    message: refused ? `${value.message}: ${refused.join(', ')}` : value.message,
    stack: sourceStack(value.stack),
  };
}
