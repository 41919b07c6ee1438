// A connection that the launcher takes while an application process dies is answered by another process or closed; none stays open with nobody to answer it.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeUntakenConnections } from '../../app/launcher/handed-over';
import { eventually } from '../support/stores';

/** Listens at two addresses and greets whoever comes; told to, it takes nothing more, and a byte later its channel ends while it lives on. */
const program = `
const { createServer } = require('node:net');
const { closeSync, readSync } = require('node:fs');
const channel = Number(process.argv[2]);
const open = () => new Promise((resolve) => {
  const server = createServer((socket) => { socket.on('error', () => {}); socket.end('hello'); });
  server.listen(0, '127.0.0.1', () => resolve(server.address().port));
});
open().then(async (first) => process.send([first, await open()]));
process.on('message', () => {
  process.stdout.write('standing', () => {
    readSync(0, Buffer.alloc(1));
    closeSync(channel);
    readSync(0, Buffer.alloc(1));
  });
});
process.on('disconnect', () => process.exit());
`;

const folder = mkdtempSync(join(tmpdir(), 'handed-over-'));
const workers: Worker[] = [];

async function start(): Promise<{ worker: Worker; ports: [number, number] }> {
  const worker = cluster.fork();
  workers.push(worker);
  closeUntakenConnections(worker.process);
  const [ports] = await once(worker, 'message');
  return { worker, ports };
}

beforeAll(() => {
  const exec = join(folder, 'program.js');
  writeFileSync(exec, program);
  // Behind stdin, stdout and stderr comes the channel.
  cluster.setupPrimary({ exec, args: ['3'], execArgv: [], silent: true });
});

afterAll(async () => {
  await Promise.all(
    workers.map(async ({ process: child }) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }),
  );
  rmSync(folder, { recursive: true, force: true });
});

/** Resolves when the other side ended the connection, with what it said before. */
function talk(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    heard += String(chunk);
  });
  return new Promise((resolve) => socket.once('close', () => resolve(heard)));
}

test('a process whose channel ended with a connection on its way is given no other; that one is closed', async () => {
  const [dying, other] = [await start(), await start()];
  const [first, second] = dying.ports;
  expect(other.ports).toEqual(dying.ports);
  const child = dying.worker.process;
  const standing = child.stdout && once(child.stdout, 'data');
  dying.worker.send('stand');
  await standing;
  // One of each pair is for either process.
  const onItsWay = Promise.all([talk(first), talk(first)]);
  expect(await talk(first)).toBe('hello');
  child.stdin?.write('.');
  await eventually(() => !child.connected);
  expect(await Promise.all([talk(second), talk(second)])).toEqual(['hello', 'hello']);
  child.kill('SIGKILL');
  expect((await onItsWay).sort()).toEqual(['', 'hello']);
});
