// Figures by merchant tell the merchant itself, of the domain that keeps it: its name, null where figures are not told apart by merchant or it is not there.
import { type Graph, openGraph } from '../../gateway/graph';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId } from '../../subgraphs/shared/ids';
import { fixtureConfig, silentLog } from '../gateway/fixture';
import { contract } from '../support/graph-contract';
import { type EntityWorld, now, openEntityWorld, staff } from './entity-world';

let world: EntityWorld;
let graph: Graph;
beforeAll(async () => {
  world = await openEntityWorld();
  const subgraphs = await Promise.all(world.domains.subgraphs.map(buildSubgraph));
  graph = openGraph({ contract, subgraphs, config: fixtureConfig, log: silentLog });
  const tally = world.domains.reporting.callbackTally();
  const attempt = { at: now, isDelivered: true, answeredInMs: 40 };
  for (const [accountId, merchantId] of [
    ['alpha', 'merchant-alpha'],
    ['beta', 'merchant-beta'],
    ['alpha', 'merchant-gone'],
  ] as const)
    tally.add({ ...attempt, accountId, merchantId });
  await tally.writeLast();
});
afterAll(async () => {
  await graph?.close();
  await world?.close();
});

const query = `query ($range: MetricRange!, $groupBy: [MetricDimension!]) {
  metrics(range: $range, interval: WHOLE, groupBy: $groupBy) { rows { group { merchantId merchant { name merchantNumber } } } }
}`;
const hourMs = 3_600_000;
const range = { from: new Date(now.getTime() - hourMs), to: new Date(now.getTime() + hourMs) };

async function groups(groupBy: string[], caller: Caller): Promise<unknown[]> {
  const context = requestContext(caller, newId());
  const { data, errors } = await graph.executeDocument({ query }, { range, groupBy }, context);
  if (errors) throw errors[0];
  return JSON.parse(JSON.stringify(data)).metrics.rows.map(({ group }: { group: unknown }) => group);
}

const alpha = { merchantId: 'merchant-alpha', merchant: { name: 'alpha', merchantNumber: 1 } };
const beta = { merchantId: 'merchant-beta', merchant: { name: 'beta', merchantNumber: 2 } };
const gone = { merchantId: 'merchant-gone', merchant: null };
const nobody = { merchantId: null, merchant: null };

test.each<[string, string[], Caller, object[]]>([
  ['by merchant, to staff', ['MERCHANT'], staff, [alpha, beta, gone]],
  ['by merchant, to an account', ['MERCHANT'], { ...staff, accountId: 'beta' }, [beta]],
  ['not by merchant', [], staff, [nobody]],
])('%s', async (_what, groupBy, caller, expected) => {
  expect(await groups(groupBy, caller)).toEqual(expected);
});

test('the merchants of all rows are read by one query', async () => {
  world.asked.length = 0;
  await groups(['MERCHANT'], staff);
  expect(world.asked.filter((read) => read.endsWith(' merchants'))).toEqual(['find merchants']);
});
