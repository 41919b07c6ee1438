// Users of the database by role: made twice without a difference, enough for a program in the spread-out shape to serve every family and to be restarted under load, and for nothing else.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { addressOfUser, databaseGrants, databaseOf } from '../../app/role-database';
import { administrationOf, merchantBody } from '../support/administration';
import { built } from '../support/built';
import { rest } from '../support/client';
import { freePorts } from '../support/free-ports';
import { onboardingOf } from '../support/onboarding';
import { accessTokenOf, graph, partnerOf, receivedBy, sandboxCall } from '../support/partner';
import { reportsOf, settleDay, today } from '../support/reports';
import { eventually } from '../support/stores';
import { startWorld, type World } from '../support/world';
import { startMongod } from './guarded-mongod';
import { answersEverywhere, ask, startSteadyLoad } from './steady-load';

const roles = Object.keys(databaseGrants);
const passwords = Object.fromEntries(roles.map((role) => [role, randomBytes(18).toString('base64')]));
let folder: string;
let mongod: ChildProcess;
let address: string;
let rootAddress: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'database-users-'));
  const [port = 0] = await freePorts(1);
  address = `mongodb://127.0.0.1:${port}/payments?replicaSet=rs0`;
  const password = randomBytes(18).toString('base64url');
  rootAddress = `mongodb://root:${password}@127.0.0.1:${port}/payments?replicaSet=rs0&authSource=admin`;
  mongod = await startMongod(folder, port, password);
  for (const run of [1, 2]) {
    const made = users();
    expect([run, made.status, made.stderr]).toEqual([run, 0, '']);
  }
});
afterAll(async () => {
  const ended = new Promise((done) => mongod.once('exit', done));
  mongod.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

function users(env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [built('database.js'), 'users'], {
    encoding: 'utf8',
    env: { ...process.env, MONGODB_URI: rootAddress, MONGODB_PASSWORDS: JSON.stringify(passwords), ...env },
  });
}

describe('database:users', () => {
  it('brings users up to date, and says so', () => {
    const lines = users().stdout.trim().split('\n');
    expect(lines).toEqual(roles.map((role) => `${role.replace(':', '-')} up to date`));
  });

  it.each([
    [
      'without a password for a role',
      { MONGODB_PASSWORDS: '{"prepare":"x"}' },
      /^MONGODB_PASSWORDS has no password for all, /,
    ],
    ['without an address', { MONGODB_URI: '' }, /^Set MONGODB_URI to the address of a user that may make users/],
  ])('is refused in one line %s', (_why, env, sentence) => {
    const { status, stderr } = users(env);
    expect([status, stderr.trim()]).toEqual([1, expect.stringMatching(sentence)]);
  });
});

describe('the program with a user for each role', () => {
  let world: World;
  let paymentId: string;
  beforeAll(async () => {
    world = await startWorld({
      topology: 'split',
      env: { MONGODB_URI: address, MONGODB_PASSWORDS: JSON.stringify(passwords) },
    });
  });
  afterAll(() => world?.stop());

  it('tells each process the address of its own user alone', () => {
    const entries = world.processes().filter(({ role }) => !/launcher|redis/.test(role));
    expect(entries.length).toBeGreaterThan(15);
    for (const { role, pid } of entries) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const own = /^.*?(?=-\d+$|$)/.exec(role)?.[0] ?? '';
      expect(environment).toContain(`MONGODB_URI=mongodb://${own}:`);
      expect(environment).not.toContain('MONGODB_PASSWORDS');
    }
  });

  it('tokens: one is made, used and deleted, and the callback arrives', async () => {
    await sandboxCall(world, 'PUT', '/sandbox/tra', {
      tenant: 'alpha',
      notifyBaseUrl: `${world.urls.rest}/sandbox/receiver`,
    });
    const partner = await partnerOf(world, 'alpha');
    const { status, body } = await partner.createToken({
      account: '4242424242424242',
      accountExpiry: '122031',
      cvv: '123',
    });
    expect(status).toBe(201);
    expect((await partner.createTransaction(body.virtualAccountId)).status).toBeLessThan(300);
    const events = `/sandbox/virtual-accounts/${body.virtualAccountId}/events`;
    expect((await sandboxCall(world, 'POST', events, { event: 'SUSPEND' })).status).toBe(202);
    expect((await partner.deleteToken(body.virtualAccountId)).status).toBe(204);
    await eventually(async () => (await receivedBy(world)).find(({ path }) => path.includes(body.virtualAccountId)));
  });

  it('payments: one is paid, captured, refunded and reported, its day settled', async () => {
    const token = await accessTokenOf(world, world.credentials.tenants.alpha.payments);
    const service = rest(world.urls.rest, { Authorization: `Bearer ${token}` });
    const made = await service.call('POST', '/api/v1/payments', {
      body: { type: 'MerchantHostedEcom', amount: 5000, currencyCode: 'EUR', processing: 'Sale' },
    });
    const card = { number: '4242424242424242', expiry: '12/31', cvv: '123', holder: 'Ada Lovelace' };
    const paid = await sandboxCall(world, 'POST', `/sandbox/payments/${made.body.paymentId}/card`, card);
    expect(paid.body.state).toBe('Captured');
    paymentId = made.body.paymentId;
    const day = await today(world);
    await settleDay(world, day);
    const reports = reportsOf(world, 'alpha', 'merchantApiKey');
    await eventually(async () => (await reports.get(`payouts?fromDate=${day}&toDate=${day}`)).body.numberOfPayouts > 0);
  });

  it('checkout: a hosted order is paid, captured and refunded', async () => {
    const headers = () => ({ 'Correlation-Id': randomUUID(), 'Idempotency-Key': randomUUID() });
    const shop = rest(world.urls.rest, { 'X-API-KEY': world.credentials.tenants.alpha.checkout.explicit.apiKey });
    const order = { orderId: `order-${Date.now()}`, amount: '5000', currency: 'EUR' };
    const paymentSession = {
      amount: '5000',
      cancelUrl: world.urls.shop,
      notificationUrl: `${world.urls.rest}/sandbox/receiver/${order.orderId}`,
    };
    const built = await shop.call('POST', '/api/v1/orders/hpp', {
      body: { order, paymentSession },
      headers: headers(),
    });
    const session = built.body.hostedPage.split('/').at(-1);
    const card = { number: '4242424242424242', expiry: '12/31', cvv: '123', holder: 'Ada Lovelace' };
    expect((await sandboxCall(world, 'POST', `/sandbox/checkout/${session}/card`, card)).body.state).toBe(
      'PAYMENT_COMPLETE',
    );
    const listed = await shop.call('GET', `/api/v1/operations?orderId=${order.orderId}`, { headers: headers() });
    const capture = await shop.call('POST', `/api/v1/operations/${listed.body.operations[0].operationId}/captures`, {
      body: { amount: '3000', currency: 'EUR' },
      headers: headers(),
    });
    expect(capture.status).toBeLessThan(300);
    const refund = await shop.call('POST', `/api/v1/operations/${capture.body.operationId}/refunds`, {
      body: { amount: '1000', currency: 'EUR' },
      headers: headers(),
    });
    expect(refund.status).toBeLessThan(300);
    expect((await fetch(built.body.hostedPage)).status).toBe(200);
  });

  it('a merchant is made, changed and deleted; an application is signed and approved', async () => {
    const administration = administrationOf(world, 'alpha');
    const body = merchantBody();
    expect((await administration.create(body)).status).toBeLessThan(300);
    expect((await administration.modify(body.merchantId, { ...body, name: 'Sydlys' })).status).toBeLessThan(300);
    expect((await administration.remove(body.merchantId)).status).toBeLessThan(300);
    const partner = onboardingOf(world);
    const created = await partner.create();
    expect(await partner.lever(created.body.id, 'OPEN', 'SIGN', 'APPROVE')).toBe('APPROVED');
  });

  const operator = (command: string) => {
    const MONGODB_URI = addressOfUser(address, 'operator', passwords['operator'] ?? '');
    const env = { ...process.env, DATA_DIR: world.dataDir, MONGODB_URI };
    return spawnSync(process.execPath, [built('operator.js'), ...command.split(' ')], { encoding: 'utf8', env });
  };

  it.each(['rebuild-journal', 'rebuild-figures'])('an operator: %s', (command) => {
    expect(operator(`${command} --apply`)).toMatchObject({ status: 0, stderr: '' });
  });

  it('two persons: what one proposes another confirms, an operator made by the command', async () => {
    const made = operator('create');
    expect(made.stderr).toBe('');
    const second = await accessTokenOf(world, JSON.parse(made.stdout));
    const { merchantId } = world.credentials.tenants.alpha;
    const application = await onboardingOf(world).create();
    await onboardingOf(world).lever(application.body.id, 'OPEN', 'SIGN');
    const money = { merchantId, amount: '1000', currency: 'EUR', reason: 'paid in', paymentId };
    const account = { merchantId, iban: 'IT60X0542811101000000123456', bic: 'BPPIITRR', reason: 'moved' };
    for (const [document, variables] of [
      [
        'mutation ($input: LedgerEntryInput!) { done: bookDeposit(input: $input) { proposal { proposalId } } }',
        { input: money },
      ],
      [
        'mutation ($input: PayoutAccountInput!) { done: setPayoutAccount(input: $input) { proposal { proposalId } } }',
        { input: account },
      ],
      [
        'mutation ($id: ID!) { done: approveOnboarding(id: $id, reason: "fine") { proposal { proposalId } } }',
        { id: application.body.id },
      ],
    ] as const) {
      const { proposalId } = (await graph(world, document, variables)).data.done.proposal;
      const confirm = 'mutation ($id: ID!) { confirmProposal(proposalId: $id) { proposal { status } } }';
      const { data, errors } = await graph(world, confirm, { id: proposalId }, second);
      expect([errors, data?.confirmProposal.proposal.status]).toEqual([undefined, 'CONFIRMED']);
    }
    await eventually(async () => (await onboardingOf(world).read(application.body.id)).body.status === 'APPROVED');
  });

  it('the audit is chained, and verified by a user that may read it alone', async () => {
    const { data } = await graph(world, '{ auditRecords(first: 1) { edges { node { auditId } } } }');
    expect(data.auditRecords.edges).toHaveLength(1);
    const { status, stdout } = spawnSync(process.execPath, [built('cli.js'), 'audit', 'verify', '--wait', '30'], {
      encoding: 'utf8',
      env: {
        ...process.env,
        DATA_DIR: world.dataDir,
        MONGODB_URI: addressOfUser(address, 'auditor', passwords['auditor'] ?? ''),
      },
    });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^The audit holds: [1-9]/)]);
  });

  it('answers on every address of its credentials file', () => answersEverywhere(world));

  it('restarts one process after another under load without a failed request', async () => {
    const load = startSteadyLoad(world);
    for (const role of ['rest-facade-1', 'gateway-1', 'worker-outbox-1', 'worker-callback-1']) {
      const { pid } = world.kill(role, 'SIGTERM');
      await world.replaced(role, pid);
    }
    await eventually(() => load.answers() > 200);
    expect(await load.stop()).toEqual([]);
  });

  it('puts a killed process back', async () => {
    const { pid, port } = world.kill('rest-facade-1', 'SIGKILL');
    expect((await world.replaced('rest-facade-1', pid)).port).toBe(port);
    await eventually(async () => (await ask(`${world.urls.rest}/readyz`)) === 200);
  });

  it('nobody was refused anything that it needed', () => {
    const refused = world.processes().flatMap(({ role }) =>
      world
        .log(role)
        .split('\n')
        .filter((line) => /not authorized|Unauthorized/i.test(line)),
    );
    expect(refused).toEqual([]);
  });
});

describe('each user', () => {
  const collections = [...new Set(Object.values(databaseGrants).flatMap((grants) => Object.keys(grants)))];
  const tries = {
    f: (name: string) => ({ find: name, limit: 1 }),
    i: (name: string) => ({
      insert: name,
      documents: [{ _id: `probe-${randomUUID()}`, day: randomUUID(), auditId: randomUUID(), environment: 'probe' }],
    }),
    u: (name: string) => ({ update: name, updates: [{ q: { _id: 'nothing' }, u: { $set: { probe: 1 } } }] }),
    r: (name: string) => ({ delete: name, deletes: [{ q: { _id: 'nothing' }, limit: 1 }] }),
    drop: (name: string) => ({ drop: name }),
  } as const;

  it.each(roles.filter((role) => role !== 'all'))('%s is refused whatever the table does not give', async (role) => {
    const client = await MongoClient.connect(addressOfUser(address, role, passwords[role] ?? ''));
    const wrong: string[] = [];
    try {
      const database = client.db(databaseOf(address));
      for (const name of collections) {
        const granted = databaseGrants[role]?.[name] ?? '';
        for (const [letter, command] of Object.entries(tries)) {
          const isSwapped = role === 'operator' && /^(journal|payout|settlement|metric_s)/.test(name);
          if (granted.includes(letter) || (letter === 'drop' && isSwapped)) continue;
          const code = await database.command(command(name)).then(
            () => 'done',
            (error: { code?: number }) => error.code,
          );
          if (code !== 13) wrong.push(`${letter} ${name}: ${code}`);
        }
      }
    } finally {
      await client.close();
    }
    expect(wrong).toEqual([]);
  });

  it('may add to the audit at most: none of them changes or removes a record or an entry', () => {
    const kept = ['audit', 'audit_chain', 'audit_heads'];
    const changing = roles.filter((role) => kept.some((name) => /[ur]/.test(databaseGrants[role]?.[name] ?? '')));
    expect(changing).toEqual([]);
    const chaining = roles.filter((role) => databaseGrants[role]?.['audit_chain']?.includes('i'));
    expect(chaining).toEqual(['all', 'worker:journal']);
  });
});
