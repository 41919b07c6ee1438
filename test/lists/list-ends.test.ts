// Every list of the graph can be walked from either end: backward comes what comes forward, the other way round, and each page says what stands before and behind it.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { printCursor } from '../../subgraphs/shared/lists/page';
import { staff as system } from '../journeys/entity-world';
import { documentOf, isPagedList } from './list-cases';
import { listPlans } from './list-table';
import { type ListWorld, openListWorld } from './list-world';

const size = 3;
const pagesMax = 3;
const staff: Caller = { ...system, scopes: ['graph:read', 'graph:admin', 'pages', 'checkout'] };
/** The payouts here have fewer actions than they say: payout-filter.test.ts. */
const paged = Object.keys(listPlans).filter((list) => isPagedList(list) && list !== 'Payout.actions');

let world: ListWorld;
beforeAll(async () => {
  world = await openListWorld(300);
});
afterAll(() => world?.close());

interface Found {
  edges: { cursor: string }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

async function answerOf(list: string, page: object) {
  const { query, variables } = documentOf(list, listPlans[list] ?? {}, {}, {});
  const answer = await world.graph.executeDocument(
    { query },
    { ...variables, ...page },
    requestContext(staff, newId()),
  );
  return JSON.parse(JSON.stringify(answer));
}

async function pageOf(list: string, page: object): Promise<Found> {
  const { data, errors } = await answerOf(list, page);
  if (errors) throw new Error(`${list} ${JSON.stringify(page)}: ${JSON.stringify(errors)}`);
  return 'parent' in data ? data.parent.found : data.found;
}

const cursorsOf = ({ edges }: Found) => edges.map(({ cursor }) => cursor);

test.each(paged)('%s, walked from either end', async (list) => {
  const forward: string[] = [];
  let after: string | null = null;
  for (let pages = 0, more = true; more && pages < pagesMax; pages += 1) {
    const found: Found = await pageOf(list, { first: size, after });
    expect(found.pageInfo.hasPreviousPage).toBe(after !== null);
    forward.push(...cursorsOf(found));
    ({ hasNextPage: more, endCursor: after } = found.pageInfo);
  }
  const backward: string[] = [];
  for (let before = after, pages = 0, more = true; more && pages < pagesMax; pages += 1) {
    const found: Found = await pageOf(list, { last: size, before });
    expect(found.pageInfo.hasNextPage).toBe(true);
    backward.unshift(...cursorsOf(found));
    ({ hasPreviousPage: more, startCursor: before } = found.pageInfo);
  }
  expect(forward.length).toBeGreaterThan(1);
  expect(backward).toEqual(forward.slice(0, -1));
});

test.each(paged)('%s ends where it says', async (list) => {
  const end = await pageOf(list, { last: 2 });
  expect([cursorsOf(end).length, end.pageInfo.hasNextPage]).toEqual([2, false]);
  const rest = await pageOf(list, { first: size, after: end.pageInfo.startCursor });
  expect([cursorsOf(rest), rest.pageInfo.hasNextPage]).toEqual([cursorsOf(end).slice(1), false]);
});

test.each(paged)('%s refuses pages that are none', async (list) => {
  const foreign = printCursor(['of', 'another', 'list', 'than', 'all', 'of', 'these']);
  for (const [page, field] of [
    [{ first: 1, last: 1 }, 'last'],
    [{ after: foreign, before: foreign }, 'last'],
    [{ last: 0 }, 'last'],
    [{ last: 101 }, 'last'],
    [{ last: 1, before: 'x' }, 'before'],
    [{ last: 1, before: foreign }, 'before'],
    [{ first: 1, after: foreign }, 'after'],
  ] as const) {
    const { errors } = await answerOf(list, page);
    expect([page, errors?.[0].extensions]).toEqual([page, expect.objectContaining({ code: 'invalidInput', field })]);
  }
});
