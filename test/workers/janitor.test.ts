// The janitor: each task at its pace, in one process at a time, a failing one comes again.
import { createLog } from '../../subgraphs/shared/log/log';
import { startJanitor } from '../../workers';
import { eventually, openStores, type Stores } from '../support/stores';

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

test('a task that hangs holds back neither the others nor its own process', async () => {
  const log = createLog('silent', 'test');
  let [often, isStarted] = [0, false];
  const janitor = startJanitor({
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
