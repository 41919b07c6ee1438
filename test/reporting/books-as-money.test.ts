// Amounts of payouts, their sums, their actions and of balances with their currency: the same as the strings beside them.
import { graphql } from 'graphql';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { schemaOf } from '../support/subgraph';
import { dayMs, merchants, openReportingWorld, type ReportingWorld } from './reporting-world';

let world: ReportingWorld;
beforeAll(async () => {
  world = await openReportingWorld();
  await world.commit(world.operation(merchants.one, { amount: 123_456n }));
  await world.feed();
  await world.settle('2026-03-01');
  world.clock.advance(dayMs);
});
afterAll(() => world?.close());

interface Shown {
  minor: string;
  currency: string;
  formatted: string;
}
type Node = Record<string, unknown> & { currency: string; money: Record<string, Shown> };

async function ask(source: string): Promise<Record<string, unknown>> {
  const contextValue = requestContext({ ...world.staff, scopes: ['graph:read'] }, newId());
  const { data, errors } = await graphql({ schema: await schemaOf(world.reporting), source, contextValue });
  if (errors?.[0]) throw errors[0].originalError ?? errors[0];
  return data as Record<string, unknown>;
}

const money = (names: string) =>
  names
    .split(' ')
    .map((name) => `${name} { minor currency formatted(locale: "en") }`)
    .join(' ');

const inEuro = (minor: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(Number(minor) / 100);

function expectAlike(node: Node, names: string, currency = node.currency): void {
  for (const name of names.split(' '))
    expect(node.money[name]).toEqual({ minor: node[name], currency, formatted: inEuro(String(node[name])) });
}

const sums = 'charged refunded deposited fees chargebacks adjustments';
const parts = 'amount fee flexibleFee fixedFee';
const flows = 'credits debits opening closing';

test('a payout, and what it is made of', async () => {
  const asked = `{ payouts { edges { node {
    sums { ${sums} money { ${money(sums)} } }
    actions { edges { node { currency ${parts} money { ${money(parts)} } } } }
  } } } }`;
  const { payouts } = (await ask(asked)) as {
    payouts: { edges: { node: { sums: Node; actions: { edges: { node: Node }[] } } }[] };
  };
  const [payout] = payouts.edges;
  if (!payout) throw new Error('nothing was paid out');
  expect(payout.node.sums['charged']).toBe('123456');
  expectAlike(payout.node.sums, sums, 'EUR');
  expect(payout.node.actions.edges).toHaveLength(1);
  for (const { node } of payout.node.actions.edges) expectAlike(node, parts);
});

test('a day of a balance', async () => {
  const asked = `{ balances(merchantId: "m-one", from: "2026-03-01", to: "2026-03-01") {
    currency ${flows} money { ${money(flows)} } } }`;
  const { balances } = (await ask(asked)) as { balances: Node[] };
  expect(balances.map(({ credits }) => credits)).toEqual(['123456']);
  for (const balance of balances) expectAlike(balance, flows);
});
