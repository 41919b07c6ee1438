// The operations query: Relay connections for the graph, numbered pages for REST, over one repository (hosted checkout, GET operations; 2.2-B of the decision register).

import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { childPageLoader } from '../../shared/store/child-page-loader';
import { type Connection, connection, type Page, pageSize } from '../../shared/store/page';
import type { Operation } from './operation';
import {
  assertFilter,
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
import type { OperationQueryRepository, ParentField } from './operation-query.repository';

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
  { filter, first, after, ...ordering }: OperationListArguments,
): Promise<Connection<Operation>> {
  const order = orderOf(ordering);
  const slice = { order, size: pageSize(first), after: after ? readPosition(after, order) : null };
  assertFilter(filter ?? {});
  const own = narrowToCaller(filter ?? {}, context.caller);
  const page = own ? await operations.list(context.caller, own, slice) : nothing;
  return connection(page, own && after, (operation) => cursorParts(operation, order));
}

const nothing: Page<Operation> = { items: [], hasNextPage: false };

/** The same for the operations of one parent, with one query for all parents of the request. */
export async function childOperations(
  { operations }: OperationReads,
  context: RequestContext,
  parent: { field: ParentField; id: string },
  { filter, first, after, ...ordering }: OperationListArguments,
): Promise<Connection<Operation>> {
  const order = orderOf(ordering);
  const slice = { order, size: pageSize(first), after: after ? readPosition(after, order) : null };
  assertFilter(filter ?? {});
  const own = narrowToCaller(filter ?? {}, context.caller);
  if (!own) return connection(nothing, null, () => []);
  const loader = childPageLoader(context, `operations of ${parent.field}`, [own, slice], (ids) =>
    operations.listByParents(context.caller, { field: parent.field, ids }, own, slice),
  );
  return connection(await loader.load(parent.id), after, (operation) => cursorParts(operation, order));
}

/** Refuses with `invalidInput`, `timesReversed`, `amountInvalid`. */
export async function operationPage(
  { operations }: OperationReads,
  context: RequestContext,
  { filter, pageNumber, maxRecords, ...ordering }: OperationPageArguments,
): Promise<OperationPage> {
  const size = bounded(maxRecords ?? recordsDefault, 'maxRecords', 1, recordsMax);
  const number = bounded(pageNumber ?? 0, 'pageNumber', 0, pageNumberMax);
  assertFilter(filter ?? {});
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
