// Proof: every process of the application is replaced under keep-alive load without one failed request, and the launcher stops under load in order.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MongoClient } from 'mongodb';
import { eventually, openStores } from '../support/stores';
import type { Topology, World } from '../support/world';
import { startBareWrites } from './bare-writes';
import { pointCallbacks } from './callback-targets';
import { type Follower, followTokens, openDeaf } from './follower';
import { Judge } from './keep-alive';
import { expectNone, type Figures, namedProof, type ProofRun, proof, timeLimitMs } from './proof';
import { openReceiver } from './receivers';
import { checkBooks, checkFollowers, checkLeft, type Receivers, restart, tokenEventsOf } from './rolling-audit';
import { type Load, startLoad } from './rolling-load';
import { withWorld } from './with-world';

const exitMsMax = 20_000;
/** Answers between two restarts: each hits a program at work. */
const answersBetween = 100;
/** Enough for one on each process: it holds up the end of the others' sockets, which come back in that time. */
const deafPerRestart = 3;

interface Rolled {
  role: string;
  pid: number;
  exitMs: number;
}

/** Every process of the application: the launcher brings a successor before one drains, so that also those of the split shape that run once can be replaced. */
function replaceable(world: World): string[] {
  return world.processes().flatMap(({ role }) => (role === 'launcher' ? [] : [role]));
}

async function loaded(judge: Judge): Promise<void> {
  const goal = judge.answers + answersBetween;
  await eventually(() => judge.answers >= goal, { timeoutMs: 120_000 });
}

/** SIGTERM to one process, and how long it took to be gone; its successor has its name by then. */
async function roll(world: World, role: string): Promise<Rolled> {
  const { pid } = world.kill(role, 'SIGTERM');
  const startedMs = performance.now();
  await eventually(() => !isAlive(pid), { timeoutMs: 120_000 });
  const exitMs = Math.round(performance.now() - startedMs);
  await world.replaced(role, pid);
  await drained(world, [{ role, pid }]);
  return { role, pid, exitMs };
}

/** One after the other, each while the load gets on and some dashboards hang. */
async function rollAll(world: World, judge: Judge, roles: readonly string[]): Promise<Rolled[]> {
  const rolled: Rolled[] = [];
  const endDeaf: (() => void)[] = [];
  try {
    for (const role of roles) {
      await loaded(judge);
      for (let count = 0; count < deafPerRestart; count += 1) endDeaf.push(await openDeaf(world));
      rolled.push(await roll(world, role));
    }
    await loaded(judge);
    return rolled;
  } finally {
    for (const end of endDeaf) end();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until each of these processes, which are gone, has said that its drain came to its end: one that was cut or failed does not. */
async function drained(world: World, gone: readonly Pick<Rolled, 'role' | 'pid'>[]): Promise<void> {
  const isDrained = ({ role, pid }: Pick<Rolled, 'role' | 'pid'>) =>
    world
      .log(role)
      .split('\n')
      .some((line) => line.includes('"msg":"stopped"') && JSON.parse(line).pid === pid);
  const left = () => gone.filter((each) => !isDrained(each));
  await eventually(() => left().length === 0, { timeoutMs: 10_000 }).catch(() => undefined);
  expectNone('processes that did not come to the end of their drain', left());
}

/** SIGTERM to the launcher under load: what its clients, its dashboards and its processes came to. */
async function stopUnderLoad(world: World, judge: Judge, followers: readonly Follower[]) {
  const serving = world.processes().filter(({ role }) => role !== 'launcher');
  await loaded(judge);
  for (const follower of followers) follower.leave();
  judge.isClosing = true;
  const before = judge.answers;
  const code = await world.stop();
  await drained(world, serving);
  for (const { closes } of followers) expect(closes.at(-1)).toBe(restart);
  return { code, answered: judge.answers - before };
}

type Context = ProofRun<{ rolls: number; clients: number; followers: number }>;

async function prove(
  world: World,
  client: MongoClient,
  receivers: Receivers,
  { size, random }: Context,
): Promise<Figures> {
  await pointCallbacks(world, { alpha: receivers.alpha.url, beta: receivers.beta.url });
  const { merchantId } = world.credentials.tenants.alpha;
  const bareWrites = startBareWrites(client);
  const judge = new Judge(bareWrites.wereSlow);
  const roles = replaceable(world);
  const followers = await Promise.all(Array.from({ length: size.followers }, () => followTokens(world, merchantId)));
  const loads: Load[] = [];
  const start = async (name: string) => {
    const options = {
      random: random.branch(name),
      clients: size.clients,
      notificationUrl: `${receivers.shop.url}/shop`,
    };
    const load = await startLoad(world, { ...options, judge });
    loads.push(load);
    return load;
  };
  try {
    const rolling = await start('rolling');
    const rounds = Array.from({ length: size.rolls }, () => random.shuffled(roles)).flat();
    const rolled = await rollAll(world, judge, rounds);
    await rolling.stop();
    const requests = judge.answers;
    expectNone('failed requests', judge.verdict());
    expectNone(
      'processes that took too long to end',
      rolled.filter(({ exitMs }) => exitMs > timeLimitMs(exitMsMax)),
    );
    const books = await checkBooks(world, client, rolling, receivers);
    await checkFollowers(followers, await tokenEventsOf(client, merchantId), size.rolls);

    const stopping = await start('stopping');
    const { code, answered } = await stopUnderLoad(world, judge, followers);
    await stopping.stop();
    expectNone('failed requests', judge.verdict());
    const events = await tokenEventsOf(client, merchantId);
    for (const { seen } of followers) expect(seen).toEqual(events.slice(0, seen.length));
    await checkLeft(client, loads);
    expect(code).toBe(0);
    return {
      topology: world.topology,
      processes: roles.length,
      restarts: rolled.length,
      requests,
      failed: 0,
      ...books,
      'longest exit ms': Math.max(...rolled.map(({ exitMs }) => exitMs)),
      followers: size.followers,
      'followers came back': followers.reduce((sum, { returns }) => sum + returns(), 0),
      'double or missing': 0,
      'answered while stopping': answered,
      'turned away after the stop': judge.turnedAway,
      'idle races': judge.idleRaces,
      'held up': judge.heldUp,
      'exit code under load': code ?? -1,
    };
  } finally {
    await Promise.all(followers.map((follower) => follower.stop()));
    await Promise.all(loads.map((load) => load.stop()));
    await bareWrites.stop();
  }
}

async function run(topology: Topology, context: Context): Promise<Figures> {
  // Databases that outlive the program, and its logs: what was taken before its end is looked at after it.
  const stores = await openStores();
  const [alpha, beta, shop] = [await openReceiver(), await openReceiver(), await openReceiver()];
  const dataDir = mkdtempSync(join(tmpdir(), 'rolling-'));
  const env = { DATA_DIR: dataDir, MONGODB_URI: stores.mongoUri, REDIS_URL: stores.redisUrl };
  const client = stores.connection.getClient();
  try {
    return await withWorld({ topology, env }, (world) => prove(world, client, { alpha, beta, shop }, context));
  } finally {
    await Promise.all([alpha, beta, shop].map((receiver) => receiver.close()));
    await stores.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const sizes = { smoke: { rolls: 1, clients: 4, followers: 6 }, full: { rolls: 10, clients: 16, followers: 10 } };

proof('rolling', sizes, (context) => run('embedded', context));
// By name alone: a start and a restart of all its processes are too long for every test run.
namedProof('rolling-split', sizes, (context) => run('split', context));
