// Proof: hostile requests against ordinary ones of the same kind, in the same run: none costs the program many times more, none fails it, and whoever asks
// meanwhile whether it lives is answered at once.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { send } from '../support/client';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { openWays, type Shot, type Way } from './floods';
import { expectNone, type Figures, proof, quantile } from './proof';
import { withWorld } from './with-world';

const costRatioMax = 4;
const healthMsMax = 250;
const memoryRatioMax = 1.1;
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

interface Cost {
  cpuMs: number;
  statuses: Set<number>;
}

/** CPU per request in milliseconds, without what the processes use anyhow, and what was answered. */
async function costOf(shot: Shot, count: number, pids: readonly number[], idleMsPerSecond: number): Promise<Cost> {
  const statuses = new Set<number>();
  const [beforeMs, startedMs] = [cpuMsOf(pids), performance.now()];
  let left = count;
  const shoot = async () => {
    while (left-- > 0) statuses.add(await shot());
  };
  await Promise.all(Array.from({ length: atOnce }, shoot));
  const idleMs = (idleMsPerSecond * (performance.now() - startedMs)) / 1_000;
  return { cpuMs: Math.max(0, cpuMsOf(pids) - beforeMs - idleMs) / count, statuses };
}

/** Asks the process whether it lives, one call after the other; returns the waits in milliseconds. */
function watchHealth(world: World): () => Promise<number[]> {
  const waits: number[] = [];
  let isWatching = true;
  const watching = (async () => {
    while (isWatching) {
      const startedMs = performance.now();
      const { status } = await send(world.urls.rest, { method: 'GET', path: '/healthz' });
      waits.push(status === 200 ? performance.now() - startedMs : Number.POSITIVE_INFINITY);
      await wait(20);
    }
  })();
  return async () => {
    isWatching = false;
    await watching;
    return waits;
  };
}

/** Connections that never say what they want, at every address that payers and partners know; closed by us at the end, unless the program does it before. */
async function openSilentSockets(world: World, count: number): Promise<Socket[]> {
  const { rest, auth, pay, graph } = world.urls;
  const ports = [rest, auth, pay, graph].map((url) => Number(new URL(url).port));
  const beginnings = [
    '',
    'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ',
    'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{',
  ];
  const sockets = Array.from({ length: count }, (_, at) => {
    const socket = connect(ports[at % ports.length] ?? 0, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(beginnings[at % beginnings.length] ?? '');
    return socket;
  });
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  return sockets;
}

interface Judged {
  dearest: { what: string; ratio: number };
  faults: string[];
}

async function judge(ways: readonly Way[], count: number, pids: readonly number[], idle: number): Promise<Judged> {
  const judged: Judged = { dearest: { what: '', ratio: 0 }, faults: [] };
  for (const { name, ordinary, hostile } of ways) {
    const usual = await costOf(ordinary, count, pids, idle);
    if ([...usual.statuses].some((status) => status >= 300 && status !== 422))
      judged.faults.push(`${name}: an ordinary one was answered ${[...usual.statuses].join()}`);
    for (const [what, shot] of hostile) {
      const { cpuMs, statuses } = await costOf(shot, count, pids, idle);
      const ratio = cpuMs / Math.max(usual.cpuMs, 0.5);
      const shown = `${name}, ${what}: ${cpuMs.toFixed(1)} ms of CPU, ${ratio.toFixed(1)} times an ordinary one, answered ${[...statuses].join()}`;
      if (ratio > judged.dearest.ratio) judged.dearest = { what: `${name}, ${what}`, ratio };
      const isCostly = process.env['PROOF_SIZE'] !== undefined && ratio > costRatioMax;
      if (isCostly || [...statuses].some((status) => status >= 500)) judged.faults.push(shown);
    }
  }
  return judged;
}

/** A first round of everything before anything is measured: code is compiled and caches are full as they will be. */
async function warmUp(ways: readonly Way[], count: number): Promise<void> {
  for (const { ordinary, hostile } of ways)
    for (const shot of [ordinary, ...hostile.map(([, each]) => each)])
      for (let done = 0; done < count; done += 1) await shot();
}

proof('floods', { smoke: { requests: 3, sockets: 40 }, full: { requests: 100, sockets: 800 } }, ({ size, isSmoke }) =>
  withWorld({ topology: 'embedded', env: { RATE_LIMIT_FACTOR: '10000' } }, async (world): Promise<Figures> => {
    const { ways, close } = await openWays(world);
    const pids = pidsOf(world);
    await warmUp(ways, isSmoke ? 1 : 30);
    const heldBytes = residentBytesOf(pids);
    const idle = await idleCostOf(pids);
    const stopWatching = watchHealth(world);
    const sockets = await openSilentSockets(world, size.sockets);
    const { dearest, faults } = await judge(ways, size.requests, pids, idle);
    const waits = await stopWatching();
    for (const socket of sockets) socket.destroy();
    close();
    expectNone('hostile requests that cost too much', faults);
    const healthMs = quantile(waits, 0.99);
    const mb = (bytes: number) => Math.round(bytes / 1e6);
    if (!isSmoke) {
      expect({ healthMs, isSoon: healthMs < healthMsMax }).toEqual({ healthMs, isSoon: true });
      await eventually(() => residentBytesOf(pids) <= heldBytes * memoryRatioMax, { timeoutMs: 120_000 });
    }
    expect((await send(world.urls.rest, { method: 'GET', path: '/readyz' })).status).toBe(200);
    return {
      ...{ ways: ways.length, 'hostile kinds': ways.flatMap(({ hostile }) => hostile).length, sockets: size.sockets },
      ...{
        'dearest of all': dearest.what,
        'times an ordinary one': dearest.ratio.toFixed(1),
        '/healthz p99 ms': healthMs,
      },
      ...{ 'memory before MB': mb(heldBytes), 'memory after MB': mb(residentBytesOf(pids)) },
    };
  }),
);
