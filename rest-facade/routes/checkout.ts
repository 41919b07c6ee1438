// The documented paths of the hosted checkout, and our additions beside them (decision register 2.2-B).
import { DomainError } from '../../subgraphs/shared/errors';
import { linksOf } from '../links';
import { defineRoute, type Route, type RouteRequest } from '../route-record';
import {
  type GraphFieldSet,
  type GraphFlowResult,
  type GraphOperation,
  type GraphOrder,
  printFieldSet,
  printFlowResult,
  printOlderFieldSet,
  printOlderFlowResult,
  printOperation,
  printOrderStatus,
} from './checkout-bodies';
import { checkoutReading, moneyTimeoutMs, writing } from './checkout-defaults';
import { operationRoutes, timesOf } from './operations';

interface BuildBody {
  merchantUrl?: string;
  version?: string;
  order?: object;
  paymentSession?: object;
}

function buildRoute(path: string, isOlderPath: boolean): Route {
  return defineRoute<BuildBody, { buildCheckout: GraphFieldSet }>({
    ...writing,
    path,
    timeoutMs: moneyTimeoutMs,
    action: {
      operation: 'BuildCheckout',
      variables: (request) => {
        const { merchantUrl, version, order, paymentSession } = request.body;
        const pluginName = pluginNameOf(request);
        return { input: { merchantUrl, version, order, paymentSession, pluginName, isOlderPath } };
      },
      reply: ({ buildCheckout: fieldSet }) => ({
        status: 200,
        body: isOlderPath ? printOlderFieldSet(fieldSet) : printFieldSet(fieldSet),
      }),
    },
  });
}

const createHostedOrder = defineRoute<
  { order: object; paymentSession: object },
  { createHostedOrder: { hostedPage: string; securityToken: string; warnings: unknown[] } }
>({
  ...writing,
  path: '/api/v1/orders/hpp',
  action: {
    operation: 'CreateHostedOrder',
    variables: (request) => ({ input: { ...request.body, pluginName: pluginNameOf(request) } }),
    reply: ({ createHostedOrder: { hostedPage, securityToken, warnings } }) => ({
      status: 200,
      body: { hostedPage, securityToken, warnings: warnings.length > 0 ? warnings : undefined },
    }),
  },
});

function pluginNameOf({ header }: Pick<RouteRequest<unknown>, 'header'>): string | null {
  return header('x-plugin-name') || null;
}

function finalizeRoute(path: string, print: (result: GraphFlowResult) => object): Route {
  return defineRoute<{ sessionId: string }, { finalizeCheckout: GraphFlowResult }>({
    ...writing,
    path,
    timeoutMs: moneyTimeoutMs,
    action: {
      operation: 'FinalizeCheckout',
      variables: ({ body: { sessionId } }) => ({ sessionId }),
      reply: ({ finalizeCheckout }) => ({ status: 200, body: print(finalizeCheckout) }),
    },
  });
}

const cancelSession = defineRoute<{ sessionId: string }, { cancelCheckout: GraphFlowResult }>({
  ...writing,
  path: '/api/v1/build/cancel',
  timeoutMs: moneyTimeoutMs,
  action: {
    operation: 'CancelCheckout',
    variables: ({ body: { sessionId } }) => ({ sessionId }),
    reply: ({ cancelCheckout }) => ({ status: 200, body: printFlowResult(cancelCheckout) }),
  },
});

const readState = defineRoute<null, { checkoutState: GraphFlowResult | null }>({
  ...checkoutReading,
  path: '/api/v1/build/state',
  action: {
    operation: 'GetCheckoutState',
    variables: ({ query }) => ({ sessionId: query['sessionId'] }),
    reply: ({ checkoutState }) => ({ status: 200, body: printFlowResult(found(checkoutState)) }),
  },
});

const readCardData = defineRoute<null, { checkoutCardData: object | null }>({
  ...checkoutReading,
  path: '/api/v1/build/cardData',
  action: {
    operation: 'GetCheckoutCardData',
    variables: ({ query }) => ({ sessionId: query['sessionId'] }),
    reply: ({ checkoutCardData }) => ({ status: 200, body: found(checkoutCardData) }),
  },
});

const listPaymentMethods = defineRoute<null, { paymentMethods: { method: string; circuits: string[] }[] }>({
  ...checkoutReading,
  path: '/api/v1/payment_methods',
  action: {
    operation: 'GetPaymentMethods',
    variables: () => ({}),
    reply: ({ paymentMethods }) => ({
      status: 200,
      body: {
        paymentMethods: paymentMethods.map(({ method, circuits }) => ({
          paymentService: method,
          paymentCircuits: circuits,
        })),
      },
    }),
  },
});

interface Edges<Node> {
  edges: { node: Node }[];
}

const readOrder = defineRoute<null, { order: (GraphOrder & { operations: Edges<GraphOperation> }) | null }>({
  ...checkoutReading,
  path: '/api/v1/orders/{orderId}',
  action: {
    operation: 'GetOrder',
    variables: ({ params }) => ({ orderId: params['orderId'] }),
    reply: ({ order }, { params }) => {
      const { operations, ...status } = found(order);
      const orderId = encodeURIComponent(params['orderId'] ?? '');
      return {
        status: 200,
        body: {
          orderStatus: printOrderStatus(status),
          operations: operations.edges.map(({ node }) => printOperation(node)),
          links: [
            { rel: 'self', href: `/api/v1/orders/${orderId}` },
            { rel: 'operations', href: `/api/v1/operations?orderId=${orderId}` },
          ],
        },
      };
    },
  },
});

type Orders = Edges<GraphOrder> & { pageInfo: { hasNextPage: boolean; endCursor: string | null } };

const listOrders = defineRoute<null, { orders: Orders }>({
  ...checkoutReading,
  path: '/api/v1/orders',
  action: {
    operation: 'GetOrders',
    variables: ({ query }) => {
      const { fromTime: from, toTime: to } = timesOf(query);
      return { filter: { from, to }, first: query['maxRecords'], after: query['after'] };
    },
    reply: ({ orders: { edges, pageInfo } }, { path, query }) => ({
      status: 200,
      headers: linksOf(path, query, pageInfo.hasNextPage ? { next: { after: pageInfo.endCursor ?? '' } } : {}),
      body: { orders: edges.map(({ node }) => printOrderStatus(node)) },
    }),
  },
});

function found<Thing>(thing: Thing | null): Thing {
  if (thing === null) throw new DomainError('notFound');
  return thing;
}

export const checkoutRoutes: readonly Route[] = [
  buildRoute('/api/v1/orders/build', false),
  buildRoute('/api/orders/build', true),
  createHostedOrder,
  finalizeRoute('/api/v1/build/finalize_payment', printFlowResult),
  finalizeRoute('/api/build/finalize_payment', printOlderFlowResult),
  cancelSession,
  readState,
  readCardData,
  listPaymentMethods,
  readOrder,
  listOrders,
  ...operationRoutes,
];
