// The operations query: Relay connections for the graph, numbered pages for REST, over one repository (hosted checkout, GET operations; 2.2-B of the decision register).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { childPageLoader } from '../../shared/lists/child-pages';
import { readSlice } from '../../shared/lists/list-order';
import { type Connection, connection, emptyConnection } from '../../shared/lists/page';
import type { Operation } from './operation';
import {
  assertFilter,
  assertPageFilter,
  cursorParts,
  narrowToCaller,
  newestFirst,
  type OperationFilter,
  type OperationOrder,
  type Ordering,
  pageNumberMax,
  readPosition,
  recordsDefault,
  recordsMax,
  type SortDirection,
} from './operation-query';
import type { OperationQueryRepository, OperationSlice, ParentField } from './operation-query.repository';

export interface OperationReads {
  operations: OperationQueryRepository;
}

interface OrderArguments {
  by?: Ordering | null;
  direction?: SortDirection | null;
}

export interface OperationListArguments extends OrderArguments {
  filter?: OperationFilter | null;
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

export interface OperationPageArguments extends OrderArguments {
  filter?: OperationFilter | null;
  /** From 0. */
  pageNumber?: number | null;
  /** 1 to `recordsMax`. */
  maxRecords?: number | null;
}

export interface OperationPage {
  operations: Operation[];
  pageNumber: number;
  pageSize: number;
  totalCount: number;
  isTotalExact: boolean;
  hasNextPage: boolean;
}

/** Refuses with `invalidInput`, `timesReversed`, `amountInvalid`. */
export async function operationsOf(
  { operations }: OperationReads,
  context: RequestContext,
  asked: OperationListArguments,
): Promise<Connection<Operation>> {
  const { order, paging, slice, own } = readList(asked, context);
  if (!own) return emptyConnection;
  const page = await operations.list(context.caller, own, slice);
  return connection(page, paging, (operation) => cursorParts(operation, order));
}

/** Refuses with `invalidInput`, `timesReversed`, `amountInvalid`. */
function readList({ filter, by, direction, ...asked }: OperationListArguments, { caller }: RequestContext) {
  const order = orderOf({ by, direction });
  const paging = readSlice(asked, (cursor, field) => readPosition(cursor, field, order));
  assertFilter(filter ?? {});
  // Read from its end, the list is the one of the other direction.
  const walked = paging.isBackward ? turned(order) : order;
  const slice: OperationSlice = { order: walked, size: paging.size, after: paging.after };
  return { order, paging, slice, own: narrowToCaller(filter ?? {}, caller) };
}

function turned({ by, direction }: OperationOrder): OperationOrder {
  return { by, direction: direction === 'ASC' ? 'DESC' : 'ASC' };
}

/** The same for the operations of one parent, with one query for all parents of the request. */
export async function childOperations(
  { operations }: OperationReads,
  context: RequestContext,
  parent: { field: ParentField; id: string },
  asked: OperationListArguments,
): Promise<Connection<Operation>> {
  const { order, paging, slice, own } = readList(asked, context);
  if (!own) return emptyConnection;
  const { field, id } = parent;
  const loader = childPageLoader(context, `operations of ${field}`, [own, slice], (ids) =>
    operations.listByParents(context.caller, { field, ids }, own, slice),
  );
  return connection(await loader.load(id), paging, (operation) => cursorParts(operation, order));
}

/** Refuses with `invalidInput`, `timesReversed`, `amountInvalid`. */
export async function operationPage(
  { operations }: OperationReads,
  context: RequestContext,
  { filter, pageNumber, maxRecords, ...ordering }: OperationPageArguments,
): Promise<OperationPage> {
  const size = bounded(maxRecords ?? recordsDefault, 'maxRecords', 1, recordsMax);
  const number = bounded(pageNumber ?? 0, 'pageNumber', 0, pageNumberMax);
  assertPageFilter(filter ?? {});
  const own = narrowToCaller(filter ?? {}, context.caller);
  const paging = { pageNumber: number, pageSize: size };
  if (!own) return { operations: [], totalCount: 0, isTotalExact: true, hasNextPage: false, ...paging };
  return { ...(await operations.page(context.caller, own, { order: orderOf(ordering), size, number })), ...paging };
}

function orderOf({ by, direction }: OrderArguments): OperationOrder {
  return { by: by ?? newestFirst.by, direction: direction ?? newestFirst.direction };
}

function bounded(value: number, field: string, from: number, to: number): number {
  if (value < from || value > to)
    throw new DomainError('invalidInput', `${field} must be from ${from} to ${to}.`, { field });
  return value;
}
