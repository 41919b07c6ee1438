// An event of a callback as the graph shows it: how which attempt came out.
import { wordOf } from '../../shared/vocabulary/word-of';
import { type AttemptState, attemptStates } from '../callbacks/callback';
import { type EventView, eventView, type ShownEvent } from './event-view';

export interface AttemptEventView extends EventView {
  callbackId: string;
  number: number | null;
  result: AttemptState | null;
  httpStatus: number | null;
  durationMs: number | null;
  nextAt: Date | null;
}

export function attemptEventView(event: ShownEvent, printCursor: (position: number) => string): AttemptEventView {
  const { number, result, httpStatus, durationMs, nextAt } = event.data;
  return {
    ...eventView(event, printCursor),
    callbackId: event.aggregateId,
    number: countOf(number),
    result: wordOf(attemptStates, result),
    httpStatus: countOf(httpStatus),
    durationMs: countOf(durationMs),
    nextAt: nextAt instanceof Date ? nextAt : null,
  };
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
