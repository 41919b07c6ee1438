// The janitor: each task at its pace, in one process at a time, a failing one comes again.

import { createLaneRepository } from '../../subgraphs/notifications/events/lane.repository';
import { createLog } from '../../subgraphs/shared/log/log';
import { startJanitor, startLaneJanitor, startSharedJanitor } from '../../workers';
import { eventually, openStores, type Stores } from '../support/stores';

let offsetMs = 0;
const clock = { offsetMs: () => offsetMs };

let stores: Stores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

test('runs every task in one process only, and goes on after a failure', async () => {
  const ran: string[] = [];
  const log = createLog('silent', 'test');
  const start = (name: string) =>
    startJanitor({
      clock,
      connection: stores.connection,
      log,
      tasks: [
        {
          name: 'fails',
          everyMs: 100,
          run: async () => {
            ran.push(`${name}:fails`);
            throw new Error('as it does');
          },
        },
        { name: 'often', everyMs: 100, run: async () => void ran.push(`${name}:often`) },
        { name: 'rarely', everyMs: 60_000, run: async () => void ran.push(`${name}:rarely`) },
      ],
    });
  const one = start('one');
  await eventually(() => ran.length > 0);
  const two = start('two');
  await eventually(() => ran.filter((entry) => entry === 'one:often').length >= 3);
  expect(ran.filter((entry) => entry === 'one:fails').length).toBeGreaterThanOrEqual(2);
  expect(ran.filter((entry) => entry === 'one:rarely')).toHaveLength(1);
  expect(ran.filter((entry) => entry.startsWith('two'))).toHaveLength(0);

  await one.stop();
  const afterStop = ran.length;
  await eventually(() => ran.includes('two:rarely'));
  expect(ran.slice(afterStop).every((entry) => entry.startsWith('two'))).toBe(true);
  await two.stop();
});

test('a task comes again at once while there is something to do, and rests when there was nothing', async () => {
  let [left, runs] = [3, 0];
  const janitor = startJanitor({
    clock,
    connection: stores.connection,
    log: createLog('silent', 'test'),
    lease: 'janitor-idle',
    tasks: [
      {
        name: 'works off',
        everyMs: 0,
        idleMs: 600_000,
        run: async () => {
          runs += 1;
          return left === 0 ? 0 : left--;
        },
      },
    ],
  });
  await eventually(() => runs === 4);
  offsetMs += 1;
  left = 1;
  await eventually(() => runs === 6);
  await janitor.stop();
  expect([left, runs]).toEqual([0, 6]);
});

test('a clock that is moved makes every task due, also one that was under way then', async () => {
  const ran: string[] = [];
  let go: () => void = () => undefined;
  const janitor = startJanitor({
    clock,
    connection: stores.connection,
    log: createLog('silent', 'test'),
    lease: 'janitor-moved',
    tasks: [
      { name: 'rests', everyMs: 600_000, run: async () => void ran.push('rests') },
      {
        name: 'lasts',
        everyMs: 600_000,
        run: async () => {
          ran.push('lasts');
          await new Promise<void>((resolve) => {
            go = resolve;
          });
        },
      },
    ],
  });
  const count = (name: string) => ran.filter((each) => each === name).length;
  await eventually(() => count('rests') === 1 && count('lasts') === 1);
  offsetMs += 60_000;
  await eventually(() => count('rests') === 2);
  expect(count('lasts')).toBe(1);
  go();
  await eventually(() => count('lasts') === 2);
  go();
  await janitor.stop();
  expect(ran).toHaveLength(4);
});

test('a task that hangs holds back neither the others nor its own process', async () => {
  const log = createLog('silent', 'test');
  let [often, isStarted] = [0, false];
  const janitor = startJanitor({
    clock,
    connection: stores.connection,
    log,
    lease: 'janitor-hanging',
    tasks: [
      {
        name: 'hangs',
        everyMs: 100,
        run: async (stopping) => {
          isStarted = true;
          await new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve()));
        },
      },
      {
        name: 'often',
        everyMs: 100,
        run: async () => {
          often += 1;
        },
      },
    ],
  });
  await eventually(() => isStarted && often >= 3);
  await janitor.stop();
});

test('what processes take from each other by themselves is done in all of them', async () => {
  const ran: string[] = [];
  const start = (name: string) =>
    startSharedJanitor({
      clock,
      connection: stores.connection,
      log: createLog('silent', 'test'),
      name: 'shared',
      tasks: [{ name: 'often', everyMs: 10, run: async () => void ran.push(name) }],
    });
  const both = [start('one'), start('two')];
  await eventually(() => ['one', 'two'].every((name) => ran.filter((each) => each === name).length >= 3));
  await Promise.all(both.map((janitor) => janitor.stop()));
  expect(await stores.connection.collection('leases').countDocuments({ _id: /shared/ as never })).toBe(0);
});

test('lanes are shared by processes, each with one of them at a time, and those of one that ends go to the others', async () => {
  const lanes = createLaneRepository(stores.connection);
  await lanes.prepare(4);
  const ran: [process: string, lane: number][] = [];
  const start = (name: string) =>
    startLaneJanitor({
      clock,
      connection: stores.connection,
      log: createLog('silent', 'test'),
      kind: 'janitor-shared',
      lanes: lanes.present,
      tasks: [{ name: 'often', everyMs: 10, run: async (_stopping, { lane }) => void ran.push([name, lane]) }],
    });
  const of = (name: string, since = 0) =>
    [...new Set(ran.slice(since).flatMap(([process, lane]) => (process === name ? [lane] : [])))].sort();
  const one = start('one');
  await eventually(() => of('one').length === 4);
  const two = start('two');
  await eventually(() => of('two').length === 2);
  const since = ran.length;
  await eventually(() => of('one', since).length === 2 && of('two', since).length === 2);
  expect([...of('one', since), ...of('two', since)].sort()).toEqual([0, 1, 2, 3]);
  await one.stop();
  const after = ran.length;
  await eventually(() => of('two', after).length === 4);
  expect(of('one', after)).toEqual([]);
  await two.stop();
});

test('a lane whose lease cannot be asked about is led anew when its tasks have ended', async () => {
  const lanes = createLaneRepository(stores.connection);
  const lanesOf = async () => (await lanes.present()).slice(0, 1);
  const leases = Object.getPrototypeOf(stores.connection.getClient().db().collection('leases'));
  const renewed = jest.spyOn(leases, 'updateOne');
  const seen: string[] = [];
  const members = stores.connection.collection<{ _id: string; members: Record<string, Date> }>('leases');
  /** Until when the one process is counted on, put off whenever it looks for lanes; in milliseconds. */
  const lookedAt = async () => {
    const found = await members.findOne({ _id: 'janitor-unasked-members' });
    return Math.max(...Object.values(found?.members ?? {}).map(Number));
  };
  const janitor = startLaneJanitor({
    clock,
    connection: stores.connection,
    log: createLog('silent', 'test'),
    kind: 'janitor-unasked',
    lanes: lanesOf,
    tasks: [
      {
        name: 'holds on',
        everyMs: 10,
        run: async (stopping) => {
          seen.push('begun');
          const isFirst = seen.length === 1;
          // The next renewal fails, while this is under way.
          if (isFirst) renewed.mockRejectedValueOnce(new Error('the database is away'));
          await new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve()));
          const looked = await lookedAt();
          // Lanes are looked for once more before it ends.
          if (isFirst) await eventually(async () => (await lookedAt()) > looked);
          seen.push('ended');
        },
      },
    ],
  });
  await eventually(() => seen.length >= 3, { timeoutMs: 60_000 }).finally(() => {
    renewed.mockRestore();
    return janitor.stop();
  });
  expect(seen).toEqual(['begun', 'ended', 'begun', 'ended']);
});
