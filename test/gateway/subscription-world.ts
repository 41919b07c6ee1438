// A world for subscription conversations: an event log in memory whose commits the test orders, a small graph over it, real sockets.
import { openGraph } from '../../gateway/graph';
import { startGraphServer } from '../../gateway/http/server';
import { composeContract } from '../../gateway/plan/compose';
import type { Graph } from '../../gateway/plan/execute';
import { hashOfDocument, trustedDocuments } from '../../gateway/plan/trusted-documents';
import type { SubscriptionsDeps } from '../../gateway/subscriptions/subscription-deps';
import { createSubscriptions } from '../../gateway/subscriptions/subscriptions';
import type { PositionedEvent } from '../../subgraphs/notifications';
import type { Caller, CredentialChange, Scope } from '../../subgraphs/shared/callers/caller';
import { createAddressOf } from '../../subgraphs/shared/callers/caller-address';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import { DomainError, type DomainErrorCode } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import { silentLog, staff } from './fixture';
import { logInMemory } from './log-in-memory';
import { accounts, isVisible, notifications, owners, shownOf } from './subscription-subgraphs';
import { configOf, logOf, slowReaders, type WorldLimits } from './world-limits';

export type { WorldLimits } from './world-limits';

/** Nobody is counted for a wrong token. */
const strangers: Pick<SubscriptionsDeps, 'addressOf' | 'blame'> = {
  addressOf: createAddressOf(''),
  blame: async (_surface, _request, error) => error,
};

export interface CommitOptions {
  type?: string;
  silently?: boolean;
  accountId?: string;
  aggregateType?: 'virtualAccount' | 'payment' | 'application' | 'payout' | 'audit';
  aggregateId?: string;
  /** What a payment's event tells. */
  operationResult?: string;
  /** What the audit's event tells. */
  action?: string;
}

export interface World {
  url: string;
  graph: Graph;
  /** Commits an event of that merchant; a wake-up is sent unless told not to. */
  commit(merchantId: string, options?: CommitOptions): PositionedEvent;
  cursor(event: { position: number }): string;
  /** Events at or below are no longer kept. */
  setFloor(position: number): void;
  /** While true, completing an event answers `unavailable`. */
  setAway(isAway: boolean): void;
  /** So many operations, of those that come next, are refused with that code. */
  refuse(code: DomainErrorCode, times: number): void;
  revoke(hash: string): void;
  narrow(hash: string, scopes: readonly Scope[]): void;
  executions(): number;
  /** How often events were asked for, one or many at once. */
  fetches(): number;
  /** In whose name events were asked for, and from where: credential and address, in the order of asking. */
  viewers(): string[];
  /** Connections closed because their reader was too slow. */
  slowClosed(): number;
  /** How many subscriptions there are, by the gauge. */
  subscribers(): number;
  stop(): Promise<void>;
}

const callers: Record<string, Caller> = {
  staff,
  alpha: { ...staff, credentialId: 'alpha', accountId: 'alpha', scopes: ['graph:read'], accessTokenHash: 'hash-alpha' },
  alphaToo: {
    ...staff,
    credentialId: 'alpha2',
    accountId: 'alpha',
    scopes: ['graph:read'],
    accessTokenHash: 'hash-alpha2',
  },
  beta: { ...staff, credentialId: 'beta', accountId: 'beta', scopes: ['graph:read'], accessTokenHash: 'hash-beta' },
  person: {
    ...staff,
    kind: 'person',
    credentialId: 'person:1',
    scopes: ['graph:viewer'],
    accessTokenHash: 'hash-person',
  },
  listener: {
    ...staff,
    credentialId: 'listener',
    accountId: 'alpha',
    scopes: ['graph:events:read'],
    accessTokenHash: 'hash-listener',
  },
  psp: { ...staff, credentialId: 'psp', accountId: 'alpha', scopes: ['mts:token'] },
};
async function contractOf(
  subgraphs: Parameters<typeof composeContract>[0],
  { trusted = [], unmasked = [] }: WorldLimits,
) {
  const documents = Object.fromEntries(trusted.map((text) => [hashOfDocument(text), { name: 'x', text }]));
  return {
    ...(await composeContract(subgraphs, {})),
    trusted: trustedDocuments([{ documents }]),
    unmasked,
    subscriptionRules: new Proxy({}, { get: () => ['events:read'] }),
  };
}

export async function openWorld(limits: WorldLimits = {}): Promise<World> {
  const events: PositionedEvent[] = [];
  const live = new Map(Object.values(callers).map(({ accessTokenHash = '', scopes }) => [accessTokenHash, scopes]));
  const changes: CredentialChange[] = [];
  const wakers = new Set<() => void>();
  let [floor, isAway, executions, fetches] = [0, false, 0, 0];
  const viewers: string[] = [];
  const [slow, admission] = [slowReaders(), admitting(limits.operationsMax)];
  const cursor = ({ position }: { position: number }) => `cursor-${position}`;
  const log = logInMemory(events, { cursor, floor: () => floor });
  const complete = (eventId: string, context: RequestContext) => {
    executions += 1;
    if (isAway) throw new DomainError('unavailable');
    const event = events.find(({ _id }) => _id === eventId);
    return event && isVisible(context, event.accountId) ? { ...shownOf(event), cursor: cursor(event) } : null;
  };
  const completeAll = (eventIds: readonly string[], context: RequestContext) => {
    fetches += 1;
    viewers.push(`${context.caller.credentialId} ${context.address ?? 'nowhere'}`);
    return eventIds.map((eventId) => complete(eventId, context));
  };
  const subgraphs = [notifications(completeAll), accounts()];
  const contract = await contractOf(subgraphs, limits);
  const config = configOf(limits);
  const graph = openGraph({ contract, subgraphs, config, log: silentLog });
  const authenticate = async (authorization: string | undefined) => {
    const caller = callers[authorization?.replace('Bearer ', '') ?? ''];
    if (!caller || !live.has(caller.accessTokenHash ?? '')) throw new DomainError('unauthenticated');
    return caller;
  };
  const upgrades = createSubscriptions({
    graph,
    config,
    log: logOf(limits),
    clock: { now: () => new Date(0) },
    events: log,
    tracing: limits.tracing,
    ...strangers,
    authenticate,
    admit: admission.admit,
    metrics: slow.metrics,
    liveScopes: async () => live,
    changedSince: async () => changes,
    credentialWakeUps: () => () => undefined,
    wakeUps: (wake) => {
      wakers.add(wake);
      return () => wakers.delete(wake);
    },
  });
  const server = await startGraphServer({
    graph,
    config,
    log: silentLog,
    authenticate,
    admit: admitting().admit,
    upgrades,
    graphiqlDir: limits.graphiqlDir,
  });
  return {
    url: `ws://127.0.0.1:${server.port}/graphql`,
    graph,
    cursor,
    commit(
      merchantId,
      {
        type = 'virtualAccount.suspended',
        silently = false,
        accountId = owners[merchantId] ?? '',
        aggregateType = 'virtualAccount',
        aggregateId = `va-${merchantId}`,
        operationResult,
        action,
      } = {},
    ) {
      const position = (events.at(-1)?.position ?? 0) + 1;
      const event: PositionedEvent = {
        _id: newId(),
        environment: 'sandbox',
        accountId,
        merchantId,
        aggregateType,
        aggregateId,
        sequence: position,
        type,
        version: 1,
        occurredAt: new Date(position * 1_000),
        requestId: newId(),
        data: { operationResult, action },
        position,
      };
      events.push(event);
      if (!silently) for (const wake of wakers) wake();
      return event;
    },
    setFloor(position) {
      floor = position;
    },
    setAway(value) {
      isAway = value;
    },
    refuse: admission.refuse,
    revoke(hash) {
      live.delete(hash);
      changes.push({ kind: 'token', id: hash, at: new Date(changes.length) });
    },
    narrow(hash, scopes) {
      live.set(hash, scopes);
      const [, { credentialId }] = Object.entries(callers).find(([, each]) => each.accessTokenHash === hash) as [
        string,
        Caller,
      ];
      changes.push({ kind: 'client', id: credentialId, at: new Date(changes.length) });
    },
    executions: () => executions,
    fetches: () => fetches,
    viewers: () => viewers,
    slowClosed: slow.closed,
    subscribers: slow.here,
    async stop() {
      await server.stop();
      await graph.close();
    },
  };
}

/** Lets that many operations through, all of them when it is not given, but for those that are to be refused. */
function admitting(operationsMax = Number.POSITIVE_INFINITY) {
  let operations = 0;
  const refused: DomainErrorCode[] = [];
  return {
    async admit(): Promise<void> {
      operations += 1;
      const code = refused.shift();
      if (code) throw new DomainError(code);
      if (operations > operationsMax) throw new DomainError('rateLimited', undefined, { retryAfterSeconds: 7 });
    },
    refuse(code: DomainErrorCode, times: number): void {
      for (let each = 0; each < times; each += 1) refused.push(code);
    },
  };
}
