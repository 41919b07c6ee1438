// The sandbox's built-in receiver: a log with a bound, and faults to order (docs/sandbox.md, section 6).
import { createReceiverRepository } from '../../subgraphs/notifications/receiver/receiver.repository';
import { createReceiverService } from '../../subgraphs/notifications/receiver/receiver.service';
import { newId } from '../../subgraphs/shared/ids';
import { openStores, type Stores } from '../support/stores';

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
  await createReceiverRepository(stores.connection).ensureCollection();
});
afterAll(() => stores.close());

const service = (isSandbox = true) =>
  createReceiverService({ receiver: createReceiverRepository(stores.connection), isSandbox });
const request = (path = '/x') => ({ method: 'POST', path, headers: '{"A":"b"}', body: '{}' });

test('answers 204 and keeps what it got, newest first', async () => {
  expect(await service().receive(request('/one'))).toEqual({ status: 204, delayMs: 0 });
  await service().receive(request('/two'));
  expect((await service().list()).map(({ path, status }) => [path, status])).toEqual([
    ['/two', 204],
    ['/one', 204],
  ]);
  expect(await service().list(1)).toHaveLength(1);
});

test('a fault lasts as many times as ordered', async () => {
  await service().orderFault({ status: 503, delayMs: 20, times: 2 });
  const answers = [];
  for (let index = 0; index < 3; index += 1) answers.push(await service().receive(request()));
  expect(answers).toEqual([
    { status: 503, delayMs: 20 },
    { status: 503, delayMs: 20 },
    { status: 204, delayMs: 0 },
  ]);
});

test('a fault without a number lasts until the next order; an empty order clears it', async () => {
  await service().orderFault({ status: 500 });
  for (let index = 0; index < 3; index += 1) expect((await service().receive(request())).status).toBe(500);
  await service().orderFault({});
  expect((await service().receive(request())).status).toBe(204);
});

test.each([
  [{ status: 99 }],
  [{ status: 600 }],
  [{ status: 200.5 }],
  [{ delayMs: -1 }],
  [{ delayMs: 60_001 }],
  [{ status: 500, times: -1 }],
])('the order %j is refused', async (fault) =>
  expect(service().orderFault(fault)).rejects.toMatchObject({ code: 'invalidInput' }),
);

test('a body of any length is kept to its limit', async () => {
  await service().receive({ ...request(), body: 'x'.repeat(100_000) });
  expect((await service().list(1))[0]?.body).toHaveLength(16 * 1024);
});

test('headers of any length are kept as whole JSON, the value that is too long cut', async () => {
  const quotes = '"'.repeat(9_000);
  await service().receive({ ...request(), headers: JSON.stringify({ A: quotes, B: 'b'.repeat(9_000), C: 'c' }) });
  const [received] = await service().list(1);
  expect(JSON.parse(received?.headers ?? '')).toEqual({ A: quotes, B: 'b'.repeat(16 * 1024 - 9_000 - 2) });
});

test('headers that a release before cut into no JSON are shown as none', async () => {
  await createReceiverRepository(stores.connection).insert({
    ...request(),
    _id: newId(),
    receivedAt: new Date(),
    headers: JSON.stringify({ A: '"'.repeat(9_000) }).slice(0, 16 * 1024),
    status: 204,
  });
  expect((await service().list(1))[0]?.headers).toBe('{}');
});

test.each(['', 'A: b', '["A"]', 'null', '{"A":1}'])('the headers %j are refused', async (headers) =>
  expect(service().receive({ ...request(), headers })).rejects.toMatchObject({ code: 'invalidInput' }),
);

test('in production there is none', async () => {
  await expect(service(false).receive(request())).rejects.toMatchObject({ code: 'notFound' });
  await expect(service(false).list()).rejects.toMatchObject({ code: 'notFound' });
  await expect(service(false).orderFault({})).rejects.toMatchObject({ code: 'notFound' });
});
