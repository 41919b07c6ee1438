// From an empty production database to a tenant that takes payments: the operator's command, then `pay`, as docs/operations.md has it.
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../support/built';
import { freePorts } from '../support/free-ports';
import { newStoreAddresses } from '../support/stores';
import { vaultKeys } from '../support/vault';
import { startWorld, type World } from '../support/world';

const folder = mkdtempSync(join(tmpdir(), 'first-tenant-'));
const operatorFile = join(folder, 'operator.json');
let world: World;
let env: Record<string, string>;

beforeAll(async () => {
  const { mongoUri, redisUrl } = await newStoreAddresses();
  const names = ['REST_PORT', 'AUTH_PORT', 'GRAPH_PORT', 'PAY_PORT', 'METRICS_PORT'];
  const ports = await freePorts(names.length);
  const key = () => randomBytes(32).toString('base64');
  env = {
    MODE: 'production',
    MONGODB_URI: mongoUri,
    REDIS_URL: redisUrl,
    DATA_DIR: join(folder, 'data'),
    PROCESSES: '1',
    ...vaultKeys(key()),
    CURSOR_KEY: key(),
    AUDIT_KEY: key(),
    ...Object.fromEntries(names.map((name, index) => [name, String(ports[index])])),
  };
  world = await startWorld({ topology: 'embedded', env });
  const made = run('operator.js', ['create', '--label', 'first']);
  writeFileSync(operatorFile, made.stdout, { mode: 0o600 });
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function run(program: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [built(program), ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

function pay(...args: string[]) {
  const ended = run('cli.js', ['--json', ...args, '--operator', operatorFile]);
  return { ...ended, made: ended.status === 0 ? JSON.parse(ended.stdout) : null };
}

const rest = (path: string, headers: Record<string, string>, body?: object) =>
  fetch(`http://127.0.0.1:${env['REST_PORT']}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });

async function tokenOf(clientId: string, clientSecret: string): Promise<string> {
  const token = await fetch(`http://127.0.0.1:${env['AUTH_PORT']}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  expect(token.status).toBe(200);
  return ((await token.json()) as { access_token: string }).access_token;
}

test('account, merchant, terminal, client and key, each by one command; then its server calls', async () => {
  expect(pay('account', 'create', 'gamma', '--name', 'Gamma Ltd').made).toEqual({
    accountId: 'gamma',
    name: 'Gamma Ltd',
  });
  expect(pay('merchant', 'create', 'gamma-shop', '--account', 'gamma', '--name', 'Gamma shop').made).toMatchObject({
    merchantId: 'gamma-shop',
    merchantNumber: expect.any(Number),
    status: 'ACTIVE',
  });
  const origins = ['--origins', 'https://shop.gamma.example'];
  expect(
    pay('terminal', 'create', 'gamma-web', '--merchant', 'gamma-shop', '--label', 'web', ...origins).made,
  ).toMatchObject({ terminalId: 'gamma-web', origins: ['https://shop.gamma.example'], status: 'ACTIVE' });

  const client = pay(
    'client',
    'create',
    '--family',
    'PAYMENTS',
    '--account',
    'gamma',
    '--merchant',
    'gamma-shop',
    '--label',
    'server',
  );
  const accessToken = await tokenOf(client.made.client.clientId, client.made.clientSecret);
  const created = await rest(
    '/api/v1/payments',
    { authorization: `Bearer ${accessToken}` },
    { type: 'MerchantHostedEcom', amount: 5_000, currencyCode: 'EUR', processing: 'Authorize' },
  );
  expect(created.status).toBe(201);

  const key = pay(
    'key',
    'create',
    '--kind',
    'CHECKOUT',
    '--merchant',
    'gamma-shop',
    '--terminal',
    'gamma-web',
    '--label',
    'web',
  );
  const listed = await rest('/api/v1/operations', { 'x-api-key': key.made.apiKey, 'correlation-id': randomUUID() });
  expect([listed.status, await listed.json()]).toMatchObject([200, { operations: [] }]);
});

const requestor = ['client', 'create', '--family', 'TOKENIZATION', '--account', 'gamma', '--label', 'requestor'];

test('a client of the token service, under the triples that its merchants are enrolled under', async () => {
  const { made } = pay(...requestor, '--identifiers', '001/gamma/psp-1, 001/gamma/psp-2');
  expect(made.client).toMatchObject({ family: 'TOKENIZATION' });
  expect(await tokenOf(made.client.clientId, made.clientSecret)).toEqual(expect.any(String));
});

test('a booking that one operator proposes and another one confirms', async () => {
  const second = join(folder, 'second.json');
  writeFileSync(second, run('operator.js', ['create', '--label', 'second', '--role', 'operator']).stdout);
  const { clientId, clientSecret } = JSON.parse(readFileSync(operatorFile, 'utf8'));
  const accessToken = await tokenOf(clientId, clientSecret);
  const query = `mutation { bookDeposit(input: { merchantId: "gamma-shop", amount: "1000", currency: "EUR", reason: "paid in" }) {
    proposal { proposalId status } } }`;
  const answer = await fetch(`http://127.0.0.1:${env['GRAPH_PORT']}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { proposal } = ((await answer.json()) as { data: { bookDeposit: { proposal: { proposalId: string } } } }).data
    .bookDeposit;
  expect(proposal).toEqual({ proposalId: expect.any(String), status: 'PENDING' });
  const { proposalId } = proposal;
  expect(pay('proposal', 'list').made).toMatchObject({ proposalId, kind: 'LEDGER_BOOKING', subjectId: 'gamma-shop' });
  const alone = pay('proposal', 'confirm', proposalId);
  expect([alone.status, alone.stderr]).toEqual([4, expect.stringMatching(/forbidden.*another person/)]);
  const confirmed = run('cli.js', ['--json', 'proposal', 'confirm', proposalId, '--operator', second]);
  expect(JSON.parse(confirmed.stdout)).toMatchObject({ proposalId, status: 'CONFIRMED' });
  const again = pay('proposal', 'reject', proposalId, '--reason', 'too late');
  expect([again.status, again.stderr]).toEqual([4, expect.stringMatching(/invalidState.*confirmed already/)]);
});

test.each<[string, string[], RegExp]>([
  ['a client of the token service without a triple', requestor, /invalidData.*0 triples/],
  ['half a triple', [...requestor, '--identifiers', '001/gamma'], /invalidInput.*identifier/],
  ['an account that exists', ['account', 'create', 'delta', '--name', 'Delta'], /conflict/],
  ['an id in upper case', ['account', 'create', 'Delta', '--name', 'Delta'], /invalidInput.*accountId/],
  ['a merchant of no account', ['merchant', 'create', 'nobody-shop', '--account', 'nobody', '--name', 'x'], /notFound/],
  [
    'a terminal of no merchant',
    ['terminal', 'create', 't', '--merchant', 'nobody', '--label', 'x', '--origins', 'https://x.example'],
    /notFound/,
  ],
])('%s is refused in one line', (why, args, reason) => {
  if (why === 'an account that exists') pay(...args);
  const { status, stderr } = pay(...args);
  expect([status, stderr.trim().split('\n').length]).toEqual([4, 1]);
  expect(stderr).toMatch(reason);
});

test('a file that is not what operator:create prints is named, and what is missing in it', () => {
  const file = join(folder, 'wrong.json');
  writeFileSync(file, '{"clientId":"x"}');
  const { status, stderr } = run('cli.js', ['account', 'create', 'x', '--name', 'X', '--operator', file]);
  expect([status, stderr]).toEqual([3, expect.stringMatching(/wrong\.json.*clientSecret.*urls/)]);
});
