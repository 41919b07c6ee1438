// The write seam: what a unit promises alone, in a group, and against its neighbours.
import { type ClientSession, MongoServerSelectionError } from 'mongodb';
import type { Connection } from 'mongoose';
import { newId } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { DuplicateKey, type NewEvent, type UnitOfWork, WriteConflict } from '../../subgraphs/shared/store/unit-of-work';
import { eventually, type Stores } from '../support/stores';
import { openThings, thingsOf } from './things';

let stores: Stores;
beforeAll(async () => {
  stores = await openThings();
});
afterAll(() => stores.close());
const things = () => thingsOf(stores);

function event(aggregateId: string, sequence: number): NewEvent {
  return {
    _id: newId(),
    environment: 'sandbox',
    accountId: 'a',
    merchantId: null,
    aggregateType: 'merchant',
    aggregateId,
    sequence,
    type: 'merchant.created',
    version: 1,
    occurredAt: new Date(),
    requestId: newId(),
    data: {},
  };
}

test('inserts, conditional updates and events of one unit are there together', async () => {
  const { inTransaction } = createCommitter(stores.connection);
  const id = newId();
  await inTransaction({
    inserts: [{ collection: 'things', document: { _id: id, name: id, version: 1 } }],
    events: [event(id, 1)],
  });
  await inTransaction({
    updates: [{ collection: 'things', filter: { _id: id, version: 1 }, update: { $set: { version: 2 } } }],
    events: [event(id, 2)],
  });
  expect(await things().findOne({ _id: id })).toMatchObject({ version: 2 });
  const events = await stores.connection.collection('events').find({ aggregateId: id }).sort({ sequence: 1 }).toArray();
  expect(events.map(({ sequence, position }) => ({ sequence, position }))).toEqual([
    { sequence: 1, position: null },
    { sequence: 2, position: null },
  ]);
});

test('an update that matches nothing refuses the whole unit and leaves nothing behind', async () => {
  const { inTransaction } = createCommitter(stores.connection);
  const id = newId();
  const unit: UnitOfWork = {
    inserts: [{ collection: 'things', document: { _id: id, name: id } }],
    updates: [{ collection: 'things', filter: { _id: 'absent' }, update: { $set: { version: 1 } } }],
    events: [event(id, 1)],
  };
  await expect(inTransaction(unit)).rejects.toBeInstanceOf(WriteConflict);
  expect(await things().countDocuments({ _id: id })).toBe(0);
  expect(await stores.connection.collection('events').countDocuments({ aggregateId: id })).toBe(0);
});

test.each([
  ['takes its document away, with what else the unit does', 1, true],
  ['that matches nothing refuses the whole unit and leaves nothing behind', 2, false],
])('a conditional removal %s', async (_what, version, isMade) => {
  const { inTransaction } = createCommitter(stores.connection);
  const [removed, inserted] = [newId(), newId()];
  await things().insertOne({ _id: removed, name: removed, version: 1 });
  const unit: UnitOfWork = {
    inserts: [{ collection: 'things', document: { _id: inserted, name: inserted } }],
    removals: [{ collection: 'things', filter: { _id: removed, version } }],
  };
  const outcome = await inTransaction(unit).catch((error: unknown) => error);
  expect(outcome instanceof WriteConflict).toBe(!isMade);
  const left = await things()
    .find({ _id: { $in: [removed, inserted] } })
    .toArray();
  expect(left.map(({ _id }) => _id)).toEqual([isMade ? inserted : removed]);
});

test('a removal beside a lone update is not left out', async () => {
  const { inTransaction } = createCommitter(stores.connection);
  const [kept, removed] = [newId(), newId()];
  await things().insertMany([
    { _id: kept, name: kept, version: 1 },
    { _id: removed, name: removed },
  ]);
  await inTransaction({
    updates: [{ collection: 'things', filter: { _id: kept, version: 1 }, update: { $set: { version: 2 } } }],
    removals: [{ collection: 'things', filter: { _id: removed } }],
  });
  expect(await things().findOne({ _id: kept })).toMatchObject({ version: 2 });
  expect(await things().findOne({ _id: removed })).toBeNull();
});

test('a duplicate names its collection and the fields of the index', async () => {
  const { inTransaction } = createCommitter(stores.connection);
  const document = () => ({ _id: newId(), name: 'twice' });
  await inTransaction({ inserts: [{ collection: 'things', document: document() }] });
  const second = inTransaction({ inserts: [{ collection: 'things', document: document() }] });
  await expect(second).rejects.toBeInstanceOf(DuplicateKey);
  await expect(second).rejects.toMatchObject({ collection: 'things', keyPattern: { name: 1 } });
});

test('in a group of many, each bad unit fails alone', async () => {
  const { inTransaction, drain } = createCommitter(stores.connection);
  const prefix = newId();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, (_, index) =>
      inTransaction({
        inserts: [
          {
            collection: 'things',
            document: { _id: `${prefix}-${index}`, name: `${prefix}-${index % 10 === 0 ? 'same' : index}` },
          },
        ],
      }),
    ),
  );
  await drain();
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(9);
  for (const outcome of refused) expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(DuplicateKey);
  expect(await things().countDocuments({ _id: { $regex: `^${prefix}` } })).toBe(91);
});

test('64 units that race for the same version have one winner', async () => {
  const committers = [createCommitter(stores.connection), createCommitter(stores.connection)];
  const id = newId();
  await things().insertOne({ _id: id, name: id, version: 1 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 64 }, (_, index) =>
      committers[index % 2]?.inTransaction({
        updates: [{ collection: 'things', filter: { _id: id, version: 1 }, update: { $inc: { version: 1 } } }],
        events: [event(id, 1)],
      }),
    ),
  );
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  expect(await things().findOne({ _id: id })).toMatchObject({ version: 2 });
  expect(await stores.connection.collection('events').countDocuments({ aggregateId: id })).toBe(1);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(WriteConflict);
});

describe('a unit that meets a transaction that goes on', () => {
  /** Another transaction has changed the document, and a unit wants to; `tries` are those of the unit. */
  async function meeting() {
    const id = newId();
    await things().insertOne({ _id: id, name: id, version: 1 });
    const client = stores.connection.getClient();
    const other = client.startSession();
    other.startTransaction();
    await things().updateOne({ _id: id }, { $set: { name: `${id} of another` } }, { session: other });
    let tries = 0;
    const startSession = () => {
      tries += 1;
      return client.startSession();
    };
    const counting = {
      db: stores.connection.db,
      getClient: () => ({ startSession }),
    } as unknown as Connection;
    const update = { collection: 'things', filter: { _id: id, version: 1 }, update: { $inc: { version: 1 } } };
    const outcome = createCommitter(counting)
      .inTransaction({ updates: [update], events: [event(id, 1)] })
      .then(
        () => 'committed',
        (error: unknown) => error,
      );
    const end = async () => {
      await other.abortTransaction();
      await other.endSession();
    };
    return { outcome, tries: () => tries, end };
  }

  afterEach(() => jest.restoreAllMocks());

  it('is tried again until that is over', async () => {
    // However slow the machine is, the time in which it is tried is not over.
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const { outcome, tries, end } = await meeting();
    await eventually(() => tries() > 8);
    await end();
    expect(await outcome).toBe('committed');
  });

  it('is told so when that does not end', async () => {
    const { outcome, tries, end } = await meeting();
    expect(await outcome).toBeInstanceOf(WriteConflict);
    expect(tries()).toBeGreaterThan(5);
    await end();
  });
});

/** A connection whose commits take place, and whose answers are lost `losses` times: what a server that froze between the two looks like. */
function forgetful(losses: number): Connection {
  let left = losses;
  const startSession = (): ClientSession => {
    const session = stores.connection.getClient().startSession();
    const commit = session.commitTransaction.bind(session);
    session.commitTransaction = async () => {
      await commit();
      left -= 1;
      if (left >= 0) throw new MongoServerSelectionError('no server was found in time', {} as never);
    };
    return session;
  };
  return {
    db: stores.connection.db,
    getClient: () => ({ startSession }),
  } as unknown as Connection;
}

describe('a commit whose answer is lost', () => {
  it.each([
    { units: 1, losses: 1, outcome: 'fulfilled' },
    { units: 8, losses: 2, outcome: 'fulfilled' },
    { units: 1, losses: 3, outcome: 'rejected' },
    { units: 8, losses: 3, outcome: 'rejected' },
  ])(
    '$losses times, with $units units in the group: $outcome, and nobody is told that its own write stood in its way',
    async ({ units, losses, outcome }) => {
      const { inTransaction } = createCommitter(forgetful(losses));
      const prefix = newId();
      const settled = await Promise.allSettled(
        Array.from({ length: units }, (_, index) => {
          const name = `${prefix}-${index}`;
          return inTransaction({ inserts: [{ collection: 'things', document: { _id: name, name } }] });
        }),
      );
      expect(settled.map(({ status }) => status)).toEqual(settled.map(() => outcome));
      for (const one of settled)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'unavailable' });
      expect(await things().countDocuments({ _id: { $regex: `^${prefix}` } })).toBe(units);
    },
  );
});
