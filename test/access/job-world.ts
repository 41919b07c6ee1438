// A world for acts in bulk: people who begin them, and a graph of payments that are refunded once for each key.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { ask as askAccess, openWorld, type World } from './world';

export type JobWorld = Awaited<ReturnType<typeof openJobWorld>>;

const fields = `jobId act state dryRun reason startedBy total done succeeded failed hasMore hindrance refusal
  actions { action allowed } sums { currency amount money { minor currency } } refusals { code message count } rows(first: 100) { edges { node { number key outcome code message amount currency money { minor currency } operationId } } }`;

export async function openJobWorld() {
  const world = await openWorld({}, { ops: 'operator', alpha: 'tenant:alpha' });
  const olga = await signedIn('olga', 'ops');
  await world.access.seedClient({
    clientId: 'graph-admin',
    clientSecret: 'a secret of the tests',
    family: 'graph',
    accountId: null,
    scopes: ['graph:read', 'graph:admin'],
    identifiers: [],
  });

  async function signedIn(subject: string, group: string): Promise<Caller> {
    const identity = { issuer: 'https://id.example', subject, name: `${subject} Person`, email: null, groups: [group] };
    const { value } = await world.access.sessions.signIn(
      { ...identity, authTime: world.clock.now() },
      { requestId: newId() },
    );
    return (await world.access.sessions.read(value)).caller;
  }

  const ask = async (source: string, variables: Record<string, unknown>, caller: Caller) => {
    const { data, codes } = await askAccess(world.access, source, { variables, caller });
    return { data, code: codes[0] ?? null };
  };
  const start = async (input: object, caller: Caller = olga) => {
    const { data, code } = await ask(
      `mutation ($input: StartJobInput!) { startJob(input: $input) { ${fields} } }`,
      { input: { reason: 'case 7', ...input } },
      caller,
    );
    return { job: data?.startJob, code };
  };
  const read = async (jobId: string, caller: Caller = olga) =>
    (await ask(`query ($jobId: ID!) { job(jobId: $jobId) { ${fields} } }`, { jobId }, caller)).data.job;

  return {
    ...world,
    olga,
    signedIn,
    ask,
    start,
    read,
    begun: async (input: object, caller?: Caller): Promise<string> => (await start(input, caller)).job.jobId,
    move: (name: string, jobId: string, caller: Caller = olga) =>
      ask(`mutation ($jobId: ID!) { ${name}(jobId: $jobId) { state } }`, { jobId }, caller),
    report: async (jobId: string) =>
      (await read(jobId)).rows.edges.map(
        ({ node }: { node: { key: string; outcome: string; code: string | null } }) => [
          node.key,
          node.outcome,
          node.code,
        ],
      ),
    carryOut: async (execute: Execute, access = world.access) =>
      access.carryOutJobs(execute, new AbortController().signal),
    /** As if every process that carries jobs out had died, and a quarter of a minute passed. */
    endClaims: () => world.connection.collection('jobs').updateMany({}, { $unset: { claimedUntil: 1 } }),
    /** Whatever a test left running is nobody's any more. */
    endAll: () => world.connection.collection('jobs').updateMany({}, { $set: { state: 'DONE' } }),
  };
}

export type Execute = Parameters<World['access']['carryOutJobs']>[0];

export type Answer = { data?: Record<string, unknown>; errors?: { message: string; extensions: { code: string } }[] };
export const refused = (code: string): Answer => ({ errors: [{ message: `it is ${code}`, extensions: { code } }] });
export const payment = (action: string, reason: string | null = null) => ({
  currency: 'EUR',
  authorizedAmount: '1000',
  capturedAmount: action === 'REFUND' ? '1000' : '0',
  refundedAmount: '0',
  actions: [{ action, allowed: reason === null, reason: reason && { code: reason, message: `it is ${reason}` } }],
  operations: {
    edges: [
      { node: { operationId: 'capture', operationType: 'CAPTURE', possibleActions: [{ action, allowed: true }] } },
      {
        node: { operationId: 'charge', operationType: 'AUTHORIZATION', possibleActions: [{ action, allowed: true }] },
      },
    ],
  },
});

/** A graph of payments `p...` that are refunded, once for each key: what was done before is answered again. */
export function payments(
  special: (operation: string, id: string) => Promise<Answer | undefined> | Answer | undefined = () => undefined,
) {
  const done = new Map<string, Record<string, unknown>>();
  const callers: Caller[] = [];
  const execute = async (
    operation: string,
    variables: Record<string, unknown>,
    { caller, idempotency }: RequestContext,
  ): Promise<Answer> => {
    callers.push(caller);
    const id = String(variables['id']);
    if (operation === 'LookAtPaymentOfJob') {
      const own = await special(operation, id);
      return own ?? { data: { found: id.startsWith('p') ? payment('REFUND') : null } };
    }
    const key = idempotency?.key ?? 'no key';
    const isNew = !done.has(key);
    if (isNew) done.set(key, variables);
    const own = await special(operation, key);
    const operationAmount = String(variables['amount'] ?? '1000');
    const operation_ = { operationResult: 'REFUNDED', operationAmount, operationCurrency: 'EUR' };
    return own ?? { data: { done: { operationId: `of ${key}`, operation: operation_ } } };
  };
  return { execute, done, callers };
}
