// The operator's commands against a running installation: each shows its effect to a caller.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { familyVariables } from '../../app/keyring';
import { built } from '../support/built';
import { bookEntry, reportsOf, settleDay, today } from '../support/reports';
import { startWorld, type World } from '../support/world';

const root = resolve(__dirname, '../..');
let dataDir: string;
let world: World;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'operator-'));
  world = await start();
});
afterAll(async () => {
  await world.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = (env: Record<string, string> = {}) =>
  startWorld({ databases: 'own', topology: 'embedded', env: { DATA_DIR: dataDir, PROCESSES: '1', ...env } });

function operator(args: string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [built('operator.js'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, MONGODB_URI: '', REDIS_URL: '', DATA_DIR: dataDir, ...env },
  });
}

async function withDatabase<Result>(work: (database: Db) => Promise<Result>): Promise<Result> {
  const { port } = world.process('mongod');
  const client = await MongoClient.connect(`mongodb://127.0.0.1:${port}/payments?directConnection=true`);
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
}

async function tokenStatus(clientId: string, clientSecret: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'graph:admin' });
  return (await fetch(`${world.urls.auth}/token`, { method: 'POST', headers: { authorization }, body })).status;
}

test('an option that nobody knows is refused in one line, and --help says what there is, also without npm', () => {
  expect(operator(['create', '--nope'])).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Unknown option '--nope'[^\n]*\n$/),
  });
  expect(operator(['--help'])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Usage: [^\n]*rebuild-journal[^\n]*\n$/),
    stderr: '',
  });
});

test('operator:create makes a client that gets staff tokens', async () => {
  const run = operator(['create', '--label', 'first']);
  const { clientId, clientSecret } = JSON.parse(run.stdout);
  expect(await tokenStatus(clientId, clientSecret)).toBe(200);
  expect(await tokenStatus(clientId, `${clientSecret}x`)).toBe(401);
});

test('keys:roll puts a new key first and keeps the former one listed', async () => {
  const kids = async () => {
    const answer = await fetch(`${world.urls.rest}/.well-known/jwks.json`);
    const { keys } = (await answer.json()) as { keys: { kid: string }[] };
    return keys.map(({ kid }) => kid);
  };
  const [former] = await kids();
  const run = operator(['roll-keys']);
  expect(run.stderr).toBe('');
  const [current, second] = run.stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0]);
  expect(second).toBe(former);
  await world.stop();
  world = await start();
  expect(await kids()).toEqual([current, former]);
});

test('vault:rewrap moves every data key to the new key, after which the former one is not needed', async () => {
  const secrets = () => JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
  const both: Record<string, string> = {};
  for (const { current, previous } of familyVariables) {
    both[current] = randomBytes(32).toString('base64');
    both[previous] = secrets()[current] ?? '';
  }
  await world.stop();
  world = await start(both);
  expect(operator(['rewrap-vault'], both).stdout).toMatch(/^[1-9]\d* data keys were wrapped anew\.$/m);
  expect(operator(['rewrap-vault'], both).stdout).toMatch(/^0 data keys/);
  expect(secrets()['VAULT_KEY_CARDS']).toBe(both['VAULT_KEY_CARDS']);
  await world.stop();
  world = await start();
  const { clientId, clientSecret } = world.credentials.graph.admin;
  expect(await tokenStatus(clientId, clientSecret)).toBe(200);
});

test('vault:rotate gives an account a new data key, and what was sealed before still opens', async () => {
  const versions = () =>
    withDatabase((database) => database.collection('data_keys_secrets').countDocuments({ owner: 'account-alpha' }));
  const before = await versions();
  expect(operator(['rotate-vault']).stdout).toMatch(/^[1-9]\d* data keys were followed by new ones/);
  expect(await versions()).toBe(before === 0 ? 0 : before + 1);
});

test.each(['nobody', 'idempotency', 'hash:card'])(
  'vault:destroy refuses %s, which is no account, and leaves its keys as they are',
  async (owner) => {
    const keys = () =>
      withDatabase(async (database) => {
        const collections = ['cards', 'secrets', 'credentials', 'results'].map((family) => `data_keys_${family}`);
        const found = collections.map((name) => database.collection(name).find({ owner }).sort({ _id: 1 }).toArray());
        return (await Promise.all(found)).flat();
      });
    const before = await keys();
    expect(operator(['destroy-data', '--account', owner, '--yes'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `There is no account ${owner}: nothing was destroyed.\n`,
    });
    expect(await keys()).toEqual(before);
  },
);

test('vault:destroy makes an account unreadable: it is refused in words, others go on, and the audit told it before', async () => {
  const owner = await withDatabase(async (database) => {
    const [record] = await database.collection('data_keys_secrets').find({ owner: /beta/ }).toArray();
    return String(record?.['owner']);
  });
  expect(operator(['destroy-data', '--account', owner])).toMatchObject({ status: 1, stdout: '' });
  expect(operator(['destroy-data', '--account', owner, '--yes']).stdout).toMatch(/^[1-9]\d* data keys of .* are gone/);
  const left = await withDatabase((database) =>
    database.collection('data_keys_secrets').countDocuments({ owner, version: 1 }),
  );
  const told = await withDatabase((database) =>
    database.collection('audit').findOne({ action: 'account.dataDestroyed' }),
  );
  expect([left, told?.['subjectId']]).toEqual([0, owner]);
  const destroyed = await withDatabase((database) =>
    database.collection('data_keys_cards').findOne({ owner, wrapped: null }),
  );
  expect(told?.['at'].getTime()).toBeLessThanOrEqual(destroyed?.['createdAt'].getTime());
});

test('journal:rebuild tells what is not as the event log says, and --apply mends it while the program runs', async () => {
  const rebuild = (...args: string[]) =>
    spawnSync('npm', ['run', '-s', 'journal:rebuild', '--', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, MONGODB_URI: '', REDIS_URL: '', DATA_DIR: dataDir },
    });
  await bookEntry(world, { tenant: 'alpha', action: 'DEPOSIT', amount: 500, currency: 'NOK' });
  const day = await today(world);
  await settleDay(world, day);
  const { body } = await reportsOf(world, 'alpha', 'merchantApiKey').get(`payouts?fromDate=${day}&toDate=${day}`);
  expect(body.numberOfPayouts).toBe(1);
  const spoiled = await withDatabase((database) =>
    database.collection('journal_entries').updateOne({ action: 'DEPOSIT' }, { $set: { amountMinor: 499n } }),
  );
  expect(spoiled.modifiedCount).toBe(1);

  const found = rebuild();
  expect([found.status, found.stderr]).toEqual([1, '']);
  expect(found.stdout).toMatch(/^2 entries and 1 payouts were made .*: not the books in use:\n.*journal_entries/m);
  const applied = rebuild('--apply');
  expect([applied.status, applied.stdout.trim().split('\n').at(-1)]).toEqual([0, 'The rebuilt books are in use now.']);
  expect(rebuild()).toMatchObject({ status: 0, stdout: expect.stringContaining('identical with the books in use') });
});

test.each([
  [
    'nothing runs there',
    ['create'],
    { DATA_DIR: '/nonexistent' },
    /^Nothing runs in \/nonexistent: start it with "npm start", or set MONGODB_URI/,
    1,
  ],
  [
    'the command is unknown',
    ['destroy'],
    {},
    /^Unknown command: expected one of create, roll-keys, rewrap-vault, rotate-vault, destroy-data, rebuild-journal, rebuild-figures\.$/,
    2,
  ],
])('is refused in one sentence when %s', (_why, args, env, sentence, code) => {
  const run = operator(args, env);
  expect(run.stderr.trim()).toMatch(sentence);
  expect(run.status).toBe(code);
});
