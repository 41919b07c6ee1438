// Acts in bulk, carried out where the graph is: each row is an operation of it in the name of whoever began the job. One process leads.
import type { Graph } from '../gateway/graph';
import type { Running } from '../workers';
import type { Platform } from './platform';
import { parts } from './role-parts';

export function startJobs(
  { access, connection, log, metrics }: Platform,
  { execute }: Pick<Graph, 'execute'>,
): Running {
  const run = (stopping: AbortSignal) => access.carryOutJobs(execute, stopping);
  const tasks = [{ name: 'carry out jobs', everyMs: 500, run }];
  return parts.janitor.startJanitor({ connection, log, metrics, lease: 'jobs', tasks });
}
