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

const settled = (count: number) => eventually(async () => (await log.tailPosition()) === count);

test('reads by position, merchant, aggregate and limit', async () => {
  await world.happen({ merchantId: 'one' });
  await settled(1);
  await world.happen({ merchantId: 'two' });
  await settled(2);
  await world.happen({ merchantId: 'one', type: 'virtualAccount.resumed' });
  await settled(3);
  const positions = async (range: Parameters<EventLog['readEvents']>[0]) =>
    (await log.readEvents(range)).map(({ position }) => position);
  expect(await positions({ afterPosition: 0, limit: 10 })).toEqual([1, 2, 3]);
  expect(await positions({ afterPosition: 1, limit: 10 })).toEqual([2, 3]);
  expect(await positions({ afterPosition: 0, upTo: 2, limit: 10 })).toEqual([1, 2]);
  expect(await positions({ afterPosition: 0, limit: 1 })).toEqual([1]);
  expect(await positions({ afterPosition: 0, merchantId: 'one', limit: 10 })).toEqual([1, 3]);
  expect(await positions({ afterPosition: 0, aggregateType: 'callbackEndpoint', limit: 10 })).toEqual([]);
  expect(await positions({ afterPosition: 3, limit: 10 })).toEqual([]);
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
  const before = await log.tailPosition();
  expect(await log.replayFloor()).toBe(0);
  world.clock.advance(31 * 24 * 3_600_000);
  expect(await log.replayFloor()).toBe(before);
  await world.happen({});
  await settled(before + 1);
  expect(await log.replayFloor()).toBe(before);
});
