// What operators are told of operations: a figure and a line per event of a payment, with ids to follow and without anything personal.
import { createLog } from '../../subgraphs/shared/log/log';
import { recordOperationMetrics } from '../../workers/operation-metrics';

function kept(changes: Record<string, unknown>, event: Record<string, unknown> = {}) {
  const lines: Record<string, unknown>[] = [];
  const counted: object[] = [];
  const data = {
    operationId: 'operation-1',
    terminalId: 'terminal-1',
    family: 'checkout',
    operationAmount: '5000',
    operationType: 'AUTHORIZATION',
    operationResult: 'AUTHORIZED',
    customerInfo: { cardHolderName: 'Ada Lovelace', cardHolderEmail: 'ada@example.com' },
    notificationUrl: 'https://shop.example/?token=secret',
    paymentInstrumentInfo: '424242******4242',
    ...changes,
  };
  const record = { _id: 'event-1', aggregateType: 'payment', aggregateId: 'payment-1', type: 'operation.recorded' };
  const log = createLog('info', 'worker-outbox-1', (line) => void lines.push(JSON.parse(line)));
  const metrics = { operations: { inc: (labels: object) => void counted.push(labels) } };
  recordOperationMetrics({ log, metrics: metrics as never }, [
    { ...record, merchantId: 'merchant-1', requestId: 'request-1', data, ...event } as never,
  ]);
  return { lines, counted };
}

const ids = {
  requestId: 'request-1',
  eventId: 'event-1',
  merchantId: 'merchant-1',
  paymentId: 'payment-1',
  operationId: 'operation-1',
  terminalId: 'terminal-1',
  operation: 'AUTHORIZATION',
};

test.each<[string, string, Record<string, unknown>]>([
  ['AUTHORIZED', 'info', { msg: 'an operation has its result' }],
  ['DECLINED', 'info', { msg: 'an operation has its result' }],
  ['PENDING', 'info', { msg: 'an operation waits for its outcome' }],
  ['FAILED', 'warn', { msg: 'an operation failed for a technical reason' }],
])('%s is counted and said at level %s', (operationResult, level, line) => {
  const { lines, counted } = kept({ operationResult });
  expect(counted).toEqual([{ family: 'checkout', type: 'AUTHORIZATION', result: operationResult }]);
  expect(lines).toMatchObject([{ ...ids, ...line, level, outcome: operationResult }]);
});

test('the reason that the acquirer gave is said', () => {
  const { lines } = kept({ operationResult: 'DECLINED', additionalData: { responseReason: 'insufficient_funds' } });
  expect(lines[0]).toMatchObject({ reason: 'insufficient_funds' });
});

test('an authorization that expired is said and not counted: its operation keeps its result', () => {
  const { lines, counted } = kept({}, { type: 'payment.expired' });
  expect(counted).toEqual([]);
  expect(lines).toMatchObject([{ ...ids, outcome: 'EXPIRED', msg: 'an authorization expired' }]);
});

test('nothing personal, no amount, no address and no card is in a line', () => {
  const text = JSON.stringify(kept({ operationResult: 'FAILED' }).lines);
  for (const private_ of ['Ada', 'example.com', 'secret', '4242', '5000']) expect(text).not.toContain(private_);
});

test('events of other aggregates are left to others', () => {
  expect(kept({}, { aggregateType: 'virtualAccount' })).toEqual({ lines: [], counted: [] });
});
