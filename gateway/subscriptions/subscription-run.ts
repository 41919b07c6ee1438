// A subscription of any client, whatever it travels by: checked before anything is sent, then run until it is over.
import { assertAllowed } from '../../subgraphs/shared/callers/allow';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { OperationRecord } from '../plan/operation-record';
import type { PreparedOperation } from '../plan/prepared-operation';
import type { Variables } from '../subgraphs/subgraph-client';
import { assertMayHear } from './event-filter';
import type { EventTail, TailPlace } from './event-tail';
import { followLog, logStartOf } from './log-follower';
import { follow, startOf } from './subscriber';
import type { Member, SubscriberGroup } from './subscriber-group';
import type { SubscriberGroups } from './subscriber-groups';
import type { SubscriptionsDeps } from './subscription-deps';
import { type PreparedSubscription, prepareSubscription } from './subscription-document';
import { merchantDocument } from './subscription-field';
import type { MaySubscribe } from './subscription-owner';

export interface SubscriptionRunDeps extends SubscriptionsDeps {
  groups: SubscriberGroups;
  tail: EventTail;
  maySubscribe: MaySubscribe;
}

interface SubscribeRequest {
  asked: OperationRecord;
  caller: Caller;
  operation: PreparedOperation;
  variables: Variables;
}

type MemberRun = Pick<SubscribeRequest, 'operation' | 'variables'> & { member: Member };

export interface CheckedSubscription {
  /** Events up to there are not for it, where they are counted by position. */
  from: number;
  /** Taken for it; `leaveSubscription` gives it back. */
  group: SubscriberGroup;
  run(run: MemberRun, isOver: () => boolean): Promise<void>;
}

/** Rights and cursor, before anything is sent; takes a place in the group, which is to be given back once for each that was checked. */
export async function checkSubscription(
  deps: SubscriptionRunDeps,
  { asked, caller, operation, variables }: SubscribeRequest,
  arrived: TailPlace,
): Promise<CheckedSubscription> {
  const { graph, groups, metrics } = deps;
  const subscription = await prepareSubscription(graph, operation, variables);
  assertAllowed({ caller }, graph.subscriptionRule(subscription.fieldName));
  const started = await starting(deps, caller, subscription, arrived);
  const group = groups.acquire(subscription, { caller, address: asked.address });
  metrics?.subscribers.inc();
  asked.trace.kind = operation.kind;
  asked.trace.used = operation.used();
  return {
    from: started.from,
    group,
    run: (run, isOver) => traced(deps, asked, operation, () => started.follow({ ...run, group }, isOver)),
  };
}

/** A span from when it may begin until it has told what was missed and is live: it does not last as long as the subscription. */
async function traced(
  { tracing }: Pick<SubscriptionRunDeps, 'tracing'>,
  { requestId, trace }: OperationRecord,
  { kind, label }: PreparedOperation,
  run: () => Promise<void>,
): Promise<void> {
  if (!tracing) return run();
  const { traceparent } = trace;
  const span = tracing.operation({ kind, name: label, requestId, ...withoutUndefined({ traceparent }) });
  try {
    await run();
    span.end(undefined);
  } catch (error) {
    span.end(error instanceof DomainError ? error.code : 'internal');
    throw error;
  }
}

interface LeftGroup {
  group: SubscriberGroup;
  requestId: string;
  /** The name of the operation in logs and metrics. */
  label: string;
  credentialId: string;
}

export function leaveSubscription(
  { groups, metrics, log }: SubscriptionRunDeps,
  { group, requestId, label, credentialId }: LeftGroup,
  member: Member,
): void {
  group.remove(member);
  groups.release(group);
  metrics?.subscribers.dec();
  log.info({ requestId, operation: label, kind: 'subscription', credentialId }, 'subscription ended');
}

type Follow = (run: MemberRun & { group: SubscriberGroup }, isOver: () => boolean) => Promise<void>;

/** Whether the caller may follow that, and from where. */
async function starting(
  deps: SubscriptionRunDeps,
  caller: Caller,
  subscription: PreparedSubscription,
  arrived: TailPlace,
): Promise<{ from: number; follow: Follow }> {
  const { follows, after, last } = subscription;
  if ('owner' in follows) {
    const { field, owner } = follows;
    if (!(await deps.maySubscribe(caller, field, owner)))
      throw new DomainError('notFound', 'there is no such owner of events', { field: field.ownerArgument });
    const start = await startOf(deps, { ...follows, after }, arrived);
    return { from: start.from, follow: (run, isOver) => follow({ ...deps, ...run, subscription }, start, isOver) };
  }
  const { filter } = follows;
  assertMayHear(caller, filter);
  const asked = [...(filter.merchantIds ?? [])];
  const answers = await Promise.all(
    asked.map((id) => deps.maySubscribe(caller, { ownerDocument: merchantDocument }, id)),
  );
  if (answers.includes(false))
    throw new DomainError('notFound', `there is no merchant ${asked[answers.indexOf(false)]?.slice(0, 64)}`, {
      field: 'filter.merchantIds',
    });
  const start = await logStartOf(deps, { caller, filter, after, last }, arrived);
  return {
    from: Number.POSITIVE_INFINITY,
    follow: (run, isOver) => followLog({ ...deps, ...run, subscription }, start, isOver),
  };
}
