// One persisted operation for a page: its one field, or the refusal that the graph gave.
import type { RequestContext } from '../subgraphs/shared/callers/context';
import { DomainError } from '../subgraphs/shared/errors';
import type { Execute } from './page-server';

/** The one field of a persisted operation's data; throws the first error of the graph. */
export async function runPageOperation<Result>(
  execute: Execute,
  { operation, variables, context }: { operation: string; variables: Record<string, unknown>; context: RequestContext },
): Promise<Result> {
  const { data, errors } = await execute(operation, variables, context);
  if (errors?.[0]) throw errors[0];
  const [result] = Object.values(data ?? {});
  if (result === undefined) throw new Error(`${operation} answered nothing`);
  return result as Result;
}

export function present<Value>(value: Value | null): Value {
  if (value === null) throw new DomainError('notFound');
  return value;
}
