// Rows that were begun and broken off: whatever ends their job meanwhile, the report never says of money that moved that it did not.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { eventually } from '../support/stores';
import { type JobWorld, openJobWorld, payments, refused } from './job-world';
import { admin, type World } from './world';

let world: JobWorld;
let other: World['access'];
beforeAll(async () => {
  world = await openJobWorld();
  ({ access: other } = await world.instance());
});
afterAll(() => world.closeAll());
afterEach(() => world.endAll());

const ids = Array.from({ length: 25 }, (_, index) => `p${index}`);
const told = (first: (string | null)[], last: (string | null)[]) =>
  ids.map((id, index) => [id, ...(index < 20 ? first : last)]);

/** Of 25 rows 20 were begun and four refunds made when the process died; the next one finds the four under their keys. */
async function brokenOff(caller?: Caller) {
  const dead = new Promise<never>(() => undefined);
  const first = payments((operation) => (operation === 'RefundInJob' ? dead : undefined));
  const jobId = await world.begun({ act: 'REFUND_PAYMENT', ids }, caller);
  void world.carryOut(first.execute);
  await eventually(() => first.done.size === 4);
  return { jobId, done: first.done };
}

/** A graph that has done that already, and is away for as long as it is said. */
function graphAfter(done: ReadonlyMap<string, Record<string, unknown>>, isAway = () => false) {
  const graph = payments((operation) => (operation === 'RefundInJob' && isAway() ? refused('unavailable') : undefined));
  for (const [key, variables] of done) graph.done.set(key, variables);
  return graph;
}

async function lockOut({ credentialId }: Caller): Promise<void> {
  const personId = credentialId.slice('person:'.length);
  const { code } = await world.ask(
    'mutation ($personId: ID!) { setPersonStatus(personId: $personId, status: DISABLED) { status } }',
    { personId },
    admin,
  );
  expect(code).toBeNull();
}

test('who began it is locked out: what was begun may have been done, and the rest is refused', async () => {
  const pia = await world.signedIn('pia', 'ops');
  const { jobId, done } = await brokenOff(pia);
  await lockOut(pia);
  await world.endClaims();
  const graph = graphAfter(done);
  await world.carryOut(graph.execute, other);
  expect(await world.report(jobId)).toEqual(told(['UNKNOWN', 'outcomeUnknown'], ['FAILED', 'forbidden']));
  expect(await world.read(jobId)).toMatchObject({ state: 'DONE', succeeded: 0, failed: 25 });
  expect(graph.done.size).toBe(4);
});

test.each([
  ['while it runs', ['cancelJob']],
  ['while it is held', ['pauseJob', 'cancelJob']],
])('cancelled (%s): what was begun is asked for its outcome, and nothing else is begun', async (_when, moves) => {
  const { jobId, done } = await brokenOff();
  for (const move of moves) expect((await world.move(move, jobId)).code).toBeNull();
  await world.endClaims();
  const graph = graphAfter(done);
  expect(await world.carryOut(graph.execute, other)).toBe(1);
  expect(await world.report(jobId)).toEqual(told(['SUCCEEDED', null], ['WAITING', null]));
  expect(await world.read(jobId)).toMatchObject({ state: 'CANCELLED', done: 20, succeeded: 20, failed: 0 });
  expect(graph.done.size).toBe(20);
  // Nobody looks at it again.
  expect(await world.carryOut(graph.execute, other)).toBe(0);
});

test('cancelled, and what was begun cannot be asked for: it says so, and is asked again', async () => {
  const { jobId, done } = await brokenOff();
  await world.move('cancelJob', jobId);
  await world.endClaims();
  let isAway = true;
  const graph = graphAfter(done, () => isAway);
  const stopping = new AbortController();
  const running = other.carryOutJobs(graph.execute, stopping.signal);
  await eventually(async () => (await world.read(jobId)).hindrance === 'it is unavailable');
  stopping.abort();
  await running;
  expect(await world.read(jobId)).toMatchObject({ state: 'CANCELLED', done: 0 });
  isAway = false;
  await world.carryOut(graph.execute, other);
  expect(await world.read(jobId)).toMatchObject({ state: 'CANCELLED', succeeded: 20, hindrance: null });
});

test('cancelled, and who began it is locked out: what was begun may have been done', async () => {
  const paul = await world.signedIn('paul', 'ops');
  const { jobId, done } = await brokenOff(paul);
  await world.move('cancelJob', jobId);
  await lockOut(paul);
  await world.endClaims();
  await world.carryOut(graphAfter(done).execute, other);
  expect(await world.report(jobId)).toEqual(told(['UNKNOWN', 'outcomeUnknown'], ['WAITING', null]));
  expect(await world.read(jobId)).toMatchObject({ state: 'CANCELLED', failed: 20 });
});
