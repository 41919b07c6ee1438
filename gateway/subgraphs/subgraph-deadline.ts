// How long one subgraph is waited for: a read that hangs costs its own fields, not the whole answer. Writes have the time of their caller.
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import { inTime } from '../../subgraphs/shared/deadline';
import { DomainError } from '../../subgraphs/shared/errors';
import type { SubgraphClient } from './subgraph-client';

/** The client with a limit; who was too slow once for a request is not waited for again by the same one. */
export function subgraphWithDeadline(client: SubgraphClient, limitMs: number): SubgraphClient {
  const late = new WeakSet<RequestContext>();
  const tooSlow = () =>
    new DomainError('unavailable', `the ${client.name} part of the service takes too long`, { retryAfterSeconds: 1 });
  return {
    ...client,
    prepare(operation, operationName) {
      const run = client.prepare(operation, operationName);
      if (!/^\s*(query\b|\{)/.test(operation)) return run;
      return (variables, context, traceparent) => {
        if (late.has(context)) throw tooSlow();
        const result = run(variables, context, traceparent);
        if (!(result instanceof Promise)) return result;
        return inTime(result, limitMs, () => {
          late.add(context);
          return tooSlow();
        });
      };
    },
  };
}
