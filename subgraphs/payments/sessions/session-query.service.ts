// Lists of checkout sessions for the graph: what became of each visit of a payer (hosted checkout, build and hpp; payment service, hosted page).
import type { RequestContext } from '../../shared/callers/context';
import { assertListFilter } from '../../shared/list-filter';
import { childPageLoader } from '../../shared/lists/child-pages';
import { readSlice, timeAt } from '../../shared/lists/list-order';
import { type Connection, connection, emptyConnection, type PageArguments } from '../../shared/lists/page';
import type { SessionFacts, SessionFilter, SessionQueryRepository } from './session-query.repository';

export interface SessionListArguments extends PageArguments {
  filter?: SessionFilter | null;
}

/** Newest first. Refuses with `invalidInput`, `timesReversed`. */
export async function sessionsOf(
  sessions: SessionQueryRepository,
  context: RequestContext,
  { filter, ...asked }: SessionListArguments,
): Promise<Connection<SessionFacts>> {
  const slice = readSlice(asked, timeAt);
  const own = narrow(filter ?? {}, context);
  if (!own) return emptyConnection;
  return connection(await sessions.list(context.caller, own, slice), slice, placeOf);
}

/** The same for one merchant or payment, with one query for all of the request. */
export async function sessionsOfParent(
  sessions: SessionQueryRepository,
  context: RequestContext,
  { field, id }: { field: 'merchantId' | 'paymentId'; id: string },
  { filter, ...asked }: SessionListArguments,
): Promise<Connection<SessionFacts>> {
  const slice = readSlice(asked, timeAt);
  const own = narrow(filter ?? {}, context);
  if (!own) return emptyConnection;
  const loader = childPageLoader(context, `sessions of ${field}`, [own, slice], (ids) =>
    sessions.listByParents(context.caller, { field, ids }, own, slice),
  );
  return connection(await loader.load(id), slice, placeOf);
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
