// A record of the audit leads to the merchant that it is about, of the domain that keeps it: each tenant its own, and one question for all records of a page.
import { type Graph, openGraph } from '../../gateway/graph';
import type { AuditedChange } from '../../subgraphs/shared/callers/audit';
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { fixtureConfig, silentLog } from '../gateway/fixture';
import { type EntityWorld, openEntityWorld, staff } from '../journeys/entity-world';
import { contract } from '../support/graph-contract';

/** About what, and whose the record is: the third tells tenant alpha of what is beta's. */
const recorded = [
  { subjectType: 'merchant', subjectId: 'merchant-alpha', accountId: 'alpha' },
  { subjectType: 'merchant', subjectId: 'merchant-beta', accountId: 'beta' },
  { subjectType: 'merchant', subjectId: 'merchant-beta', accountId: 'alpha' },
  { subjectType: 'merchant', subjectId: 'merchant-gone', accountId: 'alpha' },
  { subjectType: 'terminal', subjectId: 'merchant-alpha', accountId: 'alpha' },
  { subjectType: 'merchant', subjectId: 'merchant-alpha', accountId: null },
] as const;

let world: EntityWorld;
let graph: Graph;
/** How many references each call for merchants had. */
const calls: number[] = [];
beforeAll(async () => {
  world = await openEntityWorld();
  const subgraphs = await Promise.all(world.domains.subgraphs.map(buildSubgraph));
  const entities = subgraphs
    .find(({ name }) => name === 'merchants')
    ?.schema.getQueryType()
    ?.getFields()['_entities'];
  const { resolve } = entities ?? {};
  if (!entities || !resolve) throw new Error('the merchants subgraph answers no references');
  entities.resolve = (root, args, context, info) => {
    calls.push(args.representations.length);
    return resolve(root, args, context, info);
  };
  graph = openGraph({ contract, subgraphs, config: fixtureConfig, log: silentLog });
  const { inTransaction } = createCommitter(world.stores.connection);
  for (const subject of recorded) {
    const change: AuditedChange = { action: 'merchant.statusChanged', ...subject, changes: [] };
    await inTransaction({ inserts: [world.domains.access.audit(requestContext(staff, newId()), change)] });
  }
});
afterAll(async () => {
  await graph?.close();
  await world?.close();
});

const query = `{ auditRecords(filter: { action: "merchant.statusChanged" }) { edges { node {
  subjectType subjectId accountId merchant { merchantId name account { name } } } } } }`;

interface Row {
  subjectType: string;
  subjectId: string;
  accountId: string | null;
  merchant: { merchantId: string; name: string; account: { name: string } } | null;
}

async function read(caller: Caller) {
  const { data, errors = [] } = await graph.executeDocument({ query }, {}, requestContext(caller, newId()));
  const { edges } = JSON.parse(JSON.stringify(data)).auditRecords as { edges: { node: Row }[] };
  return { rows: edges.map(({ node }) => node), errors };
}

const named = (name: string) => ({ merchantId: `merchant-${name}`, name, account: { name } });
const of = (accountId: string | null, scopes: Scope[]): Caller => ({ ...staff, accountId, scopes });
const isSeenBy = (caller: Caller) => (record: (typeof recorded)[number]) =>
  caller.accountId === null || record.accountId === caller.accountId;

test.each<[string, Caller, string[]]>([
  ['staff: any', of(null, ['graph:read']), ['alpha', 'beta']],
  [
    'staff by one right: any, as names are told beside all that leads to a merchant',
    of(null, ['graph:audit:read']),
    ['alpha', 'beta'],
  ],
  ['a tenant: its own', of('alpha', ['graph:read']), ['alpha']],
  ['another tenant: its own', of('beta', ['graph:read']), ['beta']],
  ['a tenant by one right: its own', of('alpha', ['graph:audit:read']), ['alpha']],
])('%s', async (_who, caller, names) => {
  const { rows, errors } = await read(caller);
  expect(errors).toEqual([]);
  const expected = recorded.filter(isSeenBy(caller)).map((record) => {
    const name = names.find((each) => record.subjectType === 'merchant' && record.subjectId === `merchant-${each}`);
    return { ...record, merchant: name ? named(name) : null };
  });
  expect(new Set(rows)).toEqual(new Set(expected));
  expect(rows).toHaveLength(expected.length);
});

test('what needs a right is refused there, and everything beside it told', async () => {
  const query = `{ auditRecords(filter: { action: "merchant.statusChanged" }) { edges { node {
    subjectId merchant { name apiKeys { keyId } } } } } }`;
  const context = requestContext(of('alpha', ['graph:audit:read']), newId());
  const { data, errors = [] } = await graph.executeDocument({ query }, {}, context);
  const rows = JSON.parse(JSON.stringify(data)).auditRecords.edges as { node: Row }[];
  expect(rows.map(({ node }) => node.merchant?.name ?? null).filter(Boolean)).toEqual(['alpha']);
  const refused = errors.map(({ path, extensions }) => `${path?.at(-1)} ${extensions['code']}`);
  expect([...new Set(refused)]).toEqual(['apiKeys forbidden']);
});

test('the merchants of a page are asked for in one call, and read by one query', async () => {
  const query = `{ auditRecords(first: 50) { edges { node { merchant { name } } } } }`;
  world.asked.length = 0;
  calls.length = 0;
  await graph.executeDocument({ query }, {}, requestContext(staff, newId()));
  expect(calls).toEqual([3]);
  expect(world.asked.filter((each) => each.endsWith(' merchants'))).toEqual(['find merchants']);
});
