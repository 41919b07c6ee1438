// Use cases around callbacks: reading them with their attempts, and sending one or many again.
import type { AuditedChange, RecordChange } from '../../shared/callers/audit';
import type { Caller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { reasonChange } from '../../shared/callers/reason';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import { newId } from '../../shared/ids';
import { assertListFilter } from '../../shared/list-filter';
import { numberAt, readSlice } from '../../shared/lists/list-order';
import { type Connection, connection, emptyPage, type Page, type PageArguments } from '../../shared/lists/page';
import { requestLoader } from '../../shared/store/loaders';
import { type InTransaction, WriteConflict } from '../../shared/store/unit-of-work';
import type { Callback } from './callback';
import type { CallbackRepository } from './callback.repository';
import { type CallbackFilter, failedStatuses } from './callback-filter.repository';
import type { CallbacksOf } from './callbacks-of-parents.repository';
import { decideRedelivery } from './redelivery';

/** How many callbacks one bulk redelivery takes. */
const redeliveriesMax = 500;

interface RedeliverMany {
  /** Callbacks of events since then, on the one clock; inclusive. */
  since: Date;
  /** Exclusive. */
  until?: Date | null;
  endpointId?: string | null;
  merchantId?: string | null;
  /** Delivered ones too; otherwise only what was exhausted, rejected or ended. */
  includeDelivered: boolean;
}

export interface CallbackService {
  find(caller: Caller, callbackIds: readonly string[]): Promise<Callback[]>;
  list(caller: Caller, filter: CallbackFilter, page: PageArguments): Promise<Connection<Callback>>;
  /** The callbacks of one merchant, virtual account, operation, application or payment; all that are asked for in one tick share one query. */
  listOf(context: RequestContext, by: CallbacksOf, key: string, page: PageArguments): Promise<Connection<Callback>>;
  /** A new attempt of the same event, with the same ids and body, in place of a pending one; the schedule starts anew. */
  redeliver(context: RequestContext, callbackId: string, reason?: string | null): Promise<Callback>;
  /** The same for many; `hasMore` when there were more than `redeliveriesMax`. */
  redeliverMany(
    context: RequestContext,
    request: RedeliverMany,
    reason?: string | null,
  ): Promise<{ count: number; hasMore: boolean }>;
}

const inFlightRetriesMax = 5;
/** The action in the audit. */
const redelivered = 'callback.redelivered';

export function createCallbackService(deps: {
  callbacks: CallbackRepository;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  audit: RecordChange;
  clock: Clock;
}): CallbackService {
  const { callbacks, inTransaction, idempotent, audit, clock } = deps;

  return {
    find: (caller, callbackIds) => callbacks.find(caller, callbackIds),
    async list(caller, filter, asked) {
      assertListFilter(filter);
      const slice = readSlice(asked, numberAt);
      return connection(await callbacks.list(caller, filter, slice), slice, ({ position }) => [position]);
    },
    async listOf(context, by, key, asked) {
      const slice = readSlice(asked, numberAt);
      const loader = requestLoader<{ key: string; page: Page<Callback> }>(
        context,
        `callbacks ${JSON.stringify([by, slice])}`,
        async (keys) => {
          const pages = await callbacks.listEach(context.caller, by, keys, slice);
          return [...pages].map(([found, page]) => ({ key: found, page }));
        },
        (value) => value.key,
      );
      const page = (await loader.load(key))?.page ?? emptyPage;
      return connection(page, slice, ({ position }) => [position]);
    },
    redeliver: (context, callbackId, reason = null) =>
      idempotent(context, 'redeliverCallback', async (complete) => {
        const [callback] = await callbacks.find(context.caller, [callbackId]);
        if (!callback) throw new DomainError('notFound');
        decideRedelivery(callback);
        const now = clock.now();
        const result: Callback = {
          ...callback,
          status: 'PENDING',
          reason: null,
          open: true,
          dueAt: now,
          endedAt: null,
        };
        const record = audit(context, {
          action: redelivered,
          subjectType: 'callback',
          subjectId: callbackId,
          accountId: callback.accountId,
          merchantId: callback.merchantId,
          changes: [{ field: 'status', from: callback.status, to: result.status }, ...reasonChange(reason)],
        });
        const updates = [callbacks.redeliver(callback, newId(), now), ...complete(result)];
        await inTransaction({ inserts: [record], updates });
        return result;
      }),
    redeliverMany: (context, request, reason = null) =>
      idempotent(context, 'redeliverCallbacks', async (complete) => {
        assertListFilter(request);
        for (let attempt = 1; ; attempt += 1) {
          const { chosen, hasMore } = await choose(callbacks, context.caller, request);
          const now = clock.now();
          const result = { count: chosen.length, hasMore };
          const updates = chosen.map((callback) => callbacks.redeliver(callback, newId(), now));
          try {
            const inserts = manyRedelivered(chosen, request, reason).map((change) => audit(context, change));
            await inTransaction({ inserts, updates: [...updates, ...complete(result)] });
            return result;
          } catch (error) {
            if (!(error instanceof WriteConflict) || attempt >= inFlightRetriesMax) throw error;
          }
        }
      }),
  };
}

/** One record for each account. */
function manyRedelivered(
  chosen: readonly Callback[],
  { since, until, endpointId, merchantId, includeDelivered }: RedeliverMany,
  reason: string | null,
): AuditedChange[] {
  const asked = {
    since: since.toISOString(),
    until: until?.toISOString(),
    endpointId,
    merchantId,
    includeDelivered: String(includeDelivered),
  };
  const told = Object.entries(asked).flatMap(([field, to]) => (to ? [{ field, from: null, to }] : []));
  const changes = [...told, ...reasonChange(reason)];
  const counts = new Map<string, number>();
  for (const { accountId } of chosen) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return [...counts].map(([accountId, count]) => ({
    action: redelivered,
    subjectType: 'account',
    subjectId: accountId,
    accountId,
    count,
    changes,
  }));
}

async function choose(
  callbacks: CallbackRepository,
  caller: Caller,
  { since, until, endpointId, merchantId, includeDelivered }: RedeliverMany,
): Promise<{ chosen: Callback[]; hasMore: boolean }> {
  const statuses = includeDelivered ? ([...failedStatuses, 'DELIVERED'] as const) : failedStatuses;
  const page = { size: redeliveriesMax, after: null };
  const found = await Promise.all(
    statuses.map((status) => callbacks.list(caller, { since, until, endpointId, merchantId, status }, page)),
  );
  const all = found.flatMap(({ items }) => items);
  return {
    chosen: all.slice(0, redeliveriesMax),
    hasMore: all.length > redeliveriesMax || found.some(({ hasNextPage }) => hasNextPage),
  };
}
