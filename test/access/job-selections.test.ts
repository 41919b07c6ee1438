// Selections of jobs: they become rows page after page, each page once whatever comes between, and one that is refused ends its job.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { type Answer, type JobWorld, openJobWorld, refused } from './job-world';

let world: JobWorld;
beforeAll(async () => {
  world = await openJobWorld();
});
afterAll(() => world.closeAll());
afterEach(() => world.endAll());

const since = '2026-11-01T00:00:00Z';
const selection = { act: 'REDELIVER_CALLBACK', callbacks: { since } };

const pageOf = (callbackIds: string[], endCursor: string | null = null): Answer => ({
  data: {
    found: {
      edges: callbackIds.map((callbackId) => ({ node: { callbackId } })),
      pageInfo: { hasNextPage: endCursor !== null, endCursor },
    },
  },
});

/** A graph whose callbacks are those pages; what was sent again is noted. */
function callbacks(pages: (status: string, after: string | null) => Promise<Answer> | Answer) {
  const sent: unknown[] = [];
  const execute = async (operation: string, { filter, after, id }: Record<string, unknown>): Promise<Answer> => {
    if (operation === 'LookAtCallbackOfJob')
      return { data: { found: { actions: [{ action: 'REDELIVER', allowed: true, reason: null }] } } };
    if (operation === 'CallbacksOfJob') return pages((filter as { status: string }).status, after as string | null);
    sent.push(id);
    return { data: { done: {} } };
  };
  return { execute, sent };
}

test('a selection becomes rows, page after page', async () => {
  const asked: unknown[] = [];
  const { execute, sent } = callbacks((status, after) => {
    asked.push([status, after]);
    if (status !== 'EXHAUSTED') return pageOf([]);
    return after === null ? pageOf(['c1', 'c2'], 'next') : pageOf(['c3', 'c4']);
  });
  const tom = await world.signedIn('tom', 'alpha');
  const jobId = await world.begun(selection, tom);
  await world.carryOut(execute);
  expect(await world.read(jobId, tom)).toMatchObject({ state: 'DONE', total: 4, succeeded: 4 });
  expect(asked).toEqual([
    ['EXHAUSTED', null],
    ['EXHAUSTED', 'next'],
    ['REJECTED', null],
    ['ENDED', null],
  ]);
  expect(sent.toSorted()).toEqual(['c1', 'c2', 'c3', 'c4']);
});

test.each([
  ['one fewer', ['c1', 'c3']],
  ['one more', ['c0', 'c1', 'c2', 'c3']],
])('held while its last page was read, which then has %s: each of it is sent again once', async (_what, then) => {
  const jobId = await world.begun(selection);
  let isHeld = false;
  const { execute, sent } = callbacks(async (status) => {
    if (status !== 'ENDED') return pageOf([]);
    if (isHeld) return pageOf(then);
    isHeld = true;
    await world.move('pauseJob', jobId);
    return pageOf(['c1', 'c2', 'c3']);
  });
  await world.carryOut(execute);
  expect(await world.read(jobId)).toMatchObject({ state: 'PAUSED', total: 0 });
  await world.move('resumeJob', jobId);
  await world.endClaims();
  await world.carryOut(execute);
  expect(await world.read(jobId)).toMatchObject({ state: 'DONE', total: then.length, succeeded: then.length });
  expect(sent.toSorted()).toEqual(then);
});

test('a selection that is refused ends its job, which says why, and nothing of it is done', async () => {
  const { execute, sent } = callbacks((status) => (status === 'REJECTED' ? refused('forbidden') : pageOf(['c1'])));
  const jobId = await world.begun(selection);
  await world.carryOut(execute);
  expect(await world.read(jobId)).toMatchObject({
    state: 'CANCELLED',
    refusal: 'it is forbidden',
    hindrance: null,
    succeeded: 0,
  });
  expect(await world.carryOut(execute)).toBe(0);
  expect(sent).toEqual([]);
});

test('rows that 0.5.0 wrote and did not count are those of the page that is read now', async () => {
  const jobId = await world.begun(selection);
  const { execute, sent } = callbacks((status) => pageOf(status === 'EXHAUSTED' ? ['c1', 'c3'] : []));
  const rows = world.connection.collection('job_rows');
  const ids = await world.begun({ act: 'REDELIVER_CALLBACK', ids: ['c1', 'c2', 'c3'] });
  const former = await rows.find({ jobId: ids }).sort({ number: 1 }).toArray();
  await rows.insertMany(former.map((row) => ({ ...row, _id: `${jobId}:${row['number']}` as never, jobId })));
  await world.move('cancelJob', ids);
  await world.carryOut(execute);
  expect(await world.read(jobId)).toMatchObject({ state: 'DONE', total: 2, succeeded: 2 });
  expect(sent.toSorted()).toEqual(['c1', 'c3']);
});

test('who may not read callbacks selects none, and names them by their ids', async () => {
  const tom = await world.signedIn('tom', 'alpha');
  const caller: Caller = { ...tom, kind: 'client', scopes: ['graph:callbacks:write'] };
  const begin = 'mutation ($input: StartJobInput!) { startJob(input: $input) { jobId } }';
  const named = { act: 'REDELIVER_CALLBACK', ids: ['c1'] };
  const code = async (input: object) =>
    (await world.ask(begin, { input: { ...input, reason: 'case 7' } }, caller)).code;
  expect([await code(selection), await code(named)]).toEqual(['forbidden', null]);
});
