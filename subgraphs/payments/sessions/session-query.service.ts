// Lists of checkout sessions for the graph: what became of each visit of a payer (hosted checkout, build and hpp; payment service, hosted page).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { isUuid } from '../../shared/ids';
import { assertListFilter } from '../../shared/list-filter';
import { childPageLoader } from '../../shared/lists/child-pages';
import { type Connection, connection, emptyPage, pageSize, parseCursor } from '../../shared/lists/page';
import type { SessionFacts, SessionFilter, SessionQueryRepository, SessionSlice } from './session-query.repository';

export interface SessionListArguments {
  filter?: SessionFilter | null;
  first?: number | null;
  after?: string | null;
}

/** Newest first. Refuses with `invalidInput`, `timesReversed`. */
export async function sessionsOf(
  sessions: SessionQueryRepository,
  context: RequestContext,
  { filter, first, after }: SessionListArguments,
): Promise<Connection<SessionFacts>> {
  const slice = sliceOf(first, after);
  const own = narrow(filter ?? {}, context);
  return connection(own ? await sessions.list(context.caller, own, slice) : emptyPage, own && after, placeOf);
}

/** The same for one merchant or payment, with one query for all of the request. */
export async function sessionsOfParent(
  sessions: SessionQueryRepository,
  context: RequestContext,
  { field, id }: { field: 'merchantId' | 'paymentId'; id: string },
  { filter, first, after }: SessionListArguments,
): Promise<Connection<SessionFacts>> {
  const slice = sliceOf(first, after);
  const own = narrow(filter ?? {}, context);
  if (!own) return connection(emptyPage, null, placeOf);
  const loader = childPageLoader(context, `sessions of ${field}`, [own, slice], (ids) =>
    sessions.listByParents(context.caller, { field, ids }, own, slice),
  );
  return connection(await loader.load(id), after, placeOf);
}

/** A credential of one merchant sees that merchant's sessions only, whatever the filter says; null: nothing can match. */
function narrow(filter: SessionFilter, { caller }: RequestContext): SessionFilter | null {
  assertListFilter(filter);
  const { merchantId } = filter;
  const own = caller.merchantId;
  if (own === undefined) return filter;
  return merchantId && merchantId !== own ? null : { ...filter, merchantId: own };
}

function placeOf({ createdAt, sessionId }: SessionFacts): (string | number)[] {
  return [createdAt.getTime(), sessionId];
}

function sliceOf(first: number | null | undefined, after: string | null | undefined): SessionSlice {
  const size = pageSize(first);
  if (!after) return { size, after: null };
  const [time, sessionId] = parseCursor(after, 2);
  if (typeof time !== 'number' || !Number.isSafeInteger(time) || !isUuid(sessionId))
    throw new DomainError('invalidInput', 'after is not a cursor of this list', { field: 'after' });
  return { size, after: { createdAt: new Date(time), sessionId } };
}
