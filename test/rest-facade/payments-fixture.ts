// The REST server over a graph that knows one payment of the payment service, with callers of that family (payment service).
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import { DomainError } from '../../subgraphs/shared/errors';
import type { Answer } from '../support/client';
import { type Facade, type FakeGraph, startFacade } from './fixture';

export const paymentId = '0b9f0c86-5a2e-4d6c-8f53-6d3f4be0a111';
export const operationId = '7c9f0c86-5a2e-4d6c-8f53-6d3f4be0a222';
export const path = '/api/v1/payments';
const done = { payment: { paymentId }, operation: { operationId } };
/** As the graph prints a payment. */
export const details = {
  paymentId,
  state: 'PartiallyCaptured',
  amount: '5000',
  currency: 'EUR',
  authorizedAmount: '5000',
  capturedAmount: '2000',
  refundedAmount: '0',
  paymentNumber: 'A1',
  reconciliationReference: null,
  processing: 'Authorize',
  hostedPageUrl: 'http://127.0.0.1:8082/pay/x',
  circuit: 'VISA',
  token: null,
  instrumentInfo: '424242******4242',
  createdAt: '2026-11-21T10:00:00.000Z',
  transactions: [
    { operationId, type: 'AUTHORIZATION', result: 'AUTHORIZED', amount: '5000', time: '2026-11-21T10:00:01.000Z' },
  ],
};
const answers: Record<string, Record<string, unknown>> = {
  CreatePayment: { createPayment: { hostedPageUrl: 'http://127.0.0.1:8082/pay/x', payment: { paymentId } } },
  AuthorizePayment: { authorizePayment: done },
  CapturePayment: { capturePayment: done },
  CancelPayment: { cancelPayment: done },
  RefundPayment: { refundPayment: done },
  GetPaymentServiceDetails: { paymentServiceDetails: details },
};
export const goodGraph: FakeGraph = ({ operation }) => ({ data: answers[operation] });

const callerOf = (credentialId: string, scopes: Scope[]): Caller => ({
  kind: 'client',
  credentialId,
  environment: 'sandbox',
  accountId: 'a',
  merchantId: 'm',
  scopes,
  identifiers: [],
});
const callers: Record<string, Caller> = {
  writer: callerOf('writer', ['payments:write', 'payments:read']),
  reader: callerOf('reader', ['payments:read']),
  stranger: callerOf('stranger', ['mts:token', 'graph:read']),
  throttled: callerOf('throttled', ['payments:write']),
};

const opened: Facade[] = [];

/** A facade over that graph; it is stopped when the file has run. */
export async function facadeOf(graph: FakeGraph = goodGraph): Promise<Facade> {
  const facade = await startFacade({
    graph,
    deps: {
      authenticate: {
        bearer: async (token) => {
          const caller = Object.hasOwn(callers, token) ? callers[token] : undefined;
          if (!caller) throw new DomainError('unauthenticated');
          return caller;
        },
        apiKey: async () => Promise.reject(new DomainError('unauthenticated')),
        consumer: async () => Promise.reject(new DomainError('unauthenticated')),
        secretKey: async () => Promise.reject(new DomainError('unauthenticated')),
        sandboxKey: () => {
          throw new DomainError('unauthenticated');
        },
      },
    },
  });
  opened.push(facade);
  return facade;
}
afterAll(() => Promise.all(opened.map((facade) => facade.stop())));

/** Headers of one of the callers above. */
export const as = (token: string, more: Record<string, string> = {}): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  ...more,
});

/** Posts to the family's path and what follows it, as the writer unless said otherwise. */
export function postTo(facade: Facade, where: string, body?: unknown, headers = as('writer')): Promise<Answer> {
  return facade.call('POST', `${path}${where}`, { headers, body });
}
