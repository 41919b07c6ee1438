// A Redis Cluster of three processes on this machine, for the time of a test: each has a third of the slots.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from '../support/free-ports';
import { eventually } from '../support/stores';

const slotCount = 16_384;
const nodeCount = 3;
const triesMax = 8;

export interface TestCluster {
  url: string;
  /** The nodes that hold keys now. */
  nodesWithKeys(): Promise<number>;
  close(): Promise<void>;
}

/** The redis-server that the run's own databases are of. */
async function redisServer(): Promise<string> {
  const redis = new Redis(String(process.env['REDIS_URL']));
  const info = await redis.info('server');
  redis.disconnect();
  const path = /^executable:(.*)$/m.exec(info)?.[1]?.trim() ?? '';
  return existsSync(path) ? path : 'redis-server';
}

export async function startCluster(): Promise<TestCluster> {
  const binary = await redisServer();
  const folder = mkdtempSync(join(tmpdir(), 'redis-cluster-'));
  const { ports, children, nodes } = await startNodes(binary, folder);
  for (const [index, node] of nodes.entries()) {
    const first = Math.ceil((index * slotCount) / nodeCount);
    const last = Math.ceil(((index + 1) * slotCount) / nodeCount) - 1;
    await node.cluster('ADDSLOTSRANGE' as 'ADDSLOTS', first, last).catch(async () => {
      const slots = Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
      await node.cluster('ADDSLOTS', ...(slots as [number, ...number[]]));
    });
    await node.call('CLUSTER', 'MEET', '127.0.0.1', String(ports[0]));
  }
  const isWhole = async (node: Redis) => String(await node.cluster('INFO')).includes('cluster_state:ok');
  await eventually(async () => (await Promise.all(nodes.map(isWhole))).every(Boolean), { timeoutMs: 60_000 });
  await eventually(async () => {
    const known = await Promise.all(
      nodes.map(async (node) =>
        String(await node.cluster('NODES'))
          .trim()
          .split('\n'),
      ),
    );
    return known.every((lines) => lines.length === nodeCount);
  });
  return {
    url: `redis+cluster://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
    nodesWithKeys: async () =>
      (await Promise.all(nodes.map((node) => node.dbsize()))).filter((size) => size > 0).length,
    async close() {
      for (const node of nodes) node.disconnect();
      await Promise.all(children.map(ended));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Nodes {
  ports: number[];
  children: ChildProcess[];
  nodes: Redis[];
}

/** Their buses have ports of their own, 10,000 higher, which any connection of this machine may have just now: such a node ends at once, and other ports are taken. */
async function startNodes(binary: string, folder: string, tried: readonly number[] = []): Promise<Nodes> {
  const ports = await freePorts(nodeCount, tried);
  const children = ports.map((port) => startNode(binary, join(folder, `${port}.conf`), port));
  const nodes = ports.map((port) => new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null }));
  for (const node of nodes) node.on('error', () => undefined);
  const areUp = await Promise.all(
    nodes.map((node, index) => Promise.race([node.ping().then(() => true), exitOf(children[index]).then(() => false)])),
  );
  if (areUp.every(Boolean)) return { ports, children, nodes };
  for (const node of nodes) node.disconnect();
  await Promise.all(children.map(ended));
  const triedNow = [...tried, ...ports];
  if (triedNow.length >= triesMax * nodeCount) throw new Error(`no cluster on ports ${triedNow}`);
  return startNodes(binary, folder, triedNow);
}

function startNode(binary: string, nodesFile: string, port: number): ChildProcess {
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--cluster-enabled',
    'yes',
    '--save',
    '',
    '--dir',
    tmpdir(),
  ];
  return spawn(binary, [...args, '--cluster-config-file', nodesFile, '--cluster-node-timeout', '15000'], {
    stdio: 'ignore',
  });
}

function exitOf(child: ChildProcess | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
  });
}

function ended(child: ChildProcess): Promise<void> {
  const exit = exitOf(child);
  child.kill('SIGKILL');
  return exit;
}
