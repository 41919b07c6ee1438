// `pay audit verify` against a running installation: it holds while the program writes, survives kills, and says in words what somebody did to the database.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import { auditPublicKey } from '../../subgraphs/access';
import { built } from '../support/built';
import { graph, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { startWorld, type World } from '../support/world';

const _root = resolve(__dirname, '../..');
let world: World;
let client: MongoClient;

beforeAll(async () => {
  world = await startWorld({ databases: 'own', env: { PROCESSES: '2' } });
  const { port } = world.process('mongod');
  client = await MongoClient.connect(`mongodb://127.0.0.1:${port}/payments?directConnection=true`);
});
afterAll(async () => {
  await client?.close();
  await world?.stop();
});

const records = () => client.db().collection<Document & { _id: string }>('audit');
const own = { MONGODB_URI: '', REDIS_URL: '' };

function verify(args: string[] = [], env: Record<string, string> = own) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [built('cli.js'), 'audit', 'verify', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: world.dataDir, ...env },
  });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

async function makeClients(count: number): Promise<void> {
  const document = 'mutation M($input: CreateClientInput!) { createClient(input: $input) { client { clientId } } }';
  for (let made = 0; made < count; made += 1)
    await graph(world, document, { input: { family: 'GRAPH', label: `number ${made}` } });
}

test('holds, in words and with exit code 0, and prints the end to be noted', async () => {
  await makeClients(5);
  const { status, stdout } = verify();
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^The audit holds: \d+ records, 0 signed days\. .*: \d+:[\w-]{43}$/),
  ]);
  const [end = ''] = /\d+:[\w-]{43}$/.exec(stdout) ?? [];
  await makeClients(1);
  expect(verify(['--expect', end]).status).toBe(0);
});

test('holds after every process of the program was killed, one after the other, under writes', async () => {
  const roles = world.processes().filter(({ role }) => !/launcher|mongod|redis/.test(role));
  const workers = roles.filter(({ role }) => /^app|worker-journal|subgraph-access/.test(role));
  for (const { role, pid } of workers) {
    await makeClients(2);
    world.kill(role);
    await world.replaced(role, pid);
  }
  await eventually(() => makeClients(1).then(() => true));
  expect(verify(['--wait', '30'])).toMatchObject({ status: 0 });
});

test('holds over days of the one clock, each with its head, by the public key alone as in production', async () => {
  await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 2 * 24 * 60 * 60 * 1_000 });
  const kept = JSON.parse(readFileSync(join(world.dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
  const { port } = world.process('mongod');
  const given = {
    MONGODB_URI: `mongodb://127.0.0.1:${port}/payments?replicaSet=rs0`,
    AUDIT_PUBLIC_KEYS: auditPublicKey(kept['AUDIT_KEY'] ?? ''),
    DATA_DIR: join(world.dataDir, 'elsewhere'),
  };
  const run = verify(['--wait', '30'], given);
  expect([run.status, run.stdout]).toEqual([0, expect.stringMatching(/ records, 2 signed days\./)]);
  expect(verify([], { ...given, AUDIT_PUBLIC_KEYS: '' })).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^No key is known to verify with: set AUDIT_PUBLIC_KEYS/),
  });
});

test('names the record that somebody altered, with exit code 1', async () => {
  const altered = await records().findOne({ action: 'client.created' });
  await records().updateOne({ _id: altered?._id ?? '' }, { $set: { actor: 'somebody-else' } });
  const { status, stdout } = verify(['--wait', '30']);
  expect([status, stdout]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(`^The audit does not hold: record ${altered?._id} \\(entry \\d+\\) was altered\\.$`),
    ),
  ]);
});
