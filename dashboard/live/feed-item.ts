// One event as a row of the feed: what happened, to what, and where that is looked at.

import { actionWord, type Subject, subjectWord } from '../audit/subject';
import { attemptTone, attemptWord } from '../callbacks/attempt-word';
import { printDone } from '../jobs/progress';
import { stateWord } from '../kit/chip';
import { shortCard } from '../kit/masked';
import { printMoney } from '../kit/money';
import { type Tone, toneOf } from '../kit/tone';
import { printSearch } from '../shell/address';
import { words } from '../strings/language';
import type { LiveEventsSubscription } from './queries';

type LiveEvent = LiveEventsSubscription['events'];

export interface FeedItem {
  id: string;
  at: string;
  /** Events that are no longer kept stand between this and what came before. */
  isGap: boolean;
  what: string;
  /** The state that it led to, when it has one. */
  state: string | null;
  /** What colour the state is told in. */
  tone: Tone;
  amount: string | null;
  about: string;
  /** What an act was done to, which may have a name that says more than `about`. */
  subject: Subject | null;
  merchant: string;
  href: string | null;
}

type Shown = Pick<FeedItem, 'what' | 'state' | 'amount' | 'about' | 'subject' | 'href'> &
  Partial<Pick<FeedItem, 'tone'>>;

export function itemOf(event: LiveEvent): FeedItem {
  const { eventId, occurredAt: at, type, merchant } = event;
  const isGap = type === 'GAP';
  const own = isGap ? plain(words().connection.gap) : shownOf(event);
  const tone = own.tone ?? toneOf(own.state ?? '');
  return { ...own, tone, id: isGap ? `gap ${at}` : eventId, at, isGap, merchant: merchant?.name ?? '' };
}

function shownOf(event: LiveEvent): Shown {
  switch (event.__typename) {
    case 'OperationEvent':
      return ofOperation(event);
    case 'TokenEvent': {
      const { virtualAccount: token, type } = event;
      const state = type.replace('virtualAccount.', '').toUpperCase();
      const about = token ? shortCard(token.accountMasked) : '';
      return { ...plain(words().tokens.one, about, token && `/tokens/${token.virtualAccountId}`), state };
    }
    case 'OnboardingEvent': {
      const { application, status } = event;
      const href = application && `/onboarding/${application.id}`;
      return { ...plain(words().onboarding.one, application?.id, href), state: status };
    }
    case 'PayoutEvent': {
      const { payout, type } = event;
      const href = payout && `/payouts/${payout.payoutId}`;
      const amount = payout ? printMoney(payout.amount, payout.currency) : null;
      return { ...plain(wordOf(type), payout?.date, href), amount };
    }
    case 'CallbackEndpointEvent': {
      const { endpoint, type } = event;
      const about = endpoint ? (endpoint.address ?? stateWord(endpoint.kind)) : '';
      return plain(wordOf(type), about, endpoint && `/callbacks/endpoints/${endpoint.endpointId}`);
    }
    case 'CallbackAttemptEvent': {
      const { callback, httpStatus, result, type } = event;
      const about = [callback && stateWord(callback.kind), httpStatus && `HTTP ${httpStatus}`];
      const href = callback && `/callbacks/${callback.callbackId}`;
      const item = plain(wordOf(type), about.filter(Boolean).join(', '), href);
      // A word of its own, that no colour is known by.
      return result ? { ...item, state: attemptWord(result), tone: attemptTone(result) } : item;
    }
    case 'JobEvent': {
      const { job, type } = event;
      const about = job ? `${words().jobs.names[job.act]}, ${printDone(job)}` : '';
      return plain(wordOf(type), about, job && `/jobs/${job.jobId}`);
    }
    case 'AuditEvent': {
      const { action, subjectType, subjectId, record, type, merchant } = event;
      const href = record && `/audit${printSearch({ record: record.auditId })}`;
      const about = [subjectType && subjectWord(subjectType), subjectId].filter(Boolean).join(' ');
      const subject = subjectType && subjectId ? { subjectType, subjectId, merchant } : null;
      return { ...plain(action ? actionWord(action) : wordOf(type), about, href), subject };
    }
    default:
      return plain(wordOf(event.type));
  }
}

function ofOperation(event: Extract<LiveEvent, { __typename: 'OperationEvent' }>): Shown {
  const { operation, operationResult, operationType, payment, type } = event;
  return {
    what: operationType ? stateWord(operationType) : wordOf(type),
    state: operationResult,
    amount: operation ? printMoney(operation.operationAmount, operation.operationCurrency) : null,
    about: payment?.orderId ?? payment?.paymentId ?? '',
    subject: null,
    href: payment ? `/payments/${payment.paymentId}` : null,
  };
}

function plain(what: string, about: string | null = '', href: string | null = null): Shown {
  return { what, state: null, amount: null, about: about ?? '', subject: null, href };
}

/** Of a type of event that has no words yet, its name. */
function wordOf(type: string): string {
  const known: Partial<Record<string, string>> = words().live.types;
  return known[type] ?? type;
}
