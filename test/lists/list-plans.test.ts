// Lists never scan: every list of the graph by every filter and order, for staff, an account's own and a merchant's own, on the first page and behind a cursor, under the database's profiler.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { totalMax } from '../../subgraphs/shared/lists/bounded-count';
import { staff as system } from '../journeys/entity-world';
import { casesOf, documentOf, impossibleOf, type ListCase, listsOfGraph, questionOf } from './list-cases';
import type { ListPlan } from './list-plan';
import { keptCollections, own } from './list-rows';
import { listPlans, smallLists } from './list-table';
import { type ListWorld, openListWorld } from './list-world';
import { profiled, wrongWith } from './profiled';

/** More by name: `LIST_ROWS=200000 npx jest test/lists`. */
const rowCount = Number(process.env['LIST_ROWS'] ?? 3_000);
const size = 10;
const deepSize = 100;

const staff: Caller = { ...system, scopes: ['graph:read', 'graph:admin', 'pages', 'checkout'] };
const account: Caller = { ...staff, accountId: own.accountId, scopes: ['graph:read', 'reporting', 'pages'] };
const callers: readonly [string, Caller][] = [
  ['staff', staff],
  ['account', account],
  ['merchant', { ...account, merchantId: own.merchantId }],
];

let world: ListWorld;
beforeAll(async () => {
  world = await openListWorld(rowCount);
});
afterAll(() => world?.close());

/** The database takes a plan again that was good for a question of the same form: what is judged is its choice for this one. */
async function forgetPlans(): Promise<void> {
  const database = world.stores.connection.db;
  await Promise.all(keptCollections.map((name) => database?.command({ planCacheClear: name })));
}

interface Answer {
  cursors: number;
  hasNextPage: boolean;
  endCursor: string | null;
}

type Question = ReturnType<typeof questionOf>;

/** The database gives up on what is bounded by time. */
class NotInTime extends Error {}

const triesMax = 10;

/** Asked again, as the answer says: what a question reads is judged, and a machine that stands still answers none in time. */
async function retried<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof NotInTime) || tries === triesMax) throw error;
    }
  }
}

async function ask(question: Question, caller: Caller, page: object): Promise<Answer> {
  const found = await listAsked(question, caller, page);
  const place = found.pageInfo ?? { hasNextPage: false, endCursor: null };
  return { cursors: (found.edges ?? found).length, ...place };
}

async function listAsked({ query, variables, isPaged }: Question, caller: Caller, page: object) {
  const given = isPaged ? { ...variables, ...page } : variables;
  const answer = await world.graph.executeDocument({ query }, given, requestContext(caller, newId()));
  const { data, errors } = JSON.parse(JSON.stringify(answer));
  if (errors?.[0].extensions.code === 'unavailable') throw new NotInTime(errors[0].message);
  if (errors) throw new Error(`${query} ${JSON.stringify(given)}: ${JSON.stringify(errors)}`);
  const found = 'parent' in data ? data.parent?.found : data.found;
  if (!found) throw new Error(`${query}: ${JSON.stringify(data)}`);
  return found;
}

/** The filter, or the order. */
const askedBy = ({ by, order }: ListCase): string => by ?? `orderBy ${order['orderBy']}`;

const isFollowed = (each: ListCase, { followed = [], followedWhenMany = [] }: ListPlan): boolean =>
  [...followed, ...followedWhenMany].includes(askedBy(each));

/** What is wrong with how the database answers that question, for a caller and on every page that is judged. */
async function faultsOf(
  each: ListCase,
  plan: ListPlan,
  value: unknown,
): Promise<{ faults: string[]; followed: boolean }> {
  const question = questionOf(each, plan, value);
  const faults: string[] = [];
  let followed = false;
  const judge = async <Result>(who: string, act: () => Promise<Result>, counted?: number): Promise<Result> => {
    const { result, reads } = await retried(() => profiled(world.stores, act));
    for (const read of reads) {
      const wrong = wrongWith(read, { size, counted, sums: plan.sums });
      if (wrong === null || (wrong.isBounded && counted && plan.isTotalFollowed)) continue;
      if (wrong.isBounded && isFollowed(each, plan)) followed = true;
      else faults.push(`${who}: ${wrong.text}`);
    }
    return result;
  };
  for (const [name, caller] of callers.slice(plan.isForAccounts ? 1 : 0)) {
    const who = `${name}, ${String(value)}`;
    await judge(`${who}, first`, () => ask(question, caller, { first: size }));
    if (!question.isPaged) continue;
    // Pages are judged within a short list, and far in a long one.
    const short = await retried(() => ask(question, caller, { first: 2 }));
    const long = await retried(() => ask(question, caller, { first: deepSize }));
    for (const { hasNextPage, endCursor } of [short, long])
      if (hasNextPage) await judge(`${who}, after`, () => ask(question, caller, { first: size, after: endCursor }));
    await judge(`${who}, last`, () => ask(question, caller, { last: size }));
    for (const { endCursor } of [short, long])
      if (endCursor) await judge(`${who}, before`, () => ask(question, caller, { last: size, before: endCursor }));
    if (each.order['orderBy']) continue;
    const total = questionOf(each, plan, value, 'total');
    const { totalCount } = await judge(`${who}, total`, () => listAsked(total, caller, {}), totalMax);
    faults.push(...miscounted(totalCount, long).map((wrong) => `${who}: ${wrong}`));
  }
  return { faults, followed };
}

/** A total is that of the items; where it is not known to the end, there are no fewer. */
function miscounted(totalCount: { value: number; isExact: boolean }, { cursors, hasNextPage }: Answer): string[] {
  const { value, isExact } = totalCount;
  const isRight = isExact ? (hasNextPage ? value > cursors : value === cursors) : value <= totalMax;
  return isRight ? [] : [`${JSON.stringify(totalCount)} for ${cursors}${hasNextPage ? ' and more' : ''}`];
}

test('every list of the graph has its row', () => {
  expect(Object.keys({ ...listPlans, ...smallLists }).sort()).toEqual(listsOfGraph().sort());
});

/** As REST documents it. */
const restOnly = ['Query.balanceReport'];
const impossible = Object.keys(listPlans)
  .filter((list) => !restOnly.includes(list))
  .flatMap(impossibleOf);

test.each(impossible)('$list of $values is refused, not empty', async ({ list, field, values }) => {
  const plan = listPlans[list] ?? {};
  const { query, variables } = documentOf(list, plan, {}, values);
  const answer = await world.graph.executeDocument({ query }, variables, requestContext(staff, newId()));
  const { errors } = JSON.parse(JSON.stringify(answer));
  expect(errors?.[0].extensions).toMatchObject({
    code: expect.stringMatching(/^(invalidInput|timesReversed)$/),
    field,
  });
});

const cases = Object.entries(listPlans).flatMap(([list, plan]) => casesOf(list, plan));

test.each(cases)('$list by $by $order', async (each) => {
  const plan = listPlans[each.list] ?? {};
  const asked = each.by === null ? { rare: null } : plan.asked?.[each.by];
  if (!asked) throw new Error(`${each.list} has no value for ${each.by}`);
  const judged = [];
  await forgetPlans();
  for (const value of Object.values(asked)) judged.push(await faultsOf(each, plan, value));
  expect(judged.flatMap(({ faults }) => faults)).toEqual([]);
  // What is let pass without need is let pass no more.
  if (plan.followedWhenMany?.includes(askedBy(each))) return;
  expect(judged.some(({ followed }) => followed)).toBe(isFollowed(each, plan));
});
