// Words of events in the graph: those that this release knows; what a newer one wrote beside it is null, and fails nothing.
import { attemptEventView } from '../../subgraphs/notifications/events/attempt-event';
import { logEventView } from '../../subgraphs/notifications/events/log-event';
import { onboardingEventView } from '../../subgraphs/notifications/events/onboarding-event';
import { operationEventView } from '../../subgraphs/notifications/events/operation-event';
import type { EventRecord } from '../../subgraphs/shared/store/unit-of-work';

const event = (aggregateType: EventRecord['aggregateType'], data: Record<string, unknown>): EventRecord => ({
  _id: 'event-1',
  environment: 'sandbox',
  accountId: 'alpha',
  merchantId: 'm-one',
  aggregateType,
  aggregateId: 'aggregate-1',
  sequence: 1,
  type: 'operation.recorded',
  version: 1,
  occurredAt: new Date(0),
  requestId: 'request-1',
  data,
  position: 1,
});

test('an event about what only another release knows is shown as far as every event is', () => {
  const view = logEventView(event('weather' as never, { sun: 'much' }), String);
  expect(view).toEqual(expect.objectContaining({ __typename: 'PlainEvent', eventId: 'event-1', cursor: '1' }));
});

test.each([
  ['known words', 'CAPTURE', 'EXECUTED', 'CAPTURE', 'EXECUTED'],
  ['words of another release', 'GIFT', 'GIVEN', null, null],
  ['one of each', 'REFUND', 'GIVEN', 'REFUND', null],
  ['no text', 7, undefined, null, null],
])('an operation with %s', (_what, operationType, operationResult, type, result) => {
  const view = operationEventView(event('payment', { operationId: 'o-1', operationType, operationResult }), String);
  expect(view).toMatchObject({ operationType: type, operationResult: result, operation: { operationId: 'o-1' } });
});

test.each([
  ['known words', 'APPROVED', 'PROCESSING', 'APPROVED', 'PROCESSING'],
  ['words of another release', 'PARKED', 'PROCESSING', null, 'PROCESSING'],
  ['its first event', 'INITIATED', null, 'INITIATED', null],
])('an application with %s', (_what, status, previousStatus, present, before) => {
  const view = onboardingEventView(event('application', { status, previousStatus }), String);
  expect(view).toMatchObject({ status: present, previousStatus: before, application: { id: 'aggregate-1' } });
});

test.each([
  ['a known word', 'timeout', 'timeout'],
  ['a word of another release', 'swallowed', null],
  ['none', undefined, null],
])('an attempt with %s', (_what, told, result) => {
  const data = { number: 3, result: told, httpStatus: null, durationMs: 10_000, nextAt: new Date(0) };
  const view = attemptEventView(event('callback', data), String);
  expect(view).toMatchObject({ callbackId: 'aggregate-1', number: 3, result, httpStatus: null, nextAt: new Date(0) });
  expect(attemptEventView(event('callback', { number: '3', nextAt: 'soon' }), String)).toMatchObject({
    number: null,
    nextAt: null,
  });
});
