// Units that are one conditional update and nothing else: they need no transaction, and signed ones travel together.
import { newId } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { WriteConflict } from '../../subgraphs/shared/store/unit-of-work';
import type { Stores } from '../support/stores';
import { openThings, type Thing, thingsOf } from './things';

let stores: Stores;
beforeAll(async () => {
  stores = await openThings();
});
afterAll(() => stores.close());
const things = () => thingsOf(stores);

test('of 32 units that are one update alone one wins, the others are told so, and drain waits for them', async () => {
  const { inTransaction, drain } = createCommitter(stores.connection);
  const id = newId();
  await inTransaction({ inserts: [{ collection: 'things', document: { _id: id, name: id, version: 1 } }] });
  const update = { collection: 'things', filter: { _id: id, version: 1 }, update: { $inc: { version: 1 } } };
  const settled = Promise.allSettled(Array.from({ length: 32 }, () => inTransaction({ updates: [update] })));
  await drain();
  expect(await things().findOne({ _id: id })).toMatchObject({ version: 2 });
  const refused = (await settled).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect([refused.length, refused.every((reason) => reason instanceof WriteConflict)]).toEqual([31, true]);
});

describe('signed updates that arrive at once', () => {
  /** One of a thing of its own, as the present state has it. */
  async function signed(change: Partial<Thing> = {}, version = 1) {
    const id = newId();
    await things().insertOne({ _id: id, name: id, version: 1 });
    const sign = { member: 'callId', value: newId() };
    const update = { $set: { ...change, callId: sign.value, version: version + 1 } };
    return { id, write: { collection: 'things', filter: { _id: id, version }, update, sign } };
  }
  const told = (outcome: PromiseSettledResult<void>) =>
    outcome.status === 'fulfilled' ? 'made' : (outcome.reason as Error).constructor.name;

  test.each([
    ['all match', []],
    ['some met another version', ['conflict', 'conflict']],
    ['some are refused', ['refused']],
    ['some are refused and some met another version', ['refused', 'conflict', 'refused']],
  ] as const)('%s: each is told what became of it alone', async (_case, spoiled) => {
    const { inTransaction, drain } = createCommitter(stores.connection);
    await things()
      .insertOne({ _id: newId(), name: 'taken' })
      .catch(() => undefined);
    const bad = await Promise.all(
      spoiled.map((how) => (how === 'conflict' ? signed({}, 7) : signed({ name: 'taken' }))),
    );
    const good = await Promise.all(Array.from({ length: 100 }, () => signed()));
    const all = [...good.slice(0, 50), ...bad, ...good.slice(50)];
    const outcomes = await Promise.allSettled(all.map(({ write }) => inTransaction({ updates: [write] })));
    await drain();
    const names = { conflict: 'WriteConflict', refused: 'MongoServerError' } as const;
    const expected = [
      ...good.slice(0, 50).map(() => 'made'),
      ...spoiled.map((how) => names[how]),
      ...good.slice(50).map(() => 'made'),
    ];
    expect(outcomes.map(told)).toEqual(expected);
    const made = await things().countDocuments({ _id: { $in: good.map(({ id }) => id) }, version: 2 });
    expect([made, await things().countDocuments({ _id: { $in: bad.map(({ id }) => id) }, version: 1 })]).toEqual([
      100,
      bad.length,
    ]);
  });

  test('of two processes that sign the same things, each thing has one winner', async () => {
    const committers = [createCommitter(stores.connection), createCommitter(stores.connection)];
    const ones = await Promise.all(Array.from({ length: 50 }, () => signed()));
    const outcomes = await Promise.all(
      committers.map(({ inTransaction }, place) =>
        Promise.allSettled(
          ones.map(({ write }) => {
            const sign = { ...write.sign, value: `${write.sign.value} ${place}` };
            const update = { $set: { ...write.update.$set, callId: sign.value } };
            return inTransaction({ updates: [{ ...write, sign, update }] });
          }),
        ),
      ),
    );
    const found = await things()
      .find({ _id: { $in: ones.map(({ id }) => id) } })
      .toArray();
    const callOf = new Map(found.map((thing) => [thing._id, (thing as { callId?: string }).callId]));
    for (const [index, { id, write }] of ones.entries()) {
      const winner = String(callOf.get(id)) === `${write.sign.value} 0` ? 0 : 1;
      expect(outcomes.map((each) => told(each[index] as PromiseSettledResult<void>))).toEqual(
        winner === 0 ? ['made', 'WriteConflict'] : ['WriteConflict', 'made'],
      );
    }
  });
});
