// Operations of the hosted checkout: the query with its twenty-one parameters, one operation, and the post-operations beside it (decision register 2.2-B).
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { parseFixedOffset } from '../../subgraphs/shared/time';
import type { QueryValues } from '../checks/query';
import { linksOf } from '../links';
import { defineRoute, type Route } from '../route-record';
import { type GraphOperation, printOperation, printTime } from './checkout-bodies';
import { checkout, checkoutReading, moneyTimeoutMs, writing } from './checkout-defaults';

interface GraphOperationPage {
  operations: GraphOperation[];
  pageNumber: number;
  pageSize: number;
  totalCount: number;
  isTotalExact: boolean;
  hasNextPage: boolean;
}

const listOperations = defineRoute<null, { operationPage: GraphOperationPage }>({
  ...checkoutReading,
  path: '/api/v1/operations',
  action: {
    operation: 'GetOperationPage',
    variables: ({ query }) => {
      const { pageNumber, maxRecords, orderBy, sortIn } = query;
      return { filter: filterOf(query), pageNumber, maxRecords, orderBy, sortIn };
    },
    reply: ({ operationPage: page }, { path, query }) => ({
      status: 200,
      headers: {
        'x-total-count': String(page.totalCount),
        'x-total-count-is': page.isTotalExact ? 'exact' : 'at-least',
        'x-page-number': String(page.pageNumber),
        'x-page-size': String(page.pageSize),
        ...linksOf(path, query, {
          next: page.hasNextPage ? { pageNumber: page.pageNumber + 1 } : null,
          prev: page.pageNumber > 0 ? { pageNumber: page.pageNumber - 1 } : null,
        }),
      },
      body: { operations: page.operations.map(printOperation) },
    }),
  },
});

/** Parameters that the graph's filter knows under the same name. */
const sameNames = [
  'channel',
  'channelDetail',
  'customField',
  'operationType',
  'operationId',
  'maxAmount',
  'minAmount',
  'contractId',
  'contractType',
  'paymentMethod',
  'paymentCircuit',
  'terminalId',
];

function filterOf(query: QueryValues): Record<string, unknown> {
  const { orderId, status, installmentQty } = query;
  return {
    ...Object.fromEntries(sameNames.filter((name) => name in query).map((name) => [name, query[name]])),
    ...withoutUndefined({
      orderId: orderId === undefined ? undefined : unspaced(orderId),
      operationResult: status,
      installmentQty: installmentQty === undefined ? undefined : Number(installmentQty),
    }),
    ...timesOf(query),
  };
}

/** fromTime and toTime of a query as instants. Refuses with `fromTimeInvalid`, `toTimeInvalid`. */
export function timesOf({ fromTime, toTime }: QueryValues): { fromTime?: Date; toTime?: Date } {
  return withoutUndefined({
    fromTime: fromTime === undefined ? undefined : timeOf('fromTime', fromTime),
    toTime: toTime === undefined ? undefined : (endOfDay(toTime) ?? timeOf('toTime', toTime)),
  });
}

function timeOf(field: 'fromTime' | 'toTime', value: string | number): Date {
  const time = parseFixedOffset(unspaced(value));
  if (time) return time;
  const message = `${field} is not an ISO 8601 date or date-time.`;
  throw new DomainError(field === 'fromTime' ? 'fromTimeInvalid' : 'toTimeInvalid', message, { field });
}

/** The last millisecond of a date without a time of day. */
function endOfDay(value: string | number): Date | null {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? parseFixedOffset(String(value)) : null;
  return midnight && new Date(midnight.getTime() + dayMs - 1);
}

const dayMs = 86_400_000;

/** A plus sign that its sender did not encode arrives as a space; neither times nor orderIds have spaces. */
function unspaced(value: string | number): string {
  return String(value).replaceAll(' ', '+');
}

const readOperation = defineRoute<null, { operation: GraphOperation | null }>({
  ...checkoutReading,
  path: '/api/v1/operations/{operationId}',
  action: {
    operation: 'GetOperation',
    variables: ({ params }) => ({ operationId: params['operationId'] }),
    reply: ({ operation }) => {
      if (!operation) throw new DomainError('notFound');
      return { status: 200, body: printOperation(operation) };
    },
  },
});

/** The graph's words for what can be done, and the paths that do it; a void is a refund of an uncaptured authorization. */
const actionPaths: Readonly<Record<string, { action: string; path: string }>> = {
  capture: { action: 'CAPTURE', path: 'captures' },
  refund: { action: 'REFUND', path: 'refunds' },
  cancelCapture: { action: 'CANCEL', path: 'cancels' },
};

const listActions = defineRoute<null, { operation: { actions: string[] } | null }>({
  ...checkoutReading,
  path: '/api/v1/operations/{operationId}/actions',
  action: {
    operation: 'GetOperationActions',
    variables: ({ params }) => ({ operationId: params['operationId'] }),
    reply: ({ operation }, { params }) => {
      if (!operation) throw new DomainError('notFound');
      const actions = operation.actions.flatMap((name) => {
        const known = actionPaths[name];
        const href = `/api/v1/operations/${params['operationId']}/${known?.path}`;
        return known ? [{ action: known.action, href }] : [];
      });
      return { status: 200, body: { actions } };
    },
  },
});

interface Acted {
  operationId: string;
  operationTime: string;
}

function postOperation(path: string, operation: string, field: string): Route {
  return defineRoute<{ amount?: string; currency?: string; description?: string }, Record<string, Acted>>({
    ...checkout,
    ...writing,
    path: `/api/v1/operations/{operationId}/${path}`,
    timeoutMs: moneyTimeoutMs,
    action: {
      operation,
      variables: ({ params, body: { amount, currency, description } }) => ({
        operationId: params['operationId'],
        input: { amount, currency, description },
      }),
      reply: ({ [field]: done }) => ({
        status: 200,
        body: { operationId: done?.operationId, operationTime: printTime(done?.operationTime ?? '') },
      }),
    },
  });
}

export const operationRoutes: readonly Route[] = [
  listOperations,
  readOperation,
  listActions,
  postOperation('captures', 'CaptureOperation', 'captureOperation'),
  postOperation('refunds', 'RefundOperation', 'refundOperation'),
  postOperation('cancels', 'CancelOperation', 'cancelOperation'),
];
