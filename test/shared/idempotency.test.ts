// Idempotency keys: once, again, in a race, after a death, and with another request (decision register, idempotency).
import { randomBytes } from 'node:crypto';
import { MongoNetworkError } from 'mongodb';
import { systemCaller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { manualClock } from '../../subgraphs/shared/clock';
import { createVault } from '../../subgraphs/shared/crypto/vault';
import { DomainError, type DomainErrorCode } from '../../subgraphs/shared/errors';
import { createIdempotent } from '../../subgraphs/shared/idempotency/idempotency';
import { idempotencyKeptMs, printValue } from '../../subgraphs/shared/idempotency/idempotency-record';
import { newId } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { collectionOf } from '../../subgraphs/shared/store/collection-of';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { together, type UnitOfWork } from '../../subgraphs/shared/store/unit-of-work';
import { openStores, type Stores } from '../support/stores';
import { keyringFor } from '../support/vault';

interface Made {
  thingId: string;
  madeAt: Date;
}

let stores: Stores;
const clock = manualClock(new Date());
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

/** How the key is claimed: by itself before the work, with what the work begins with, or with its end. */
const ways = ['before', 'with its beginning', 'with its end'] as const;
type Way = (typeof ways)[number];

function world(credentialId = 'client-1', way: Way = 'before', accountId: string | null = null) {
  const { inTransaction } = createCommitter(stores.connection);
  const vault = createVault(
    stores.connection,
    keyringFor({
      current: randomBytes(32).toString('base64').replace(/.*/, 'A'.repeat(43).concat('=')),
      previous: '',
    }),
  );
  const idempotent = createIdempotent({ connection: stores.connection, clock, vault });
  let effects = 0;
  const call = (key: string | undefined, fingerprint = 'body', before: () => Promise<void> = async () => undefined) => {
    const context = requestContext(
      { ...systemCaller('sandbox', 'test'), credentialId, accountId },
      newId(),
      key === undefined ? undefined : { key, scope: 'POST /things', fingerprint },
    );
    const make = async (complete: (result: Made) => Pick<UnitOfWork, 'inserts' | 'updates'>) => {
      await before();
      const result: Made = { thingId: newId(), madeAt: new Date(1_700_000_000_000) };
      await inTransaction(
        together({ inserts: [{ collection: 'things', document: { _id: result.thingId } }] }, complete(result)),
      );
      effects += 1;
      return result;
    };
    const made =
      way === 'before'
        ? idempotent<Made>(context, 'createThing', (complete) => make((result) => ({ updates: complete(result) })))
        : idempotent.onceBegun<Made>(context, 'createThing', async (work) => {
            const begun = way === 'with its beginning' ? work.inserts() : [];
            if (begun.length > 0) await inTransaction({ inserts: begun });
            if (begun.length > 0) work.taken();
            return make(work.complete);
          });
    return made.then((result) => ({
      result,
      replayed: context.reply.idempotentReplayed === true,
    }));
  };
  return { call, idempotent, effects: () => effects };
}

test.each(ways)('a repetition gets the stored result, dates included, and has no effect: claimed %s', async (way) => {
  const { call, effects } = world('client-1', way);
  const key = newId();
  const first = await call(key);
  const again = await call(key);
  expect(first.replayed).toBe(false);
  expect(again).toEqual({ result: first.result, replayed: true });
  expect(effects()).toBe(1);
});

test('without a key every call is a call of its own', async () => {
  const { call, effects } = world();
  await call(undefined);
  await call(undefined);
  expect(effects()).toBe(2);
});

test.each(ways)('the same key with another request is refused: claimed %s', async (way) => {
  const { call } = world('client-1', way);
  const key = newId();
  await call(key, 'one body');
  await expect(call(key, 'another body')).rejects.toMatchObject({ code: 'idempotencyMismatch' });
});

test.each(ways)('the same key of another credential is another key: claimed %s', async (way) => {
  const key = newId();
  await world('client-1', way).call(key, 'one body');
  expect((await world('client-2', way).call(key, 'another body')).replayed).toBe(false);
});

test.each(ways)(
  'the same key of one that was moved to another tenant is refused, and ends: claimed %s',
  async (way) => {
    const key = newId();
    await world('person-1', way, 'alpha').call(key);
    await expect(world('person-1', way, 'beta').call(key)).rejects.toMatchObject({ code: 'duplicateInFlight' });
  },
);

test.each(ways)(
  'of 32 at once one has the effect; the others are told that it runs, or get its result: claimed %s',
  async (way) => {
    const processes = [world('client-1', way), world('client-1', way)];
    const key = newId();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 32 }, (_, index) => processes[index % 2]?.call(key)),
    );
    expect(processes.reduce((all, { effects }) => all + effects(), 0)).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'duplicateInFlight' });
    }
  },
);

test('a key found taken by a database that goes away before its record is read is no defect', async () => {
  const { call } = world('client-1', 'with its beginning');
  const key = newId();
  await call(key);
  const away = new MongoNetworkError('connection closed');
  const records = collectionOf(stores.connection, 'idempotency_keys');
  const context = requestContext({ ...systemCaller('sandbox', 'test'), credentialId: 'client-1' }, newId(), {
    key,
    scope: 'POST /things',
    fingerprint: 'body',
  });
  const { onceBegun } = world().idempotent;
  const findOne = jest.spyOn(Object.getPrototypeOf(records), 'findOne');
  const refused = await onceBegun(context, 'createThing', async (work) => {
    await work.look().finally(() => findOne.mockRejectedValueOnce(away));
  }).catch((error) => error);
  findOne.mockRestore();
  expect(refusalOf(refused)?.code).toBe('unavailable');
});

describe.each(ways)('claimed %s', (way) => {
  test.each<[DomainErrorCode, boolean]>([
    ['declined', true],
    ['invalidState', true],
    ['orderIdTaken', true],
    ['tokenServiceRefused', true],
    ['invalidInput', false],
    ['invalidData', false],
    ['forbidden', false],
    ['notFound', false],
    ['tokenServiceFailed', false],
    ['unavailable', false],
    ['internal', false],
  ])('a refusal with %s: kept for the repetition %s', async (code, isKept) => {
    const { call } = world('client-1', way);
    const key = newId();
    const refusal = new DomainError(code, 'as it was said', { field: 'amount' });
    await expect(call(key, 'body', () => Promise.reject(refusal))).rejects.toBe(refusal);
    if (!isKept) return expect((await call(key)).replayed).toBe(false);
    const context = requestContext({ ...systemCaller('sandbox', 'test'), credentialId: 'client-1' }, newId(), {
      key,
      scope: 'POST /things',
      fingerprint: 'body',
    });
    const again = world().idempotent(context, 'createThing', () => Promise.reject(new Error('must not run')));
    await expect(again).rejects.toMatchObject({ code, message: 'as it was said', details: { field: 'amount' } });
    expect(context.reply.idempotentReplayed).toBe(true);
    await expect(call(key, 'another body')).rejects.toMatchObject({ code: 'idempotencyMismatch' });
  });

  test('a defect frees the key', async () => {
    const { call } = world('client-1', way);
    const key = newId();
    await expect(call(key, 'body', () => Promise.reject(new Error('a defect')))).rejects.toThrow('a defect');
    expect((await call(key)).replayed).toBe(false);
  });
});

test.each<[string, unknown]>([
  ['bigints of any size', { small: 5n, large: 2n ** 63n - 1n, larger: 2n ** 80n, negative: -1n }],
  ['numbers', { whole: 5, large: Number.MAX_SAFE_INTEGER, part: 0.1, none: 0 }],
  [
    'dates',
    { first: new Date(0), early: new Date('0001-01-01T00:00:00Z'), late: new Date('9999-12-31T23:59:59.999Z') },
  ],
  ['lists and nothing', [1n, null, 'x', [true, { deep: [2n] }], {}]],
  ['what looks like a mark', { a: { $bigint: '5' }, b: { $date: 'x' }, c: { $plain: { $bigint: 'y' } }, $oid: 'z' }],
  ['text that means something elsewhere', { a: '5n', $numberLong: '7', b: '__proto__' }],
  ['nothing at all', null],
])('a repetition gets the same value and type: %s', async (_, result) => {
  const { idempotent } = world();
  const key = { key: newId(), scope: 'POST /things', fingerprint: 'body' };
  const run = () => idempotent(requestContext(systemCaller('sandbox', 'test'), newId(), key), 'x', async () => result);
  expect(await run()).toStrictEqual(result);
  expect(await run()).toStrictEqual(result);
});

test.each([
  ['a map', new Map()],
  ['bytes', Buffer.from('x')],
  ['a function', () => 1],
  ['no number', Number.NaN],
])('a result that would come back changed is a defect: %s', (_, value) => {
  expect(() => printValue({ value })).toThrow('cannot be kept');
});

test.each(['before', 'with its beginning'] as const)(
  'a key whose first request died is taken over, and the dead one can no longer store its result: claimed %s',
  async (way) => {
    const [dead, { call, effects }] = [world('client-1', way), world('client-1', way)];
    const key = newId();
    let wake = () => {};
    const sleeping = dead.call(key, 'body', () => new Promise((resolve) => (wake = resolve)));
    const expectation = expect(sleeping).rejects.toThrow();
    const records = collectionOf(stores.connection, 'idempotency_keys');
    while (!(await records.findOne({ state: 'running', runningUntil: { $gt: new Date() } })))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await expect(call(key)).rejects.toMatchObject({ code: 'duplicateInFlight' });
    await records.updateMany({ state: 'running' }, { $set: { runningUntil: new Date(0) } });
    const taken = await call(key);
    wake();
    await expectation;
    expect(await call(key)).toEqual({ result: taken.result, replayed: true });
    expect(effects()).toBe(1);
  },
);

test.each(ways)('a key is forgotten after 24 hours on the one clock: claimed %s', async (way) => {
  const { call } = world('client-1', way);
  const key = newId();
  await call(key);
  clock.advance(idempotencyKeptMs - 60_000);
  expect((await call(key)).replayed).toBe(true);
  clock.advance(120_000);
  expect((await call(key)).replayed).toBe(false);
});

test('a stored result is sealed', async () => {
  const { call } = world();
  const { result } = await call(newId());
  const stored = JSON.stringify(await stores.connection.collection('idempotency_keys').find().toArray());
  expect(stored).not.toContain(result.thingId);
});
