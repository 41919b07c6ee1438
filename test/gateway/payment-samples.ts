// Variables for each persisted operation of payments that may be run twice with one answer: reads of one order that was paid, and refusals of everything that writes.
import type { ExecutionResult } from 'graphql';
import { type Caller, pageCaller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { newId } from '../../subgraphs/shared/ids';
import { typedExpiry } from '../support/expiry';

export type Rows = readonly [Caller, Record<string, unknown>][];
export type Samples = Record<string, Rows>;

export interface PaymentCallers {
  /** The terminal that captures by a call, and a terminal of another tenant. */
  shop: Caller;
  foreign: Caller;
  /** The payment service's client of the shop's tenant. */
  client: Caller;
  staff: Caller;
}

/** Runs one persisted operation. */
export type Run = (name: string, variables: Record<string, unknown>, caller: Caller) => Promise<ExecutionResult>;

const page = pageCaller('sandbox');
const lever: Caller = {
  ...systemCaller('sandbox', 'levers'),
  kind: 'sandboxKey',
  credentialId: 'sandbox-key',
  scopes: ['sandbox:control'],
};
const card = { number: '4242424242424242', expiry: typedExpiry, cvv: '123', holder: 'Ada Lovelace' };
const absent = newId();

/** Pays one order by card fields and makes one payment of the payment service; then the samples about them. */
export async function paymentSamples(run: Run, callers: PaymentCallers): Promise<Samples> {
  const { shop, client } = callers;
  const paid = await payOnce(run, shop);
  const created = dataOf(await run('CreatePayment', { input: createInput }, client));
  const paymentId = String((created['payment'] as Record<string, unknown>)['paymentId']);
  return {
    ...checkoutSamples(callers, paid),
    ...pageSamples(callers, paid),
    ...operationSamples(callers, paid),
    ...paymentServiceSamples(callers, paymentId),
    ...leverSamples(callers, paid, paymentId),
  };
}

interface Paid {
  sessionId: string;
  operationId: string;
  orderId: string;
}

async function payOnce(run: Run, shop: Caller): Promise<Paid> {
  const orderId = newId().slice(0, 18);
  const { sessionId } = dataOf(await run('BuildCheckout', { input: buildInput({ orderId }) }, shop));
  await run('FillCheckoutCard', { sessionId, card }, lever);
  const finalized = dataOf(await run('FinalizeCheckout', { sessionId }, shop));
  const { operationId } = finalized['operation'] as Record<string, unknown>;
  return { sessionId: String(sessionId), operationId: String(operationId), orderId };
}

function dataOf({ data, errors }: ExecutionResult): Record<string, unknown> {
  const [value] = Object.values(data ?? {});
  if (errors || !value) throw new Error(JSON.stringify(errors ?? 'no data'));
  return value as Record<string, unknown>;
}

const buildInput = (order: object, paymentSession: object = {}) => ({
  order: { amount: '5000', currency: 'EUR', orderId: newId().slice(0, 18), ...order },
  paymentSession: { actionType: 'PAY', paymentService: 'CARDS', resultUrl: 'https://shop.example/', ...paymentSession },
});
const hostedInput = (paymentSession: object) => ({
  order: { amount: '5000', currency: 'EUR', orderId: newId().slice(0, 18) },
  paymentSession: { amount: '5000', cancelUrl: 'https://shop.example/', ...paymentSession },
});
const createInput = {
  type: 'MerchantHostedEcom',
  processing: 'None',
  amount: '5000',
  currencyCode: 'EUR',
  paymentNumber: '17',
  redirectUrls: { returnUrl: 'https://shop.example/' },
};

function checkoutSamples({ shop, foreign, staff }: PaymentCallers, { sessionId }: Paid): Samples {
  const ofSession: Rows = [
    [shop, { sessionId }],
    [foreign, { sessionId }],
    [shop, { sessionId: absent }],
    [staff, { sessionId }],
    [shop, {}],
  ];
  return {
    BuildCheckout: [
      [shop, { input: buildInput({ orderId: 'with blank' }) }],
      [shop, { input: buildInput({ currency: 'XTS' }) }],
      [shop, { input: buildInput({}, { paymentService: 'CASH' }) }],
      [shop, { input: { version: '2' } }],
      [staff, { input: {} }],
      [shop, { input: 17 }],
    ],
    CreateHostedOrder: [
      [shop, { input: hostedInput({ amount: '5001' }) }],
      [shop, { input: hostedInput({ cancelUrl: 'nowhere' }) }],
      [staff, { input: hostedInput({}) }],
      [shop, {}],
    ],
    FinalizeCheckout: ofSession,
    CancelCheckout: ofSession,
    GetCheckoutState: ofSession,
    GetCheckoutCardData: ofSession,
    GetPaymentMethods: [
      [shop, {}],
      [foreign, {}],
      [staff, {}],
    ],
  };
}

function pageSamples({ shop }: PaymentCallers, { sessionId }: Paid): Samples {
  const ofSession = (more: Record<string, unknown>): Rows => [
    [page, { sessionId, ...more }],
    [page, { sessionId: absent, ...more }],
    [shop, { sessionId, ...more }],
  ];
  return {
    GetCheckoutPage: ofSession({}),
    OpenCheckoutPage: ofSession({}),
    PayCheckout: ofSession({}),
    AbandonCheckout: ofSession({}),
    ReturnToCheckout: ofSession({}),
    ConfirmCheckout: ofSession({}),
    ChooseCheckoutMethod: ofSession({ method: 'PAYPAL' }),
    EnterCardField: ofSession({ fieldId: 'CARD_NUMBER', value: '4242' }),
    EnterCard: ofSession({ card }),
    PassDeviceCheck: ofSession({ passed: true }),
    GetThreeDsChallenge: [[page, { challengeId: absent }]],
    AnswerChallenge: [
      [page, { challengeId: absent, answer: 'PASS' }],
      [shop, { challengeId: absent, answer: 'PASS' }],
    ],
    GetAlternativeMethodVisit: [[page, { visitId: absent }]],
    AnswerAlternativeMethod: [[page, { visitId: absent, answer: 'FAIL' }]],
  };
}

function operationSamples({ shop, foreign, staff, client }: PaymentCallers, { operationId, orderId }: Paid): Samples {
  const tooMuch: Rows = [
    [shop, { operationId, input: { amount: '999999', currency: 'EUR' } }],
    [shop, { operationId, input: { amount: 'much' } }],
    [foreign, { operationId, input: null }],
    [shop, { operationId: absent, input: null }],
    [client, { operationId, input: null }],
  ];
  const ofOperation: Rows = [
    [shop, { operationId }],
    [staff, { operationId }],
    [foreign, { operationId }],
    [shop, { operationId: absent }],
    [shop, {}],
  ];
  return {
    GetOperation: ofOperation,
    GetOperationActions: ofOperation,
    GetOperationPage: [
      [shop, {}],
      [shop, { filter: { orderId }, maxRecords: 1, pageNumber: 1, orderBy: 'operationTime', sortIn: 'ASC' }],
      [foreign, { filter: { orderId } }],
      [shop, { filter: { operationType: 'NOTHING' } }],
    ],
    GetOrder: [
      [shop, { orderId }],
      [foreign, { orderId }],
      [shop, { orderId: 'nothing' }],
    ],
    GetOrders: [
      [shop, { first: 2 }],
      [shop, { after: 'nonsense' }],
      [foreign, {}],
    ],
    CaptureOperation: tooMuch,
    RefundOperation: tooMuch,
    CancelOperation: [
      [foreign, { operationId }],
      [shop, { operationId: absent }],
    ],
  };
}

function paymentServiceSamples({ shop, client, staff }: PaymentCallers, paymentId: string): Samples {
  const refused: Rows = [
    [client, { paymentId, input: {} }],
    [client, { paymentId: absent, input: {} }],
    [shop, { paymentId, input: {} }],
    [client, { paymentId }],
  ];
  return {
    CreatePayment: [
      [client, { input: { ...createInput, amount: 'much' } }],
      [client, { input: { ...createInput, currencyCode: 'EURO' } }],
      [client, { input: { ...createInput, type: 'Unknown' } }],
      [client, {}],
      [staff, { input: createInput }],
    ],
    GetPaymentServiceDetails: [
      [client, { paymentId }],
      [staff, { paymentId }],
      [client, { paymentId: absent }],
      [shop, { paymentId }],
    ],
    AuthorizePayment: refused,
    CapturePayment: refused,
    CancelPayment: refused,
    RefundPayment: refused,
  };
}

function leverSamples({ shop }: PaymentCallers, { sessionId }: Paid, paymentId: string): Samples {
  return {
    CaptureBatch: [
      [lever, {}],
      [shop, {}],
    ],
    FillCheckoutCard: [
      [lever, { sessionId, card }],
      [lever, { sessionId: absent, card }],
      [shop, { sessionId, card }],
      [lever, { sessionId, card: { ...card, number: undefined } }],
    ],
    FillPaymentCard: [
      [lever, { paymentId: absent, card }],
      [shop, { paymentId, card }],
    ],
    SettleChallenge: [
      [lever, { sessionId, outcome: 'PASS' }],
      [lever, { sessionId: absent, outcome: 'PASS' }],
      [shop, { sessionId, outcome: 'PASS' }],
    ],
  };
}
