// The search never scans: texts of every shape, for staff and for an account of its own, under the database's profiler.
import { payoutReferenceText } from '../../subgraphs/reporting/payouts/payout';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { type EntityWorld, openEntityWorld, staff } from '../journeys/entity-world';
import { own, rowsOf } from './list-rows';
import { profiled, wrongWith } from './profiled';
import { dayOf, rowId } from './row-place';

/** More by name: `LIST_ROWS=200000 npx jest test/lists`. */
const rowCount = Number(process.env['LIST_ROWS'] ?? 3_000);
const size = 10;
const searched = [
  ...(['payments', 'operations', 'merchants', 'virtual_accounts', 'onboarding_applications', 'deliveries'] as const),
  ...(['callback_endpoints', 'payouts', 'journal_entries', 'proposals', 'jobs', 'people', 'terminals'] as const),
];
const account: Caller = { ...staff, accountId: own.accountId, scopes: ['graph:read'] };
const callers: readonly [string, Caller][] = [
  ['staff', staff],
  ['an account', account],
];

let world: EntityWorld;
beforeAll(async () => {
  world = await openEntityWorld();
  const { connection } = world.stores;
  for (const name of searched) {
    await connection.collection(name).deleteMany({});
    for (const rows of rowsOf(name, rowCount))
      await connection.collection(name).insertMany(rows as never, { bypassDocumentValidation: true });
  }
});
afterAll(() => world?.close());

/** The text, and how many things staff find at least. */
const texts: [string, string, number][] = [
  ['an id of many things', rowId(20), size],
  ['an id of nothing', rowId(900_000_000), 0],
  ['an order number that few have', 'rare', 5],
  ['an order number that one has', 'order-20', 1],
  ['the beginning of one order number', 'order-202', 2],
  ['the beginning of many order numbers', 'order-', size],
  ['the beginning of no order number', 'nobody', 0],
  ['a card that few have', '0001 12/30', 5],
  ['a card that nearly all have', '4242 12/30', size],
  ['a card that nobody has', '4242 12/31', 0],
  ['an e-mail that few have', 'rare@shop.example', 5],
  ['an e-mail that nearly all have', 'usual@shop.example', size],
  ['an e-mail that nobody has', 'nobody@shop.example', 0],
  ["a merchant's id", own.merchantId, 1],
  ["a merchant's number, an application's id", '1021', 2],
  ['the beginning of one name', 'shop 1021', 1],
  ['the beginning of many names', 'SHOP', size],
  ['no beginning of any name', 'nobody at all', 0],
  ["a terminal's id", 'terminal-20', 1],
  ['the number of an organization', '20000021', 2],
  ['the reference of a payout', payoutReferenceText(dayOf(20), rowId(20)), 1],
  ['the reference of no payout', 'PAYOUT 20200101 00000000', 0],
  ['the host of one endpoint', '21.example', 1],
  ['the host of nearly all endpoints', 'shop.example', size],
  ['the host of none, with a port', 'nobody.example:8443', 0],
  ['an address at an origin', 'https://shop.example/orders?of=1', size],
  ["a person's e-mail", 'person-20@shop.example', 1],
  ["the beginning of one person's name", 'person 202', 1],
  ["the beginning of many people's names", 'Person', size],
];

describe.each(callers)('%s', (_name, caller) => {
  it.each(texts)('%s: %s', async (_what, text, least) => {
    const { result: found, reads } = await profiled(world.stores, async () => {
      const source = 'query ($text: String!, $first: Int) { search(text: $text, first: $first) { matchedBy } }';
      const answer = await world.ask<{ search: unknown[] }>('reporting', caller, source, { text, first: size });
      if (answer.errors) throw answer.errors[0];
      return answer.data?.search.length ?? 0;
    });
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.map((read) => wrongWith(read, { size })).filter(Boolean)).toEqual([]);
    if (caller === staff) expect(found).toBeGreaterThanOrEqual(least);
    expect(found).toBeLessThanOrEqual(size);
  });
});
