// An event of an onboarding application as the graph shows it: which status it reached, from which.
import { type OnboardingStatus, onboardingStatuses } from '../../shared/vocabulary/onboarding-status';
import { wordOf } from '../../shared/vocabulary/word-of';
import { type EventView, eventView, type ShownEvent, textOf } from './event-view';

export interface OnboardingEventView extends EventView {
  status: OnboardingStatus | null;
  previousStatus: OnboardingStatus | null;
  reason: string | null;
  application: { id: string } | null;
}

/** Null for an event of something else. */
export function onboardingEventView(
  event: ShownEvent,
  printCursor: (position: number) => string,
): OnboardingEventView | null {
  if (event.aggregateType !== 'application') return null;
  const { status, previousStatus, reason } = event.data;
  return {
    ...eventView(event, printCursor),
    status: wordOf(onboardingStatuses, status),
    previousStatus: wordOf(onboardingStatuses, previousStatus),
    reason: textOf(reason),
    application: { id: event.aggregateId },
  };
}
