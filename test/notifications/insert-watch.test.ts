// The stream of the log's inserts: one of MongoDB's for all lanes of a process, whoever joins and leaves.
import type { Document } from 'mongodb';
import { createInsertWatch } from '../../subgraphs/notifications/events/event-inserts.repository';
import type { Lane } from '../../subgraphs/notifications/events/lane';
import { newId } from '../../subgraphs/shared/ids';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { collectionOf } from '../../subgraphs/shared/store/collection-of';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { eventually, openStores, patient, type Stores } from '../support/stores';

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
  await stores.connection.createCollection('events');
});
afterAll(() => stores.close());

const events = () => collectionOf<{ _id: string; slot?: number }>(stores.connection, 'events');

/** Eight lanes of 128 slots. */
function laneOf(lane: number): Lane {
  return { layout: 1, lane, from: lane * 128, to: lane * 128 + 127 } as Lane;
}

async function write(slots: readonly (number | undefined)[]): Promise<string[]> {
  const rows = slots.map((slot) => ({ _id: newId(), ...withoutUndefined({ slot }) }));
  await events().insertMany(rows, { writeConcern: { w: 'majority' } });
  return rows.map(({ _id }) => _id);
}

/** Open streams of this test's database; one that is killed already waits for the next write, at most five seconds. */
async function streams(): Promise<number> {
  const admin = stores.connection.getClient().db('admin');
  const open = await admin
    .aggregate([{ $currentOp: { idleCursors: true } }, { $match: { ns: `${stores.connection.name}.events` } }], {
      readConcern: { level: 'local' },
    })
    .toArray();
  const isOpen = (operation: Document) =>
    operation['killPending'] !== true && JSON.stringify(operation).includes('$changeStream');
  return open.filter(isOpen).length;
}

test('each listener is told of its lane alone, from when it joined, whoever comes and goes meanwhile', async () => {
  const watch = createInsertWatch(stores.connection);
  const told = new Map<number, string[]>();
  const ended: unknown[] = [];
  const join = async (lane: number) => {
    const seen: string[] = [];
    told.set(lane, seen);
    const onInsert = ({ _id }: { _id: string }) => void seen.push(_id);
    return watch(laneOf(lane), { onInsert, onEnd: (error) => void ended.push(error) });
  };
  const expected = new Map<number, string[]>();
  const writeTo = async (lanes: readonly number[]) => {
    const ids = await write(lanes.map((lane) => lane * 128 + (lane % 2) * 127));
    ids.forEach((id, index) => {
      const lane = lanes[index] as number;
      expected.set(lane, [...(expected.get(lane) ?? []), id]);
    });
  };
  const isTold = (lane: number) => (expected.get(lane) ?? []).every((id) => told.get(lane)?.includes(id));
  const first = await join(0);
  await writeTo([0, 0]);
  await Promise.all([join(1), join(2)]);
  await writeTo([0, 1, 2]);
  await eventually(() => isTold(0));
  await first.close();
  await write([0, undefined]);
  await writeTo([1, 2]);
  const third = await join(3);
  await writeTo([3, 2, 1]);
  await eventually(() => [0, 1, 2, 3].every(isTold));
  for (const lane of [0, 1, 2, 3])
    expect([...new Set(told.get(lane))].sort()).toEqual([...(expected.get(lane) ?? [])].sort());
  await eventually(async () => (await streams()) === 1, { timeoutMs: 8_000 });
  expect(ended).toEqual([]);
  await third.close();
  const toldThird = [...(told.get(3) ?? [])];
  await write([3 * 128]);
  await writeTo([1]);
  await eventually(() => isTold(1));
  expect(told.get(3)).toEqual(toldThird);
});

test('when the stream breaks everybody is told so, and who joins again goes on', async () => {
  const watch = createInsertWatch(stores.connection);
  const ended: number[] = [];
  const seen: string[] = [];
  const join = (lane: number) =>
    watch(laneOf(lane), { onInsert: ({ _id }) => void seen.push(_id), onEnd: () => void ended.push(lane) });
  await Promise.all([join(4), join(5)]);
  const [told = ''] = await write([4 * 128]);
  await eventually(() => seen.includes(told));
  // A collection that goes ends its streams.
  await stores.connection.dropCollection('events');
  await eventually(() => ended.length === 2);
  await stores.connection.createCollection('events');
  const again = await join(4);
  const [after = ''] = await write([4 * 128 + 1]);
  await eventually(() => seen.includes(after));
  expect(ended.sort()).toEqual([4, 5]);
  await again.close();
});

test('a stream is gone from MongoDB also when something comes by it while it closes', async () => {
  // With one connection the order to end it waits for the stream's answer, and for whoever asked before.
  const alone = await openMongo(stores.mongoUri, 'test', { ...patient, maxPoolSize: 1 });
  try {
    const seen: string[] = [];
    const watch = createInsertWatch(alone.connection);
    const { close } = await watch(laneOf(6), { onInsert: ({ _id }) => void seen.push(_id), onEnd: () => undefined });
    const [told = ''] = await write([6 * 128]);
    await eventually(() => seen.includes(told));
    expect(await streams()).toBe(1);
    const before = collectionOf(alone.connection, 'events').findOne();
    const closing = close();
    await write([6 * 128]);
    await Promise.all([before, closing]);
    await eventually(async () => (await streams()) === 0, { timeoutMs: 8_000 });
  } finally {
    await alone.close();
  }
});
