// Plans made in a thread: the same as in this one, the same refusals, and a thread that ends by itself, is taken away or dies is no end of planning.
import threads from 'node:worker_threads';
import { parse } from 'graphql';
import { UnknownPlanShape } from '../../gateway/planner/plan-shape';
import { loadPlanner, plannerNames, planText } from '../../gateway/planner/planner';
import { type OpenPlanner, plannerThread } from '../../gateway/planner/planner-thread';
import { built } from '../support/built';
import { contract } from '../support/graph-contract';

const { supergraphSdl } = contract;
const document = parse('query Named($id: ID!) { merchant(merchantId: $id) { name terminals { terminalId } } }');
const planned = async (planner: OpenPlanner) => (await planner.plan(document, 'Named')).kind;

const started: threads.Worker[] = [];
const { Worker } = threads;
let planner: OpenPlanner | undefined;

beforeEach(() => {
  started.length = 0;
  jest.spyOn(threads, 'Worker').mockImplementation((...given) => {
    const worker = new Worker(...given);
    started.push(worker);
    return worker;
  });
});

afterEach(async () => {
  jest.restoreAllMocks();
  await planner?.close();
});

function open(options: { sdl?: string; idleMs?: number } = {}): OpenPlanner {
  planner = plannerThread(
    built('gateway/planner/planner-worker.js'),
    { supergraphSdl: options.sdl ?? supergraphSdl },
    options.idleMs,
  );
  return planner;
}

it.each(plannerNames)('plans as %s does in the thread that serves', async (name) => {
  planner = plannerThread(built('gateway/planner/planner-worker.js'), { supergraphSdl, name });
  const here = await loadPlanner(supergraphSdl, name);
  const [one, other] = await Promise.all([
    planner.plan(document, 'Named'),
    planner.plan(parse('{ viewer { name } }'), undefined),
  ]);
  expect(one).toEqual(JSON.parse(planText(here.plan(document, 'Named'))));
  expect(other).toEqual(JSON.parse(planText(here.plan(parse('{ viewer { name } }'), undefined))));
  expect(started).toHaveLength(1);
});

it('tells a shape that is left to the gateway’s own executor from what is no document of this graph', async () => {
  planner = plannerThread(built('gateway/planner/planner-worker.js'), { supergraphSdl, name: 'hive' });
  const nothing = planner.plan(parse('{ nothingOfThisName }'), undefined);
  await expect(nothing).rejects.toThrow(UnknownPlanShape);
  const wrong = open().plan(parse('{ nothingOfThisName }'), undefined);
  await expect(wrong).rejects.toThrow('nothingOfThisName');
  await expect(wrong).rejects.not.toThrow(UnknownPlanShape);
});

it('has no thread before the first document, ends it when none came for a while, and starts another', async () => {
  const resting = open({ idleMs: 50 });
  expect(started).toHaveLength(0);
  await planned(resting);
  await ended(0);
  expect(await planned(resting)).toBe('QueryPlan');
  expect(started).toHaveLength(2);
});

it.each<[string, () => unknown]>([
  ['it dies', () => started[0]?.terminate()],
  ['it is closed', () => planner?.close()],
])('refuses with `unavailable` what waits when %s, and plans what comes next', async (_when, act) => {
  const waiting = planned(open());
  act();
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
  expect(await planned(planner as OpenPlanner)).toBe('QueryPlan');
});

it('says why it cannot plan at all', async () => {
  await expect(planned(open({ sdl: 'type Query' }))).rejects.toThrow(/supergraph/i);
});

function ended(index: number): Promise<unknown> {
  return new Promise((resolve) => started[index]?.once('exit', resolve));
}
