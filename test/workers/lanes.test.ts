// The log in lanes: leaders share them out, take over from each other, and a change of their number loses, doubles and turns round nothing.
import { newId } from '../../subgraphs/shared/ids';
import { slotCount, slotOf } from '../../subgraphs/shared/store/slot';
import type { EventRecord } from '../../subgraphs/shared/store/unit-of-work';
import { inversions, wrongPositions, wrongSegments } from '../faults/order-audit';
import { eventually, newStoreAddresses } from '../support/stores';
import { openWorld, virtualAccountEvent, type World } from './world';

let redisUrl: string;
let world: World | null = null;
beforeAll(async () => {
  ({ redisUrl } = await newStoreAddresses());
});
const open = async (lanes: number) => {
  world = await openWorld(redisUrl, lanes);
};
/** The world of the case. */
const here = (): World => {
  if (!world) throw new Error('no world is open');
  return world;
};
afterEach(async () => {
  await world?.close();
  world = null;
});

type Stored = EventRecord & { slot: number; position: number };
const events = () => here().stores.connection.collection<Stored>('events');
const lanesOfLog = () => here().notifications.stores.events.lanes;
const merchants = Array.from({ length: 60 }, (_, index) => `merchant-${index}`);

/** Each merchant's account has its next event; in the order of each. */
const life = new Map(merchants.map((merchantId) => [merchantId, { aggregateId: newId(), sequence: 0 }]));
async function happenEverywhere(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(
      merchants.map((merchantId) => {
        const one = life.get(merchantId) ?? { aggregateId: '', sequence: 0 };
        one.sequence += 1;
        return here().inTransaction({ events: [virtualAccountEvent({ ...one, merchantId })] });
      }),
    );
}
const allPlaced = () =>
  eventually(async () => (await here().notifications.stores.events.unpositioned(1)).length === 0, {
    timeoutMs: 60_000,
  });

async function auditLog(): Promise<void> {
  const stored = await events().find().toArray();
  const segments = await here().stores.connection.collection('event_segments').find().sort({ _id: 1 }).toArray();
  expect(wrongPositions(stored)).toEqual([]);
  expect(wrongSegments(segments as never, stored)).toEqual([]);
  const placed = stored.map(({ aggregateId, sequence, position }) => ({
    life: aggregateId,
    number: sequence,
    place: position,
  }));
  expect(inversions(placed)).toEqual([]);
}
beforeEach(() => {
  for (const one of life.values()) Object.assign(one, { aggregateId: newId(), sequence: 0 });
});

interface StoredLease {
  _id: string;
  fence: number;
  until: Date;
}
const leasesOf = (layout: number) =>
  here()
    .stores.connection.collection<StoredLease>('leases')
    .find({ _id: { $regex: `^outbox:${layout}:` } })
    .toArray();
const heldOf = async (layout: number) => (await leasesOf(layout)).filter(({ until }) => until > new Date());

test('merchants are spread over the slots, and a slot never changes', () => {
  const slots = Array.from({ length: 20_000 }, (_, index) => slotOf({ merchantId: `m-${index}`, accountId: 'a' }));
  const counts = new Map<number, number>();
  for (const slot of slots) counts.set(slot, (counts.get(slot) ?? 0) + 1);
  expect(counts.size).toBe(slotCount);
  expect(Math.max(...counts.values())).toBeLessThan(60);
  expect(slotOf({ merchantId: 'merchant-alpha-1', accountId: 'alpha' })).toBe(
    slotOf({ merchantId: 'merchant-alpha-1', accountId: 'beta' }),
  );
  expect([
    slotOf({ merchantId: 'merchant-alpha-1', accountId: 'alpha' }),
    slotOf({ merchantId: null, accountId: 'alpha' }),
  ]).toEqual([153, 362]);
});

test('an event of another slot than those before it has no place: a person must look', async () => {
  await open(2);
  here().startOutbox();
  const aggregateId = newId();
  await here().happen({ aggregateId, merchantId: 'merchant-1' }, {});
  await allPlaced();
  await here().happen({ aggregateId, merchantId: 'merchant-2' });
  const said = await eventually(() => here().said.find(({ message }) => /predecessor/.test(message)));
  expect(said.fields).toMatchObject({ operation: 'outbox' });
  expect(await events().countDocuments({ aggregateId, position: { $gt: 0 } })).toBe(1);
});

test('what a release before put into another slot of an application has its place behind its predecessor there', async () => {
  await open(2);
  here().startOutbox();
  const aggregate = { aggregateType: 'application', aggregateId: '17' } as const;
  for (const merchantId of ['merchant-1', 'merchant-2', 'merchant-2', 'merchant-1'])
    await here().happen({ ...aggregate, merchantId });
  await allPlaced();
  const placed = await events().find(aggregate).sort({ sequence: 1 }).toArray();
  const slots = ['merchant-1', 'merchant-2'].map((merchantId) => slotOf({ merchantId, accountId: '' }));
  expect(new Set(slots).size).toBe(2);
  expect(placed.map(({ slot }) => slots.indexOf(slot ?? -1))).toEqual([0, 1, 1, 0]);
});

test('a lane gives no places to events of other lanes', async () => {
  await open(2);
  const { events: log } = here().notifications.stores;
  const [, second] = await lanesOfLog().lanes();
  if (!second) throw new Error('two lanes');
  await here().happen({});
  const [event] = await log.unpositioned(1);
  if (!event) throw new Error('one event');
  const other = { ...second, from: 0, to: 0, lane: 0 };
  await expect(log.assignPositions({ lane: other, events: [event], callbacks: [], fence: 1 })).rejects.toThrow(
    'is none of lane',
  );
});

test('who comes gets its share of the lanes, and whose process is gone leaves them to the others', async () => {
  await open(6);
  const first = here().startOutbox();
  await eventually(async () => (await heldOf(1)).length === 6);
  const second = here().startOutbox();
  // Three of them have changed hands.
  await eventually(
    async () => (await leasesOf(1)).filter(({ fence }) => fence > 1).length === 3 && (await heldOf(1)).length === 6,
  );
  await happenEverywhere(3);
  await first.stop();
  await happenEverywhere(3);
  await allPlaced();
  await eventually(async () => (await heldOf(1)).length === 6);
  await second.stop();
  await auditLog();
});

test('from one lane to eight and to three, with leaders that come and go, nothing is lost, doubled or turned round', async () => {
  await open(1);
  const running = [here().startOutbox(), here().startOutbox()];
  let isOver = false;
  const load = (async () => {
    while (!isOver) await happenEverywhere(1);
  })();
  try {
    for (const [index, lanes] of [8, 3].entries()) {
      await eventually(async () => (await heldOf(index + 1)).length > 0);
      await here().notifications.stores.events.prepare(lanes);
      await eventually(async () => (await heldOf(index + 2)).length === lanes);
      await running.shift()?.stop();
      running.push(here().startOutbox());
    }
  } finally {
    isOver = true;
    await load;
  }
  await allPlaced();
  await auditLog();
  expect((await lanesOfLog().ends()).map(({ layout, next }) => [layout, next])).toEqual([
    [1, 8],
    ...Array.from({ length: 8 }, () => [2, 3]),
    ...Array.from({ length: 3 }, () => [3, null]),
  ]);
});

test('a change of the number of lanes that died half-way is finished by whoever looks next', async () => {
  await open(2);
  const { events: log } = here().notifications.stores;
  await here()
    .stores.connection.collection('event_lanes')
    .updateOne({ _id: '1:0' as never }, { $set: { next: 4 } });
  here().startOutbox();
  await happenEverywhere(2);
  await allPlaced();
  expect((await log.lanes.lanes()).map(({ layout, from, to }) => [layout, from, to])).toEqual([
    [2, 0, 255],
    [2, 256, 511],
    [2, 512, 767],
    [2, 768, 1_023],
  ]);
  await auditLog();
});

test('processes that ask for a change at the same time get one', async () => {
  await open(1);
  const { events: log } = here().notifications.stores;
  await Promise.all([log.prepare(4), log.prepare(4), log.prepare(4)]);
  expect(new Set((await log.lanes.ends()).map(({ layout }) => layout))).toEqual(new Set([1, 2]));
});
