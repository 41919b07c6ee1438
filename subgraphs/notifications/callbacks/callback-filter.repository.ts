// How callbacks are asked for, and the condition of the database that it makes.
import type { Document } from 'mongodb';
import { withoutAbsent } from '../../shared/present-members';
import { allOf, anyOf } from '../../shared/store/conditions';
import type { CallbackKind } from '../kinds/callback-kinds';
import type { CallbackStatus } from './callback';
import type { Claim } from './stored-endpoint';

/** What ended without being delivered: few, and an index has them. */
export const failedStatuses = ['EXHAUSTED', 'REJECTED', 'ENDED'] as const;

export interface CallbackFilter {
  status?: CallbackStatus | null;
  kind?: CallbackKind | null;
  /** Any of these. */
  statuses?: readonly CallbackStatus[] | null;
  kinds?: readonly CallbackKind[] | null;
  merchantIds?: readonly string[] | null;
  endpointIds?: readonly string[] | null;
  merchantId?: string | null;
  endpointId?: string | null;
  eventId?: string | null;
  virtualAccountId?: string | null;
  operationId?: string | null;
  applicationId?: string | null;
  /** On `createdAt`; inclusive. */
  since?: Date | null;
  /** Exclusive. */
  until?: Date | null;
}

/** Whether some of those that are not delivered yet are wanted. */
export function asksForOpen({ status, statuses }: CallbackFilter): boolean {
  const asked = [status, ...(statuses ?? [])];
  return asked.includes('PENDING') || asked.includes('SENDING');
}

/** `claims` are those of the caller's endpoints, where open ones are asked for. */
export function conditionOf(filter: CallbackFilter, claims: readonly Claim[]): Document {
  const { since, until, virtualAccountId, operationId, applicationId, status, statuses, ...rest } = filter;
  const { kinds, merchantIds, endpointIds, ...equal } = rest;
  const orderingKeys = [virtualAccountId, operationId, applicationId].filter(
    (key) => key !== null && key !== undefined,
  );
  return {
    ...withoutAbsent({
      ...equal,
      createdAt: since || until ? withoutAbsent({ $gte: since, $lt: until }) : null,
    }),
    ...allOf([
      ...orderingKeys.map((orderingKey) => ({ orderingKey })),
      ...anyOf({ kind: kinds, merchantId: merchantIds, endpointId: endpointIds }),
      ...(status ? [statusFilter([status], claims)] : []),
      ...(statuses ? [statusFilter(statuses, claims)] : []),
    ]),
  };
}

/** Any of the statuses. */
function statusFilter(statuses: readonly CallbackStatus[], claims: readonly Claim[]): Document {
  const closed = statuses.filter((status) => status !== 'PENDING' && status !== 'SENDING');
  const wanted = [...openFilter(statuses, claims), ...(closed.length > 0 ? [closedFilter(closed)] : [])];
  return wanted.length === 1 && wanted[0] ? wanted[0] : { $or: wanted };
}

/** An open one is on its way when a claim of its endpoint names it and it has not been recorded since. */
function openFilter(statuses: readonly CallbackStatus[], claims: readonly Claim[]): Document[] {
  const [isPending, isSending] = [statuses.includes('PENDING'), statuses.includes('SENDING')];
  if (!isPending && !isSending) return [];
  const claimed = claims.map(({ at, callbackIds }) => ({ _id: { $in: callbackIds }, dueAt: { $lte: at } }));
  if (isPending && isSending) return [{ open: true }];
  if (isPending) return [claimed.length > 0 ? { open: true, $nor: claimed } : { open: true }];
  return [claimed.length > 0 ? { open: true, $or: claimed } : { _id: { $in: [] } }];
}

/** Several are said in the words of the index, too: MongoDB does not see that some of its statuses are. */
function closedFilter(closed: readonly CallbackStatus[]): Document {
  const [only] = closed;
  if (closed.length === 1 && only) return { status: only };
  const isFailed = closed.every((status) => failedStatuses.some((failed) => failed === status));
  const words = isFailed ? [{ status: { $in: [...failedStatuses] } }] : [];
  return { status: { $in: [...closed] }, ...allOf(words) };
}
