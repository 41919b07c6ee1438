// What an answer lacks although the schema promises it: an error at each such place that nothing explains yet, and one line of the log for all of them.
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import { DomainError } from '../../subgraphs/shared/errors';
import type { Log } from '../../subgraphs/shared/log/log';
import { type ErrorPath, refusal } from '../errors';

/** A place whose value may not be what it is. */
export interface Lack {
  path: ErrorPath;
  /** In names of the schema: for the log. */
  message: string;
}

/** The errors with those of the lacks that none of them explains. Whoever was cancelled hears nothing any more. */
export function withLacks(
  errors: readonly GraphQLError[],
  lacks: readonly Lack[],
  { log, context }: { log: Log; context: RequestContext },
): readonly GraphQLError[] {
  if (lacks.length === 0 || context.cancellation?.isCancelled) return errors;
  const unexplained = lacks.filter(({ path }) => !errors.some((error) => explains(error, path)));
  const [first] = unexplained;
  if (!first) return errors;
  const { requestId } = context;
  const path = first.path.join('.');
  log.error(
    { requestId, path, count: unexplained.length, error: new Error(first.message), code: 'internal' },
    'an answer lacks what the schema promises',
  );
  return [...errors, ...unexplained.map(({ path }) => refusal(new DomainError('internal'), path))];
}

/** An error without a place of its own, such as of a whole fetch, may be the reason of any. */
function explains({ path }: GraphQLError, lacking: ErrorPath): boolean {
  if (!path || path.includes('_entities')) return true;
  return path.slice(0, lacking.length).every((part, index) => part === lacking[index]);
}

/** The gateway's own executor tells what it lacks beside the answer, without saying whether anything is there at all. */
export function withLacksTold(result: ExecutionResult, told: { log: Log; context: RequestContext }): ExecutionResult {
  const { valueCompletion } = result.extensions ?? {};
  if (!Array.isArray(valueCompletion)) return result;
  const lacks = (valueCompletion as Partial<Lack>[]).map(({ path = [], message = '' }) => ({ path, message }));
  const errors = withLacks(result.errors ?? [], lacks, told);
  const { data = null } = result;
  return errors.length > 0 ? { errors, data } : { data };
}
