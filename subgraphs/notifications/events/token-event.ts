// An event of a virtual account as the graph shows it.
import { type EventView, eventView, type ShownEvent } from './event-view';

export interface TokenEventView extends EventView {
  virtualAccount: { virtualAccountId: string } | null;
}

/** Null for an event of something else. */
export function tokenEventView(event: ShownEvent, printCursor: (position: number) => string): TokenEventView | null {
  if (event.aggregateType !== 'virtualAccount') return null;
  return { ...eventView(event, printCursor), virtualAccount: { virtualAccountId: event.aggregateId } };
}
