// What the graph in memory holds: visits of payers, challenges and visits to methods, as they are before anything happens to them.
import type { LoadedCheckout, PageOperation } from '../../pages/pay/checkout-page';
import { newId } from '../../subgraphs/shared/ids';

export interface FakeChallenge {
  challengeId: string;
  sessionId: string;
  merchantName: string;
  amount: string;
  currency: string;
  maskedCard: string;
  scheme: string;
  language: string | null;
  codeHint: string;
  status: string;
  triesLeft: number;
  resends: number;
  expiresAt: string;
  returnUrl: string;
}

export interface FakeVisit {
  visitId: string;
  sessionId: string;
  method: string;
  merchantName: string;
  amount: string;
  currency: string;
  language: string | null;
  status: string;
  returnUrl: string;
}

export interface FakeAddresses {
  pay: string;
  acs: string;
}

export function goodOperation({ amount, currency }: Pick<LoadedCheckout, 'amount' | 'currency'>): PageOperation {
  return {
    operationId: '7d1c2a44-7f6e-4f0a-9b1d-0a2b3c4d5e6f',
    operationType: 'AUTHORIZATION',
    operationResult: 'AUTHORIZED',
    operationTime: '2026-11-21T12:03:00.000Z',
    channelDetail: 'HOSTED_PAGE',
    operationAmount: amount ?? '0',
    operationCurrency: currency,
    paymentCircuit: 'VISA',
    paymentInstrumentInfo: '424242******4242',
  };
}

/** One of the fields that a card is typed into: a visit without any pays with a stored card. */
const numberField = { class: 'CARD_FIELD', id: 'CARD_NUMBER', src: '', type: 'TEXT' };

export function emptyPage(sessionId: string, now: Date): LoadedCheckout {
  return {
    sessionId,
    family: 'checkout',
    kind: 'HOSTED',
    state: 'PAYMENT_METHOD_SELECTION',
    paymentState: 'PendingCustomer',
    merchantName: 'Nordlys Paper & Ink',
    merchantOrigin: null,
    amount: '4250',
    fee: null,
    currency: 'EUR',
    orderId: 'NP-20318',
    description: 'Two notebooks and a fountain pen',
    customField: null,
    language: null,
    countryLanguage: null,
    summaries: [],
    summary: [
      { label: 'Notebook A5 × 2', value: '24.00 €' },
      { label: 'Fountain pen', value: '15.00 €' },
      { label: 'Delivery', value: '3.50 €' },
    ],
    termsAndConditionsIds: [],
    methods: [
      { method: 'CARDS', circuits: ['VISA', 'MC', 'AMEX'], fee: null },
      { method: 'PAYPAL', circuits: ['PAYPAL'], fee: null },
      { method: 'MYBANK', circuits: ['MYBANK'], fee: null },
    ],
    methodRules: null,
    pageType: null,
    templateName: null,
    cancelUrl: null,
    resultUrl: null,
    flowVersion: '1',
    method: null,
    fields: [numberField],
    operation: null,
    redirectUrl: null,
    isTest: true,
    cardEntered: [],
    idleUntil: new Date(now.getTime() + 30 * 60_000).toISOString(),
  } as LoadedCheckout;
}

export function emptyChallenge(
  challengeId: string,
  { now, addresses }: { now: Date; addresses: FakeAddresses },
): FakeChallenge {
  return {
    challengeId,
    sessionId: newId(),
    merchantName: 'Nordlys Paper & Ink',
    amount: '4250',
    currency: 'EUR',
    maskedCard: '400000******3155',
    scheme: 'VISA',
    language: null,
    codeHint: '123456',
    status: 'OPEN',
    triesLeft: 3,
    resends: 0,
    expiresAt: new Date(now.getTime() + 5 * 60_000).toISOString(),
    returnUrl: `${addresses.pay}/return/none`,
  };
}

export function emptyVisit(visitId: string, addresses: FakeAddresses): FakeVisit {
  return {
    visitId,
    sessionId: newId(),
    method: 'PAYPAL',
    merchantName: 'Nordlys Paper & Ink',
    amount: '4250',
    currency: 'EUR',
    language: null,
    status: 'OPEN',
    returnUrl: `${addresses.pay}/return/none`,
  };
}
