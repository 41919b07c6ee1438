// The preparation of the data: on a database that takes its time, for an index of a large collection is made for hours, and over the data of a former release.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, type CollectionInfo, type Document } from 'mongodb';
import { familyVariables } from '../../app/keyring';
import { built } from '../support/built';
import { openStores, type Stores } from '../support/stores';

/** What that release left behind after all of its journeys: one document of each shape in each collection, and the key of that sandbox. */
const former = () =>
  readFileSync(join(__dirname, 'release-0.3.0.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => BSON.EJSON.parse(line, { relaxed: false }) as { collection: string; document: Document });
const formerVaultKey = '9ZlJnH5nVi/nA/o2pwZXmeAsuxnkaiUCxcGBd4SmwII=';

const keyNames = [...familyVariables.map(({ current }) => current), 'CURSOR_KEY', 'AUDIT_KEY', 'SANDBOX_SEED'];
const keys = Object.fromEntries(keyNames.map((name) => [name, randomBytes(32).toString('base64')]));

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
function prepare(env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [built('process.js')], {
    env: {
      ...process.env,
      ...keys,
      ROLES: 'prepare',
      ROLE_NAME: 'prepare',
      MONGODB_URI: stores.mongoUri,
      REDIS_URL: stores.redisUrl,
      DATA_DIR: dataDir,
      ...env,
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

describe('over the data of 0.3.0', () => {
  beforeAll(async () => {
    for (const { collection, document } of former())
      await stores.connection.collection(collection).insertOne(document, { bypassDocumentValidation: true });
  });

  test('comes to its end, also a second time', async () => {
    expect(await prepare({ VAULT_KEY: formerVaultKey })).toMatch(/^0 /);
    expect(await prepare({ VAULT_KEY: formerVaultKey })).toMatch(/^0 /);
  });

  test('every document fits what the database lets be written, or its next change would be refused', async () => {
    const database = stores.connection.getClient().db(stores.databaseName);
    const collections = await database.listCollections().toArray();
    const misfits = await Promise.all(
      collections.map(async ({ name, options }: CollectionInfo) => {
        const found = options?.validator && (await database.collection(name).findOne({ $nor: [options.validator] }));
        return found ? [`${name}: ${JSON.stringify(found)}`] : [];
      }),
    );
    expect(misfits.flat()).toEqual([]);
    const held = new Set(former().map(({ collection }) => collection));
    expect(collections.filter(({ name }) => held.has(name)).length).toBe(held.size);
  });
});

test('waits for an index as long as it takes', async () => {
  expect(await prepare({ MONGODB_URI: throughDoor() })).toMatch(/^0 /);
  expect(held).toBe(1);
});
