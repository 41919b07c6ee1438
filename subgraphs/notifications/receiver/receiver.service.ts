// The sandbox's built-in callback receiver: takes any request, answers with the fault that was ordered, and shows what it got
// (docs/sandbox.md, section 6). In production none of it exists.
import { DomainError } from '../../shared/errors';
import { newId } from '../../shared/ids';
import type { ReceivedCallback, ReceiverFault, ReceiverRepository } from './receiver.repository';

const receivedListMax = 500;
const bodyLengthMax = 16 * 1024;
/** Of the names and values together, before JSON escapes them; a request over HTTP has no more anyway. */
const headersLengthMax = 16 * 1024;
const delayMsMax = 60_000;

interface ReceivedRequest {
  method: string;
  path: string;
  /** JSON object, names in the spelling received. */
  headers: string;
  body: string;
}

export interface ReceiverService {
  /** Stores the request and tells how to answer it. */
  receive(request: ReceivedRequest): Promise<{ status: number; delayMs: number }>;
  list(limit?: number | null): Promise<ReceivedCallback[]>;
  /** Replaces the fault; all absent clears it. Without `times` it lasts until the next order. */
  orderFault(fault: { status?: number | null; delayMs?: number | null; times?: number | null }): Promise<ReceiverFault>;
}

export function createReceiverService(deps: { receiver: ReceiverRepository; isSandbox: boolean }): ReceiverService {
  const { receiver } = deps;
  const inSandbox = () => {
    if (!deps.isSandbox) throw new DomainError('notFound');
  };

  return {
    async receive({ method, path, body, ...request }) {
      inSandbox();
      const headers = boundedHeaders(request.headers);
      const fault = await receiver.takeFault();
      const status = fault?.status ?? 204;
      await receiver.insert({
        _id: newId(),
        receivedAt: new Date(),
        method,
        path: path.slice(0, 2048),
        headers,
        body: body.slice(0, bodyLengthMax),
        status,
      });
      return { status, delayMs: fault?.delayMs ?? 0 };
    },
    async list(limit) {
      inSandbox();
      const received = await receiver.list(whole('limit', limit ?? 100, 1, receivedListMax));
      // Releases before cut the text of long headers, which is no JSON then.
      return received.map((each) => (headersOf(each.headers) ? each : { ...each, headers: '{}' }));
    },
    async orderFault({ status, delayMs, times }) {
      inSandbox();
      const isCleared = status == null && delayMs == null;
      const fault: ReceiverFault = {
        status: status == null ? null : whole('status', status, 200, 599),
        delayMs: delayMs == null ? null : whole('delayMs', delayMs, 0, delayMsMax),
        times: isCleared ? 0 : times == null ? null : whole('times', times, 0, 1_000_000),
      };
      await receiver.setFault(fault);
      return fault;
    },
  };
}

/** Cut as an object and not as text, so that it stays whole JSON: the value that is too long is cut, and what comes behind it left out. */
function boundedHeaders(text: string): string {
  const headers = headersOf(text);
  if (!headers) throw new DomainError('invalidInput', 'headers is no JSON object of texts', { field: 'headers' });
  const kept = new Map<string, string>();
  let room = headersLengthMax;
  for (const [name, value] of Object.entries(headers)) {
    room -= name.length;
    if (room <= 0) break;
    kept.set(name, value.slice(0, room));
    room -= value.length;
  }
  return JSON.stringify(Object.fromEntries(kept));
}

/** Null where the text is not that of a JSON object of texts. */
function headersOf(text: string): Record<string, string> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
    return Object.values(parsed).every((value) => typeof value === 'string')
      ? (parsed as Record<string, string>)
      : null;
  } catch {
    return null;
  }
}

function whole(field: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new DomainError('invalidInput', `${field} is ${value}; expected a whole number from ${min} to ${max}`, {
    field,
  });
}
