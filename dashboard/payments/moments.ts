// The one timeline of a payment, put together of what every domain keeps of it: visit, operations, calls to the acquirer, notifications, payouts.
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
      ...facts(each, actorOf(each.operationId)),
      ...namedAfter(each, [...callsOf(each), ...notifications(each)]),
    ]),
    ...paidOut(operations),
  ];
}

/** Among those of other operations: each says first of which it is. */
function namedAfter({ operationType }: PaymentOperationFragment, moments: readonly Moment[]): Moment[] {
  return moments.map((moment) => ({
    ...moment,
    detail: [stateWord(operationType), moment.detail].filter(Boolean).join(' · '),
  }));
}

/** One for each payout that operations went into; one that only took refunds back paid nothing out of this payment. */
function paidOut(operations: readonly PaymentOperationFragment[]): Moment[] {
  const text = words().payments.moments;
  const payouts = new Map(operations.flatMap(({ payout }) => (payout ? [[payout.payoutId, payout] as const] : [])));
  return [...payouts.values()].map(({ payoutId, closedAt }) => {
    const inside = operations.filter(({ payout }) => payout?.payoutId === payoutId);
    const isTakenBack = inside.every(({ operationType }) => operationType === 'REFUND');
    return {
      key: payoutId,
      at: closedAt,
      tone: isTakenBack ? 'quiet' : 'good',
      title: isTakenBack ? text.takenBack : text.paidOut,
      to: `/payouts/${payoutId}`,
      place: words().payouts.title,
      detail: inside.map(({ operationType }) => stateWord(operationType)).join(' · '),
    };
  });
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
        to: `/callbacks/${callbackId}`,
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
