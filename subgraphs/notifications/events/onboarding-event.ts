// An event of an onboarding application as the graph shows it: which status it reached, from which.
import type { EventRecord } from '../../shared/store/unit-of-work';
import { type EventView, eventView, textOf } from './event-view';

export interface OnboardingEventView extends EventView {
  status: string | null;
  previousStatus: string | null;
  reason: string | null;
  application: { id: string } | null;
}

/** Null for an event of something else. */
export function onboardingEventView(
  event: EventRecord,
  printCursor: (position: number) => string,
): OnboardingEventView | null {
  if (event.aggregateType !== 'application') return null;
  const { status, previousStatus, reason } = event.data;
  return {
    ...eventView(event, printCursor),
    status: textOf(status),
    previousStatus: textOf(previousStatus),
    reason: textOf(reason),
    application: { id: event.aggregateId },
  };
}
