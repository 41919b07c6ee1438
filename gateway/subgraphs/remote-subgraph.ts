// A subgraph in another process: prebuilt request bodies over a connection pool, each call signed; a subgraph that is away is `unavailable`.
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import { createDeadline } from '../../subgraphs/shared/deadline';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { parseError } from '../errors';
import { callerHeader, signCall } from './internal-call';
import type { SenderKey } from './internal-keys';
import type { ResultObject, SubgraphClient, SubgraphResult } from './subgraph-client';

/** How long calls wait for a subgraph that does not accept connections: it is being restarted. */
const connectMsMax = 3_000;
const connectPauseMs = 100;
/** How long a subgraph may take to say that it is ready. */
const readyMsMax = 1_000;

export interface RemoteSubgraphOptions {
  name: string;
  /** Origin and path, for example http://127.0.0.1:4101/graphql. */
  url: string;
  signer: SenderKey;
  /** Longest time one call may take. */
  timeoutMs: number;
}

export function remoteSubgraph({ name, url, signer, timeoutMs }: RemoteSubgraphOptions): SubgraphClient {
  const address = new URL(url);
  const pool = new Pool(address.origin, {
    connections: 64,
    pipelining: 1,
    connectTimeout: 2_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });

  async function send({ body, isQuery, traceparent }: Sent, context: RequestContext): Promise<unknown> {
    const traced = traceparent ? { traceparent } : undefined;
    const isOver = createDeadline(connectMsMax);
    for (;;) {
      try {
        const statement = signCall(signer, { subgraph: name, method: 'POST', path: address.pathname, body }, context);
        const { statusCode, body: answer } = await pool.request({
          path: address.pathname,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            [callerHeader]: statement,
            'x-request-id': context.requestId,
            ...traced,
          },
          body,
          // A write is never cut off half way: its client may be gone, its effect is wanted or retried by key.
          signal: isQuery ? context.cancellation?.signal : undefined,
        });
        if (statusCode === 200) return await answer.json();
        await answer.dump();
        throw new Unusable(`subgraph ${name} answered ${statusCode}`);
      } catch (error) {
        if (error instanceof Unusable || !mayRetry(error, isQuery) || isOver()) throw unavailable(name);
        await wait(connectPauseMs);
      }
    }
  }

  return {
    name,
    prepare(operation, operationName) {
      const isQuery = /^\s*(query\b|\{)/.test(operation);
      const prefix = `{"query":${JSON.stringify(operation)},"operationName":${JSON.stringify(operationName ?? null)},"variables":`;
      return async (variables, context, traceparent) => {
        const body = `${prefix}${JSON.stringify(variables)}}`;
        return parseAnswer(await send({ body, isQuery, traceparent }, context), context);
      };
    },
    async isAnswering() {
      const answered = pool.request({ path: '/readyz', method: 'GET', signal: AbortSignal.timeout(readyMsMax) });
      return answered.then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode === 200;
        },
        () => false,
      );
    },
    close: () => pool.close(),
  };
}

interface Sent {
  body: string;
  isQuery: boolean;
  traceparent: string | undefined;
}

class Unusable extends Error {}

function unavailable(name: string): DomainError {
  return new DomainError('unavailable', `the ${name} part of the service cannot be reached`, { retryAfterSeconds: 1 });
}

/** A connection that never stood carried nothing; one that broke may have, so only reads go again. */
function mayRetry(error: unknown, isQuery: boolean): boolean {
  const code = (error as { code?: unknown }).code;
  const neverSent = code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT';
  return neverSent || (isQuery && (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'));
}

function parseAnswer(answer: unknown, context: RequestContext): SubgraphResult {
  const { data, errors, extensions } = (answer ?? {}) as Record<string, unknown>;
  if ((extensions as { idempotentReplayed?: unknown } | undefined)?.idempotentReplayed === true)
    context.reply.idempotentReplayed = true;
  return {
    data: (data ?? null) as ResultObject | null,
    ...withoutUndefined({
      errors: Array.isArray(errors) && errors.length > 0 ? errors.map(parseError) : undefined,
    }),
  };
}
