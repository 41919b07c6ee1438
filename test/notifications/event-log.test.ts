// The event log as subscribers read it: cursors that are ours alone, order by position, and the replay limit (docs/sandbox.md, sections 7 and 9).
import { randomBytes } from 'node:crypto';
import { createEventLog, type EventLog } from '../../subgraphs/notifications/events/event-log.service';
import { eventually } from '../support/stores';
import { openWorld, type World } from '../workers/world';

let world: World;
let log: EventLog;
beforeAll(async () => {
  world = await openWorld();
  log = world.notifications.eventLog;
  world.startOutbox();
});
afterAll(() => world.close());

const slotOf = async (merchantId = 'merchant-alpha-1') => (await log.slotOf({ merchantId })) ?? -1;
const settled = (count: number, merchantId?: string) =>
  eventually(async () => (await log.tailPosition(await slotOf(merchantId))) === count);

test('reads what an owner has by position, kind and limit: each slot has positions of its own', async () => {
  await world.happen({ merchantId: 'one' });
  await settled(1, 'one');
  await world.happen({ merchantId: 'two' });
  await settled(1, 'two');
  await world.happen({ merchantId: 'one', type: 'virtualAccount.resumed' });
  await settled(2, 'one');
  const positions = async (range: Omit<Parameters<EventLog['readEvents']>[0], 'owner'>, merchantId = 'one') =>
    (await log.readEvents({ ...range, owner: { merchantId } })).map(({ position }) => position);
  expect(await positions({ afterPosition: 0, limit: 10 })).toEqual([1, 2]);
  expect(await positions({ afterPosition: 0, limit: 10 }, 'two')).toEqual([1]);
  expect(await positions({ afterPosition: 1, limit: 10 })).toEqual([2]);
  expect(await positions({ afterPosition: 0, upTo: 1, limit: 10 })).toEqual([1]);
  expect(await positions({ afterPosition: 0, limit: 1 })).toEqual([1]);
  expect(await positions({ afterPosition: 0, aggregateType: 'callbackEndpoint', limit: 10 })).toEqual([]);
  expect(await positions({ afterPosition: 2, limit: 10 })).toEqual([]);
});

test('reads on from a place: heads of all that was published since, each slot in its order', async () => {
  const { numbers } = await log.end();
  const place = { layout: 1, numbers: numbers.map(() => 0) };
  const { heads, place: after } = await log.readOn(place);
  expect(heads.map(({ merchantId, position, type }) => [merchantId, position, type])).toEqual([
    ['one', 1, 'virtualAccount.suspended'],
    ['two', 1, 'virtualAccount.suspended'],
    ['one', 2, 'virtualAccount.resumed'],
  ]);
  expect(after).toEqual({ layout: 1, numbers });
  expect(await log.readOn(after)).toEqual({ place: after, segments: [], heads: [], isFull: false });
});

test.each([0, 1, 42, 9_007_199_254_740])('a cursor of position %d reads back', (position) => {
  expect(log.parseCursor(log.printCursor(position))).toBe(position);
});

test('a cursor of another installation, environment or making is refused', () => {
  const config = { EVENT_REPLAY_DAYS: 30, CURSOR_KEY: randomBytes(32).toString('base64') };
  const other = createEventLog({
    repository: {} as never,
    clock: world.clock,
    config: { ...config, environment: 'sandbox' },
  });
  const production = createEventLog({
    repository: {} as never,
    clock: world.clock,
    config: { ...config, environment: 'production' },
  });
  const ours = log.printCursor(7);
  const [position = '', mark = ''] = ours.split('.');
  const forged = [
    other.printCursor(7),
    production.printCursor(7),
    '',
    '7',
    position,
    `${position}.`,
    `.${mark}`,
    `${Buffer.from('8').toString('base64url')}.${mark}`,
    `${ours}.`,
    `${ours}A`,
    ours.toUpperCase(),
    `${Buffer.from('07').toString('base64url')}.${mark}`,
    'x'.repeat(10_000),
    '\u0000',
  ];
  for (const cursor of forged) {
    expect(() => log.parseCursor(cursor)).toThrow(
      expect.objectContaining({ code: 'invalidInput', details: { field: 'after' } }),
    );
  }
});

test('what is older than the replay limit lies below the floor', async () => {
  const owner = { merchantId: 'aging' };
  const happen = async (count: number) => {
    const before = await log.tailPosition(await slotOf('aging'));
    for (let index = 1; index <= count; index += 1) {
      await world.happen(owner);
      await settled(before + index, 'aging');
    }
  };
  await happen(5);
  expect(await log.replayFloor(owner, 0)).toBeNull();
  world.clock.advance(31 * 24 * 3_600_000);
  const floors = async () => Promise.all([0, 1, 4, 5].map((after) => log.replayFloor(owner, after)));
  expect(await floors()).toEqual([5, 5, 5, null]);
  await happen(4);
  expect(await floors()).toEqual([5, 5, 5, null]);
  expect(await log.replayFloor({ merchantId: 'nobody' }, 0)).toBeNull();
});
