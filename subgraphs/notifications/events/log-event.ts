// Any event of the log as the graph shows it, by what it is about.
import { type AttemptEventView, attemptEventView } from './attempt-event';
import { type EventView, eventView, type ShownEvent, textOf } from './event-view';
import { onboardingEventView } from './onboarding-event';
import { operationEventView } from './operation-event';
import { tokenEventView } from './token-event';

export interface LogEventView extends EventView, Partial<Omit<AttemptEventView, keyof EventView>> {
  payout?: { payoutId: string } | null;
  ledgerEntryId?: string | null;
  endpointId?: string;
  job?: { jobId: string };
  action?: string | null;
  subjectType?: string | null;
  subjectId?: string | null;
  record?: { auditId: string };
}

export function logEventView(event: ShownEvent, printCursor: (position: number) => string): LogEventView {
  const { aggregateType, aggregateId, data } = event;
  const payoutId = textOf(data['payoutId']);
  switch (aggregateType) {
    case 'virtualAccount':
      return tokenEventView(event, printCursor) as LogEventView;
    case 'payment':
      return operationEventView(event, printCursor) as LogEventView;
    case 'application':
      return onboardingEventView(event, printCursor) as LogEventView;
    case 'payout':
      return { ...eventView(event, printCursor), payout: payoutId === null ? null : { payoutId } };
    case 'ledger':
      return { ...eventView(event, printCursor), ledgerEntryId: textOf(data['ledgerEntryId']) };
    case 'callback':
      return attemptEventView(event, printCursor);
    case 'callbackEndpoint':
      return { ...eventView(event, printCursor), endpointId: aggregateId };
    case 'job':
      return { ...eventView(event, printCursor), job: { jobId: aggregateId } };
    case 'audit': {
      const [action, subjectType, subjectId] = [data['action'], data['subjectType'], data['subjectId']].map(textOf);
      return { ...eventView(event, printCursor), action, subjectType, subjectId, record: { auditId: aggregateId } };
    }
    default:
      return eventView(event, printCursor);
  }
}
