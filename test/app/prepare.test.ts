// The preparation of the data on a database that takes its time: an index of a large collection is made for hours, and nobody may hang up on it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { familyVariables } from '../../app/keyring';
import { built } from '../support/built';
import { openStores, type Stores } from '../support/stores';

/** Longer than any other process waits for an answer. */
const heldMs = 17_000;

let stores: Stores;
let dataDir: string;
let door: Server;
let held = 0;

beforeAll(async () => {
  stores = await openStores();
  dataDir = mkdtempSync(join(tmpdir(), 'prepare-'));
  door = await slowDoor(stores.mongoUri);
});
afterAll(async () => {
  door?.close();
  await stores?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A way to the database by which the answer to the making of the operations' indexes comes late. */
async function slowDoor(mongoUri: string): Promise<Server> {
  const { hostname, port } = new URL(mongoUri);
  const server = createServer((socket) => {
    const inner = connect(Number(port), hostname);
    socket.on('data', (asked) => {
      if (asked.includes('createIndexes') && asked.includes('operations\0')) {
        held += 1;
        inner.pause();
        setTimeout(() => inner.resume(), heldMs);
      }
      inner.write(asked);
    });
    inner.pipe(socket);
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const)
      one.on('error', () => one.destroy()).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function throughDoor(): string {
  const uri = new URL(stores.mongoUri);
  uri.port = String((door.address() as AddressInfo).port);
  uri.searchParams.delete('replicaSet');
  uri.searchParams.set('directConnection', 'true');
  return uri.href;
}

/** Resolves with the exit code and what was said. */
function prepare(): Promise<string> {
  const keys = [...familyVariables.map(({ current }) => current), 'CURSOR_KEY', 'AUDIT_KEY', 'SANDBOX_SEED'];
  const child = spawn(process.execPath, [built('process.js')], {
    env: {
      ...process.env,
      ...Object.fromEntries(keys.map((name) => [name, randomBytes(32).toString('base64')])),
      ROLES: 'prepare',
      ROLE_NAME: 'prepare',
      MONGODB_URI: throughDoor(),
      REDIS_URL: stores.redisUrl,
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const hear = (text: Buffer) => {
    said += text;
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  return new Promise((resolve) => child.once('close', (code) => resolve(`${code} ${said}`)));
}

test('waits for an index as long as it takes', async () => {
  expect(await prepare()).toBe('0 ');
  expect(held).toBe(1);
  expect((await stores.connection.collection('operations').indexes()).length).toBeGreaterThan(5);
});
