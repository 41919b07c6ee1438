// The thread that plans: the planner's memory and its long calculations are not the serving thread's. Bundled by itself.
import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'graphql';
import { UnknownPlanShape } from './plan-shape';
import { loadPlanner, type PlannerName, planText } from './planner';

export interface PlannerSettings {
  supergraphSdl: string;
  name?: PlannerName | undefined;
}

export interface PlanRequest {
  id: number;
  document: string;
  operationName: string | undefined;
}

/** The plan as JSON, or why there is none. */
export type PlanAnswer = { id: number } & ({ plan: string } | { error: Error; isUnknownShape: boolean });

const { supergraphSdl, name } = workerData as PlannerSettings;
/** Loaded for the first document, which hears of it when that fails. */
let loading: ReturnType<typeof loadPlanner> | undefined;

parentPort?.on('message', async (request: PlanRequest) => parentPort?.postMessage(await answer(request)));

async function answer({ id, document, operationName }: PlanRequest): Promise<PlanAnswer> {
  try {
    loading ??= loadPlanner(supergraphSdl, name);
    const planner = await loading;
    return { id, plan: planText(planner.plan(parse(document, { noLocation: true }), operationName)) };
  } catch (error) {
    return { id, error: error as Error, isUnknownShape: error instanceof UnknownPlanShape };
  }
}
