// Figures in a running platform: what was paid, declined, challenged, given back and called shows in `metrics` within seconds, for staff all of it and for a tenant its own.
import { cards, openInbox, payWithFields, shopOf, type Tenant } from '../support/checkout';
import { onboardingOf } from '../support/onboarding';
import { accessTokenOf, graph } from '../support/partner';
import { eventually } from '../support/stores';
import { startWorld, type World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const hourMs = 3_600_000;
const query = `query ($range: MetricRange!, $interval: MetricInterval!, $groupBy: [MetricDimension!], $filter: MetricFilter) {
  metrics(range: $range, interval: $interval, groupBy: $groupBy, filter: $filter) {
    interval
    rows {
      start
      group { merchantId terminalId method circuit currency country }
      operations { type result count volume { minor currency } }
      captured { count volume { minor currency formatted(locale: "en") } }
      refunded { count }
      approved declined approvalRate
      declines { reason count }
      authentication { challenged passed failed frictionless challengeRate }
      chargebacks { count }
      callbacks { attempts delivered failed successRate p50Ms p95Ms }
      onboarding { created signed approved refused abandoned }
    }
  }
}`;

// biome-ignore lint/suspicious/noExplicitAny: tests look into the answer
type Row = any;

async function rows(variables: object = {}, token?: string): Promise<Row[]> {
  const range = { from: new Date(Date.now() - 2 * hourMs), to: new Date(Date.now() + hourMs) };
  const { data, errors } = await graph(world, query, { range, interval: 'WHOLE', ...variables }, token);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.metrics.rows;
}

async function readerOf(accountId: Tenant): Promise<string> {
  const { data } = await graph(
    world,
    'mutation ($input: CreateClientInput!) { createClient(input: $input) { client { clientId } clientSecret } }',
    { input: { family: 'GRAPH', accountId, label: 'figures', scopes: ['graph:read'] } },
  );
  const { client, clientSecret } = data.createClient;
  return accessTokenOf(world, { clientId: client.clientId, clientSecret });
}

test('payments, declines, challenges, applications and callbacks are counted, each where it belongs', async () => {
  const [alpha, beta] = [shopOf(world, 'alpha', 'implicit'), shopOf(world, 'beta', 'explicit')];
  const inbox = openInbox(world);
  const paymentSession = { notificationUrl: inbox.url };
  await payWithFields(world, alpha, { paymentSession });
  await payWithFields(world, alpha, { number: cards.insufficientFunds });
  await payWithFields(world, alpha, { number: cards.challenge, challenge: 'PASS' });
  await payWithFields(world, alpha, { number: cards.challenge, challenge: 'FAIL' });
  await payWithFields(world, beta, { number: cards.mastercard });
  await onboardingOf(world).create();
  await inbox.atLeast(1);

  const all = await eventually(async () => {
    const [row] = await rows();
    return (
      row.approved === 3 && row.declined === 2 && row.callbacks.delivered >= 1 && row.onboarding.created === 1 && row
    );
  });
  expect(all.approvalRate).toBeCloseTo(3 / 5);
  expect(all.captured.count).toBe(2);
  expect(all.captured.volume).toEqual([
    expect.objectContaining({ currency: 'EUR', formatted: expect.stringContaining('€') }),
  ]);
  expect(all.declines).toEqual([
    { reason: 'authentication_failed', count: 1 },
    { reason: 'insufficient_funds', count: 1 },
  ]);
  const { data } = await graph(
    world,
    '{ operations(filter: { operationResults: [DECLINED, THREEDS_FAILED] }) { edges { node { declineReason { code text } } } } }',
  );
  const told = data.operations.edges.map(({ node }: Row) => node.declineReason);
  expect(told.map(({ code }: Row) => code).sort()).toEqual(all.declines.map(({ reason }: Row) => reason));
  expect(told).toContainEqual({ code: 'insufficient_funds', text: 'insufficient_funds' });
  expect(all.authentication).toMatchObject({
    challenged: 2,
    passed: 1,
    failed: 1,
    frictionless: 3,
    challengeRate: 2 / 5,
  });
  expect(all.callbacks.attempts).toBe(all.callbacks.delivered + all.callbacks.failed);
  expect(all.callbacks.p95Ms).toBeGreaterThanOrEqual(all.callbacks.p50Ms);

  const own = await rows({ groupBy: ['MERCHANT'] }, await readerOf('beta'));
  expect(own.map(({ group, approved, declined }: Row) => [group.merchantId, approved, declined])).toEqual([
    [world.credentials.tenants.beta.merchantId, 1, 0],
  ]);
  const byCircuit = await rows({ groupBy: ['CIRCUIT'], filter: { methods: ['CARD'] } });
  expect(byCircuit.map(({ group, approved, callbacks }: Row) => [group.circuit, approved, callbacks])).toEqual([
    ['MC', 1, null],
    ['VISA', 2, null],
  ]);
  const merchantIds = [world.credentials.tenants.alpha.merchantId];
  const byTerminal = await rows({ groupBy: ['TERMINAL', 'COUNTRY'], filter: { merchantIds } });
  expect(byTerminal.reduce((sum: number, { approved }: Row) => sum + approved, 0)).toBe(2);
  expect(byTerminal.every(({ group }: Row) => group.terminalId !== null)).toBe(true);
});

test('another merchant than its own shows a tenant nothing, and too much at once is refused', async () => {
  const token = await readerOf('beta');
  const filter = { merchantIds: [world.credentials.tenants.alpha.merchantId] };
  const [row] = await rows({ filter }, token);
  expect(row).toMatchObject({ operations: [], approved: 0, callbacks: { attempts: 0 }, onboarding: { created: 0 } });
  const range = { from: '2020-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
  const { errors } = await graph(world, query, { range, interval: 'DAY' }, token);
  expect(errors[0].extensions).toMatchObject({ code: 'invalidInput', field: 'range' });
});
