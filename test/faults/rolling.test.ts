// Proof: processes are replaced one at a time under keep-alive load without one failed request, and the launcher stops under load with exit code 0.
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { partnerOf } from '../support/partner';
import { eventually } from '../support/stores';
import { startWorld } from '../support/world';
import { expectNone, proof } from './proof';

interface Load {
  /** Answers so far. */
  count(): number;
  failures: string[];
  stop(): Promise<void>;
}

/** Clients that each keep one connection open and use it again and again, as partners do. */
function startKeepAliveLoad(url: string, headers: Record<string, string>, { clients }: { clients: number }): Load {
  const failures: string[] = [];
  let answers = 0;
  let isStopping = false;
  const client = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isStopping) {
      const path =
        index % 2 === 0 ? '/.well-known/jwks.json' : '/virtual-accounts/00000000-0000-4000-8000-000000000000';
      const outcome = await statusOf(`${url}${path}`, { agent, headers }).catch((error: Error) => error.message);
      if (outcome === (index % 2 === 0 ? 200 : 404)) answers += 1;
      else if (!isStopping) failures.push(`${path}: ${outcome}`);
      await wait(5);
    }
    agent.destroy();
  };
  const running = Array.from({ length: clients }, (_, index) => client(index));
  return {
    count: () => answers,
    failures,
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}

function statusOf(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      incoming.on('error', reject);
      incoming.on('end', () => resolve(incoming.statusCode ?? 0)).resume();
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const sizes = { smoke: { rolls: 2, clients: 8 }, full: { rolls: 10, clients: 32 } };

proof('rolling', sizes, async ({ size, random }) => {
  const world = await startWorld({ topology: 'embedded' });
  let isStopped = false;
  try {
    const partner = await partnerOf(world, 'alpha');
    const load = startKeepAliveLoad(world.urls.rest, partner.headers(), { clients: size.clients });
    for (let roll = 0; roll < size.rolls; roll += 1) {
      const goal = load.count() + 100;
      await eventually(() => load.count() >= goal, { timeoutMs: 60_000 });
      const { role, pid } = world.kill(random.pick(['app-1', 'app-2']), 'SIGTERM');
      await world.replaced(role, pid);
      await eventually(() => !isAlive(pid), { timeoutMs: 30_000 });
    }
    const answers = load.count();
    expectNone('failed requests', load.failures);
    isStopped = true;
    const stopping = world.stop();
    const code = await stopping;
    await load.stop();
    expect(code).toBe(0);
    return { rolls: size.rolls, requests: answers, failed: 0, 'exit code under load': code ?? -1 };
  } finally {
    if (!isStopped) await world.stop();
  }
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
