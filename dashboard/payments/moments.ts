// The one timeline of a payment, put together of what every domain keeps of it: visit, operations, calls to the acquirer, notifications.
import { attemptTone, attemptWord } from '../callbacks/attempt-word';
import { stateWord } from '../kit/chip';
import { printMoney } from '../kit/money';
import type { Moment } from '../kit/timeline';
import { toneOf } from '../kit/tone';
import { words } from '../strings/language';
import type { ShownPayment } from './life';
import type { PaymentOperationFragment } from './queries';

export function momentsOf(payment: ShownPayment, actorOf: (operationId: string) => string | null): Moment[] {
  const operations = payment.operations.edges.map(({ node }) => node);
  return [
    ...visits(payment),
    ...operations.flatMap((each) => [
      ...callsOf(each),
      ...facts(each, actorOf(each.operationId)),
      ...notifications(each),
    ]),
  ];
}

function visits({ checkoutSessions }: ShownPayment): Moment[] {
  const text = words().payments.moments;
  return checkoutSessions.edges.flatMap(({ node: { sessionId, createdAt, method, merchantOrigin, challenge } }) => [
    {
      key: sessionId,
      at: createdAt,
      tone: 'quiet',
      title: text.visit,
      place: text.places.checkout,
      detail: [method && stateWord(method), merchantOrigin].filter(Boolean).join(' · '),
    },
    ...(challenge ? challengeMoments(sessionId, challenge) : []),
  ]);
}

type Challenge = NonNullable<ShownPayment['checkoutSessions']['edges'][number]['node']['challenge']>;

/** The issuer's question, and what came of it; a payer who was given up before has no answer. */
function challengeMoments(sessionId: string, { sentAt, answeredAt, outcome }: Challenge): Moment[] {
  const { challenge, places } = words().payments.moments;
  const sent: Moment = {
    key: `${sessionId} sent`,
    at: sentAt,
    tone: 'info',
    title: challenge.sent,
    place: places.issuer,
  };
  if (!answeredAt || !outcome) return [sent];
  const title = challenge.outcomes[outcome];
  return [sent, { ...sent, key: `${sessionId} answered`, at: answeredAt, tone: toneOf(outcome), title }];
}

function facts(operation: PaymentOperationFragment, actor: string | null): Moment[] {
  const { timeline, operationAmount, operationCurrency, reason, description, operationId } = operation;
  return (timeline?.edges ?? []).map(({ node: { eventId, occurredAt, operationType, operationResult } }) => ({
    key: eventId ?? operationId,
    at: occurredAt,
    tone: toneOf(operationResult ?? ''),
    title: `${stateWord(operationType ?? '')} ${printMoney(operationAmount, operationCurrency)}`,
    place: words().payments.moments.places.payments,
    detail: [stateWord(operationResult ?? ''), actor, reason, description].filter(Boolean).join(' · '),
  }));
}

/** The exchange with the acquirer, step by step. */
export function callsOf({ acquirerCall, operationId }: PaymentOperationFragment): Moment[] {
  const text = words().payments.moments;
  return (acquirerCall?.steps ?? []).map(({ at, step, outcome }, place) => ({
    key: `${operationId} call ${place}`,
    at,
    tone: step === 'RAISED' || step === 'GIVEN_UP' ? 'bad' : outcome ? toneOf(outcome) : 'quiet',
    title: text.steps[step],
    place: text.places.acquirer,
    detail: outcome ? stateWord(outcome) : null,
  }));
}

function notifications({ callbacks }: PaymentOperationFragment): Moment[] {
  const text = words().payments.moments;
  return (callbacks?.edges ?? []).flatMap(({ node: { callbackId, attempts } }) =>
    attempts.map(
      ({ number, at, status, result, durationMs }): Moment => ({
        key: `${callbackId} ${number}`,
        at,
        tone: attemptTone(result),
        title: text.attempt(number),
        place: text.places.callbacks,
        detail: [
          status && `HTTP ${status}`,
          result !== 'delivered' && attemptWord(result),
          durationMs !== null && `${durationMs} ms`,
        ]
          .filter(Boolean)
          .join(' · '),
      }),
    ),
  );
}
