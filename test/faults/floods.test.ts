// Proof: hostile requests against ordinary ones of the same kind, in the same run: none costs the program many times more, none fails it, and whoever asks
// meanwhile whether it lives is answered at once.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { send } from '../support/client';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { type Kind, openWays, type Way } from './floods';
import { expectNone, type Figures, proof, quantile } from './proof';
import { withWorld } from './with-world';

const costRatioMax = 4;
const healthMsMax = 250;
const memoryRatioMax = 1.1;
/** Only then the machine is the proof's own, and costs are judged. */
const isByName = process.env['PROOF_SIZE'] !== undefined;
/** Calls at the same time. */
const atOnce = 4;
/** Of the kernel's counters of a process. */
const ticksPerSecond = 100;
const pageBytes = 4_096;

/** The processes of the application: what a flood is to cost little. */
const pidsOf = (world: World) =>
  world
    .processes()
    .filter(({ role }) => role !== 'mongod' && role !== 'redis-server')
    .map(({ pid }) => pid);

/** CPU that these processes have used so far, in milliseconds (proc(5): utime and stime). */
function cpuMsOf(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return (ticks.reduce((sum, each) => sum + each, 0) * 1_000) / ticksPerSecond;
}

/** Memory that these processes hold, in bytes (proc(5): resident pages). */
function residentBytesOf(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) => sum + Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes,
    0,
  );
}

/** What a second of doing nothing costs, in milliseconds of CPU. */
async function idleCostOf(pids: readonly number[]): Promise<number> {
  const [beforeMs, startedMs] = [cpuMsOf(pids), performance.now()];
  await wait(3_000);
  return (cpuMsOf(pids) - beforeMs) / ((performance.now() - startedMs) / 1_000);
}

/** Throws unless the answer is the one that the kind is known by. */
async function shoot([what, shot, status, words]: Kind): Promise<void> {
  const answer = await shot();
  // Among all other tests a busy machine may ask anybody to come again.
  if (!isByName && answer.status === 503) return;
  const isExpected = answer.status === status || (status === 400 && answer.status === 413);
  if (!isExpected || !(words ?? /^/).test(answer.text))
    throw new Error(`${what} was answered ${answer.status} ${answer.text.slice(0, 300)}`);
}

/** CPU per request in milliseconds, without what the processes use anyhow. */
async function costOf(kind: Kind, count: number, pids: readonly number[], idleMsPerSecond: number): Promise<number> {
  const [beforeMs, startedMs] = [cpuMsOf(pids), performance.now()];
  let left = count;
  const one = async () => {
    while (left-- > 0) await shoot(kind);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const idleMs = (idleMsPerSecond * (performance.now() - startedMs)) / 1_000;
  return Math.max(0, cpuMsOf(pids) - beforeMs - idleMs) / count;
}

/** Asks every 50 ms, whatever became of the question before, whether REST and graph live; returns the waits in milliseconds. */
function watchHealth(world: World): () => Promise<number[]> {
  const waits: Promise<number>[] = [];
  const ask = async (url: string) => {
    const startedMs = performance.now();
    const { status } = await send(url, { method: 'GET', path: '/healthz' });
    return status === 200 ? performance.now() - startedMs : Number.POSITIVE_INFINITY;
  };
  const asking = setInterval(() => waits.push(ask(world.urls.rest), ask(world.urls.graph)), 50);
  return () => {
    clearInterval(asking);
    return Promise.all(waits);
  };
}

const beginnings = [
  '',
  'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{',
  'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
];

/** Keeps so many connections open that never say what they want, at every address that payers and partners know: one that is closed is opened anew. */
function keepSilentSockets(world: World, count: number): () => void {
  const { rest, auth, pay, graph } = world.urls;
  const ports = [rest, auth, pay, graph].map((url) => Number(new URL(url).port));
  const sockets = new Map<number, Socket>();
  let isOver = false;
  const open = (at: number) => {
    const socket = connect(ports[at % ports.length] ?? 0, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => {
      // Not at once: whoever is refused for being too many would only be refused again.
      if (!isOver) setTimeout(() => !isOver && open(at), 500);
    });
    socket.resume();
    socket.write(beginnings[Math.floor(at / ports.length) % beginnings.length] ?? '');
    sockets.set(at, socket);
  };
  for (let at = 0; at < count; at += 1) open(at);
  return () => {
    isOver = true;
    for (const socket of sockets.values()) socket.destroy();
  };
}

interface Judged {
  dearest: { what: string; ratio: number };
  faults: string[];
}

async function judge(ways: readonly Way[], count: number, pids: readonly number[], idle: number): Promise<Judged> {
  const judged: Judged = { dearest: { what: '', ratio: 0 }, faults: [] };
  for (const { name, ordinary, hostile } of ways) {
    const usualMs = Math.max(0.5, await costOf(ordinary, count, pids, idle));
    for (const kind of hostile) {
      const costMs = await costOf(kind, count, pids, idle);
      const [what, ratio] = [`${name}, ${kind[0]}`, costMs / usualMs];
      if (ratio > judged.dearest.ratio) judged.dearest = { what, ratio };
      if (isByName && ratio > costRatioMax)
        judged.faults.push(`${what}: ${costMs.toFixed(1)} ms of CPU, ${ratio.toFixed(1)} times an ordinary one`);
    }
  }
  return judged;
}

proof('floods', { smoke: { requests: 3, sockets: 40 }, full: { requests: 100, sockets: 800 } }, ({ size }) =>
  withWorld({ topology: 'embedded', env: { RATE_LIMIT_FACTOR: '10000' } }, async (world): Promise<Figures> => {
    const { ways, close } = await openWays(world);
    const pids = pidsOf(world);
    // Code is compiled and caches are filled by what is ordinary, and by one of each hostile kind.
    for (const { ordinary, hostile } of ways) {
      for (let done = 0; done < size.requests; done += 1) await shoot(ordinary);
      for (const kind of hostile) await shoot(kind);
    }
    const heldBytes = residentBytesOf(pids);
    const idle = await idleCostOf(pids);
    const stopWatching = watchHealth(world);
    const letGo = keepSilentSockets(world, size.sockets);
    const { dearest, faults } = await judge(ways, size.requests, pids, idle);
    const waits = await stopWatching();
    letGo();
    close();
    expectNone('hostile requests that cost too much', faults);
    const healthMs = quantile(waits, 0.99);
    const mb = (bytes: number) => Math.round(bytes / 1e6);
    if (isByName) {
      expect({ healthMs, isSoon: healthMs < healthMsMax }).toEqual({ healthMs, isSoon: true });
      await eventually(() => residentBytesOf(pids) <= heldBytes * memoryRatioMax, { timeoutMs: 120_000 });
    }
    expect((await send(world.urls.rest, { method: 'GET', path: '/readyz' })).status).toBe(200);
    return {
      ways: ways.length,
      'hostile kinds': ways.flatMap(({ hostile }) => hostile).length,
      sockets: size.sockets,
      'dearest of all': dearest.what,
      'times an ordinary one': dearest.ratio.toFixed(1),
      'asked for health': waits.length,
      '/healthz p99 ms': healthMs,
      'memory before MB': mb(heldBytes),
      'memory after MB': mb(residentBytesOf(pids)),
    };
  }),
);
