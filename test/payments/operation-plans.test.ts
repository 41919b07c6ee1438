// The plans of the operations query: no filter, alone or in a pair, in any order, makes the database scan the collection (hosted checkout, GET operations).
import { createOperationRepository } from '../../subgraphs/payments/operations/operation.repository';
import { orderings } from '../../subgraphs/payments/operations/operation-query';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { type CheckoutWorld, openCheckoutWorld } from './checkout-world';
import { filterPairs, sampleFilters, sampleOperation } from './operation-samples';

const count = 240;
const shown = 10;
/** Queries under one profile. */
const atOnce = 40;

/** What the database says about one find or count. */
interface Profiled {
  planSummary: string;
  keysExamined: number;
  docsExamined: number;
  command: Record<string, unknown>;
}

describe('plans of the operations query', () => {
  let world: CheckoutWorld;
  let shop: Caller;

  beforeAll(async () => {
    world = await openCheckoutWorld();
    shop = world.explicit;
    const { insertOf } = createOperationRepository(world.stores.connection);
    const own = Array.from({ length: count }, (_, index) => sampleOperation(index));
    await world.committer.inTransaction({ inserts: own.map(insertOf) });
    // The survey of the merchant's operations is taken once and then known.
    await world.run('GetOperationPage', {}, { caller: shop });
  });
  afterAll(() => world?.close());

  /** Runs them under the profiler; the list and the count of each are there, and whatever else was read. */
  async function profiled(queries: readonly object[], caller = shop): Promise<Profiled[]> {
    const database = world.stores.connection.db;
    if (!database) throw new Error('the connection is not open');
    const found: Profiled[] = [];
    // The profile is a collection of one megabyte, in which the oldest rows give way.
    for (let from = 0; from < queries.length; from += atOnce) {
      await database.command({ profile: 2 });
      for (const variables of queries.slice(from, from + atOnce)) {
        const { code } = await world.run('GetOperationPage', { ...variables, maxRecords: shown }, { caller });
        expect([variables, code]).toEqual([variables, null]);
      }
      await database.command({ profile: 0 });
      found.push(...((await world.documents('system.profile', { ns: /\.operations$/ })) as unknown as Profiled[]));
      await database.dropCollection('system.profile');
    }
    expect(found.length).toBeGreaterThanOrEqual(2 * queries.length);
    return found;
  }

  const print = ({ planSummary, docsExamined, command }: Profiled) =>
    `${planSummary} ${docsExamined} ${JSON.stringify(command['filter'] ?? command['pipeline'])}`;
  const scansIn = (rows: readonly Profiled[]) => rows.filter((row) => row.planSummary.includes('COLLSCAN')).map(print);
  const singles = Object.values(sampleFilters).map((filter) => ({ filter }));
  const pairs = filterPairs.map(([one, other]) => ({ filter: { ...sampleFilters[one], ...sampleFilters[other] } }));

  it('is an index scan for each filter alone and in pairs, which loads few operations beyond those shown', async () => {
    const rows = await profiled([...singles, ...pairs]);
    expect(scansIn(rows)).toEqual([]);
    // A filter that no index carries (currency, family) reads what the other one finds.
    const covered = rows.filter(({ command }) => !/"(currency|family)"/.test(JSON.stringify(command)));
    expect(covered.length).toBeGreaterThan(rows.length / 2);
    expect(covered.filter(({ docsExamined }) => docsExamined > 2 * shown).map(print)).toEqual([]);
  });

  it.each(orderings)('is an index scan in the order %s, with each filter', async (orderBy) => {
    const queries = [{}, ...singles].flatMap((each) => ['ASC', 'DESC'].map((sortIn) => ({ ...each, orderBy, sortIn })));
    expect(scansIn(await profiled(queries))).toEqual([]);
  });

  it('is an index scan for internal staff and for an account, who name no merchant', async () => {
    const account: Caller = { ...shop, kind: 'client', scopes: ['graph:read', 'checkout'] };
    delete account.merchantId;
    for (const caller of [account, { ...account, accountId: null }])
      expect(scansIn(await profiled([{}, ...singles], caller))).toEqual([]);
  });
});
