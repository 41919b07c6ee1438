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
  return checkoutSessions.edges.map(({ node: { sessionId, createdAt, method, merchantOrigin } }) => ({
    key: sessionId,
    at: createdAt,
    tone: 'quiet',
    title: text.visit,
    place: text.places.checkout,
    detail: [method && stateWord(method), merchantOrigin].filter(Boolean).join(' · '),
  }));
}

function facts(operation: PaymentOperationFragment, actor: string | null): Moment[] {
  const { timeline, operationAmount, operationCurrency, reason, description, operationId } = operation;
  return timeline.edges.map(({ node: { eventId, occurredAt, operationType, operationResult } }) => ({
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
  return callbacks.edges.flatMap(({ node: { callbackId, attempts } }) =>
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
