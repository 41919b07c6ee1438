// The documented paths of the payment service: create a payment, authorize, capture, cancel; beside them refund and read.
import { DomainError } from '../../subgraphs/shared/errors';
import { exactNumber } from '../../subgraphs/shared/money';
import { printFixedOffset } from '../../subgraphs/shared/time';
import { defineRoute, type Route } from '../route-record';

/** Where the family lives; the path of a payment is below it. */
const paymentsPath = '/api/v1/payments';

/** 50 per second and 100 at once per client, over all these calls together; the document names no rate. */
const rateLimit = { name: 'payments', perSecond: 50, burst: 100 };
/** A basket of five hundred items fits. */
const bodyBytesMax = 262_144;

const common = { family: 'payments', scheme: 'bearer', rateLimit } as const satisfies Partial<Route>;
const writing = {
  ...common,
  method: 'POST',
  scopes: ['payments:write'],
  bodyKind: 'json',
  bodyBytesMax,
  isTidied: true,
  idempotency: { subject: () => '' },
} as const satisfies Partial<Route>;

interface CreateBody {
  amount?: number;
  redirectUrls?: { returnUrl?: string };
  [field: string]: unknown;
}

const createAction: Route<CreateBody, { createPayment: { payment: { paymentId: string }; hostedPageUrl: string } }> = {
  ...writing,
  path: paymentsPath,
  action: {
    operation: 'CreatePayment',
    variables: ({ body }) => ({ input: withMinorAmount(body) }),
    reply: ({ createPayment: { payment, hostedPageUrl } }) => ({
      status: 201,
      headers: { location: `${paymentsPath}/${payment.paymentId}` },
      body: { paymentId: payment.paymentId, hostedPaymentPageUrl: hostedPageUrl },
    }),
  },
};

/** The document writes the path with a slash at its end. */
const create = [defineRoute(createAction), defineRoute({ ...createAction, path: `${paymentsPath}/` })];

interface Done {
  payment: { paymentId: string };
  operation: { operationId: string };
}

/** One call on a payment: the capital-first segment, and the mutation behind it. */
function step(segment: string, operation: string, field: string): Route {
  return defineRoute<Record<string, unknown>, Record<string, Done>>({
    ...writing,
    path: `${paymentsPath}/{paymentId}/${segment}`,
    action: {
      operation,
      variables: ({ params, body }) => ({ paymentId: params['paymentId'], input: withMinorAmount(body) }),
      reply: (data) => {
        const { payment, operation: done } = data[field] as Done;
        return { status: 200, body: { paymentId: payment.paymentId, transactionRef: done.operationId } };
      },
    },
  });
}

interface Details {
  paymentId: string;
  state: string;
  amount: string | null;
  currency: string;
  authorizedAmount: string;
  capturedAmount: string;
  refundedAmount: string;
  paymentNumber: string | null;
  reconciliationReference: string | null;
  processing: string;
  hostedPageUrl: string | null;
  circuit: string | null;
  instrumentInfo: string | null;
  token: { token: string; tokenSecret: string } | null;
  transactions: { operationId: string; type: string; result: string; amount: string; time: string }[];
  createdAt: string;
}

const read = defineRoute<null, { paymentServiceDetails: Details | null }>({
  ...common,
  method: 'GET',
  path: `${paymentsPath}/{paymentId}`,
  scopes: ['payments:read', 'payments:write'],
  bodyKind: 'none',
  bodyBytesMax: 0,
  action: {
    operation: 'GetPaymentServiceDetails',
    variables: ({ params }) => ({ paymentId: params['paymentId'] }),
    reply: ({ paymentServiceDetails: details }) => {
      if (!details) throw new DomainError('notFound');
      return { status: 200, body: printPayment(details) };
    },
  },
});

function printPayment(details: Details): Record<string, unknown> {
  const { paymentId, state, paymentNumber, reconciliationReference, processing, token, circuit } = details;
  return present({
    paymentId,
    state,
    amount: details.amount === null ? null : printMinor(details.amount),
    currencyCode: details.currency,
    authorizedAmount: printMinor(details.authorizedAmount),
    capturedAmount: printMinor(details.capturedAmount),
    refundedAmount: printMinor(details.refundedAmount),
    paymentNumber,
    reconciliationReference,
    processing,
    hostedPaymentPageUrl: details.hostedPageUrl,
    createdTime: printTime(details.createdAt),
    paymentMethod: circuit === null ? null : { circuit, maskedNumber: details.instrumentInfo ?? '' },
    paymentMethodToken: token && { token: token.token, tokenSecret: token.tokenSecret },
    transactions: details.transactions.map(({ operationId, type, result, amount, time }) => ({
      transactionRef: operationId,
      type,
      result,
      amount: printMinor(amount),
      time: printTime(time),
    })),
  });
}

/** What is not known is left out. */
function present(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Amounts are strings of minor units in the graph, and nothing else changes on the way in. */
function withMinorAmount({ amount, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return amount === undefined ? rest : { ...rest, amount: String(amount) };
}

function printMinor(minor: string): number {
  return exactNumber(BigInt(minor));
}

/** Times leave the graph as ISO text, and arrive as dates where the graph is in this process. */
function printTime(time: string | Date): string {
  return printFixedOffset(new Date(time));
}

export const paymentRoutes: readonly Route[] = [
  ...create,
  step('Authorize', 'AuthorizePayment', 'authorizePayment'),
  step('Capture', 'CapturePayment', 'capturePayment'),
  step('Cancel', 'CancelPayment', 'cancelPayment'),
  step('Refund', 'RefundPayment', 'refundPayment'),
  read,
];
