// Plans documents in a thread of its own, which starts with the first of them and ends when none came for a while: nobody who is served waits for a plan that is
// not his, and the planner's memory is given back.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryPlan } from '@apollo/query-planner';
import { type DocumentNode, print } from 'graphql';
import { type AnsweringThread, startAnsweringThread } from '../../subgraphs/shared/answering-thread';
import { DomainError } from '../../subgraphs/shared/errors';
import { UnknownPlanShape } from './plan-shape';
import { loadPlanner } from './planner';
import type { PlanAnswer, PlannerSettings, PlanRequest } from './planner-worker';

export interface OpenPlanner {
  /** Rejects with UnknownPlanShape for what only the gateway's own executor runs, with `unavailable` when the thread ends before it has answered. */
  plan(document: DocumentNode, operationName: string | undefined): Promise<QueryPlan>;
  close(): Promise<void>;
}

/** Loading it again takes half a second of a core. */
const idleMsMax = 60_000;
/** Of the thread's young generation: with the runtime's own measure it weighs 70 MB instead of 48. */
const youngMbMax = 6;

/** In a thread where the program is built; run from source there is no file for one, and this thread plans. */
export function openPlanner(settings: PlannerSettings): OpenPlanner {
  const script = join(__dirname, 'planner-worker.js');
  return existsSync(script) ? plannerThread(script, settings) : plannerHere(settings);
}

function plannerHere({ supergraphSdl, name }: PlannerSettings): OpenPlanner {
  let loading: ReturnType<typeof loadPlanner> | undefined;
  return {
    async plan(document, operationName) {
      loading ??= loadPlanner(supergraphSdl, name);
      return (await loading).plan(document, operationName);
    },
    async close() {},
  };
}

type PlannerThread = AnsweringThread<Omit<PlanRequest, 'id'>, PlanAnswer>;

/** `script`: the bundled planner-worker.ts. */
export function plannerThread(script: string, settings: PlannerSettings, idleMs = idleMsMax): OpenPlanner {
  let thread: PlannerThread | undefined;
  let idle: NodeJS.Timeout | undefined;

  function end(): Promise<unknown> | undefined {
    clearTimeout(idle);
    const ending = thread?.end();
    thread = undefined;
    return ending;
  }

  function start(): PlannerThread {
    const resourceLimits = { maxYoungGenerationSizeMb: youngMbMax };
    const started: PlannerThread = startAnsweringThread(
      script,
      { workerData: settings, name: 'planner', resourceLimits },
      () => {
        if (thread === started) thread = undefined;
      },
    );
    return started;
  }

  return {
    async plan(document, operationName) {
      clearTimeout(idle);
      thread ??= start();
      const answer = await thread.ask({ document: print(document), operationName });
      if (thread?.waiting === 0) {
        clearTimeout(idle);
        idle = setTimeout(end, idleMs).unref();
      }
      if (!answer) throw new DomainError('unavailable', 'The planner ended.', { retryAfterSeconds: 1 });
      if ('plan' in answer) return JSON.parse(answer.plan) as QueryPlan;
      throw answer.isUnknownShape ? new UnknownPlanShape(answer.error.message) : answer.error;
    },
    async close() {
      await end();
    },
  };
}
