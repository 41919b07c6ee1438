// The payment service over the money core on a real database: its mutations as the graph takes them, the hosted page played by hand, tokens of the tokenization interface handed in.
import { graphql } from 'graphql';
import type { PaymentsDeps } from '../../subgraphs/payments';
import { createPayments, type Payments } from '../../subgraphs/payments';
import { createContractRepository } from '../../subgraphs/payments/contracts/contract.repository';
import { newConsent } from '../../subgraphs/payments/contracts/contract.service';
import type { Money } from '../../subgraphs/payments/money/money';
import { createMoney } from '../../subgraphs/payments/money/money.service';
import { createSandboxConnectors } from '../../subgraphs/payments/sandbox/sandbox-connectors.service';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { systemCaller } from '../../subgraphs/shared/callers/caller';
import { type IdempotencyKey, requestContext } from '../../subgraphs/shared/callers/context';
import { manualClock } from '../../subgraphs/shared/clock';
import { createVault, type Vault } from '../../subgraphs/shared/crypto/vault';
import type { DomainErrorCode } from '../../subgraphs/shared/errors';
import { createIdempotent } from '../../subgraphs/shared/idempotency/idempotency';
import { newId } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { openTracedStores, type TracedStores } from '../slots/traced-stores';
import { schemaOf } from '../support/subgraph';
import { keyringFor } from '../support/vault';

const start = new Date('2026-11-21T10:00:00Z');
export const dayMs = 86_400_000;
const payUrl = 'http://127.0.0.1:8082';

/** A card token of the tokenization interface that the stand-in knows: the number that the acquirer is asked about. */
interface KnownToken {
  accountId: string;
  cryptogram: string;
  number: string;
  madeAt: Date;
}

export interface ServiceWorld {
  stores: TracedStores;
  clock: ReturnType<typeof manualClock>;
  payments: Payments;
  /** The same money core as a page would use it. */
  money: Money;
  vault: Vault;
  alpha: Caller;
  beta: Caller;
  reader: Caller;
  staff: Caller;
  tokens: Map<string, KnownToken>;
  close(): Promise<void>;
  run(field: string, options?: RunOptions): Promise<Answer>;
  read(paymentId: string, caller?: Caller): Promise<Answer['data']>;
  /** A created payment's id. */
  created(input?: object, caller?: Caller): Promise<string>;
  /** What the page does with processing None: a card is given, and kept for Authorize. */
  giveCard(paymentId: string, number?: string): Promise<void>;
  /** A payment that is authorized over its amount. */
  authorized(input?: object): Promise<string>;
  /** A stored consent of alpha. */
  consent(number?: string, origin?: object): Promise<{ token: string; tokenSecret: string }>;
}

interface RunOptions {
  paymentId?: string;
  input?: object;
  caller?: Caller;
  idempotency?: IdempotencyKey;
}

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape the schema has just established
  data: any;
  code: DomainErrorCode | 'internal' | null;
  message: string;
  field: string | undefined;
  replayed: boolean;
}

const selections: Record<string, string> = {
  createPayment: 'hostedPageUrl payment { paymentId state }',
  paymentServiceDetails: `paymentId state amount currency authorizedAmount capturedAmount refundedAmount paymentNumber reconciliationReference
    processing hostedPageUrl circuit instrumentInfo token { token tokenSecret } transactions { operationId type result amount time } createdAt`,
};
const inputTypes: Record<string, string> = {
  createPayment: 'CreatePaymentInput',
  authorizePayment: 'AuthorizePaymentInput',
  capturePayment: 'CapturePaymentInput',
  cancelPayment: 'CancelPaymentInput',
  refundPayment: 'RefundPaymentInput',
};

function sourceOf(field: string): string {
  const selection = selections[field] ?? 'payment { paymentId state } operation { operationId }';
  const input = inputTypes[field];
  if (!input) return `query ($paymentId: ID!) { answer: ${field}(paymentId: $paymentId) { ${selection} } }`;
  if (field === 'createPayment')
    return `mutation ($input: ${input}!) { answer: ${field}(input: $input) { ${selection} } }`;
  return `mutation ($paymentId: ID!, $input: ${input}!) { answer: ${field}(paymentId: $paymentId, input: $input) { ${selection} } }`;
}

export async function openServiceWorld(): Promise<ServiceWorld> {
  const stores = await openTracedStores();
  const clock = manualClock(start);
  const { product: connection } = stores;
  const committer = createCommitter(connection);
  const { inTransaction } = committer;
  const vault = createVault(connection, keyringFor({ current: Buffer.alloc(32, 7).toString('base64'), previous: '' }));
  const idempotency = createIdempotent({ connection, clock, vault });
  const { onceBegun } = idempotency;
  const tokens: ServiceWorld['tokens'] = new Map();
  const deps = depsOf({ stores, clock, inTransaction, onceBegun, vault, tokens });
  const payments = createPayments(deps);
  const money = createMoney({
    connection,
    inTransaction,
    clock,
    environment: 'sandbox',
    ...createSandboxConnectors({
      connection,
      environment: 'sandbox',
      clock,
      methodOrigin: 'http://127.0.0.1:8084',
    }),
    answerMsMax: 60_000,
  });
  // Without the index of the keys: their day ends on the clock of this world, and MongoDB would delete them by its own.
  await payments.ensureIndexes();
  const alpha = callerOf('alpha');

  const run: ServiceWorld['run'] = async (field, { paymentId, input = {}, caller = alpha, idempotency } = {}) => {
    const context = requestContext(caller, newId(), idempotency);
    const result = await graphql({
      schema: await schemaOf(payments),
      source: sourceOf(field),
      contextValue: context,
      variableValues: { paymentId, input },
    });
    const error = result.errors?.[0];
    const refusal = error ? refusalOf(error) : null;
    return {
      data: result.data?.['answer'] ?? null,
      message: error?.message ?? '',
      field: refusal?.details.field,
      code: error ? (refusal?.code ?? 'internal') : null,
      replayed: context.reply.idempotentReplayed ?? false,
    };
  };
  const created: ServiceWorld['created'] = async (input = {}, caller = alpha) => {
    const { data, code, message } = await run('createPayment', { input: { ...paid, ...input }, caller });
    if (!data) throw new Error(`not created: ${code} ${message}`);
    return data.payment.paymentId;
  };
  const giveCard: ServiceWorld['giveCard'] = async (paymentId, number = '4242424242424242') => {
    const context = requestContext(systemCaller('sandbox', 'page'), newId());
    const instrument = await money.registerInstrument(context, {
      accountId: 'alpha',
      merchantId: 'merchant-alpha',
      threeDs: 'frictionless',
      card: { number, expiry: '12/30', cvv: '123', holder: 'Ada Lovelace' },
    });
    await money.record(context, { paymentId, type: 'CARD_CHECK', result: 'THREEDS_VALIDATED', instrument });
  };
  const authorized: ServiceWorld['authorized'] = async (input) => {
    const paymentId = await created(input);
    await giveCard(paymentId);
    const { code } = await run('authorizePayment', { paymentId });
    if (code) throw new Error(`not authorized: ${code}`);
    return paymentId;
  };
  const consent: ServiceWorld['consent'] = async (number, origin = {}) => {
    const paymentId = await created({
      paymentMethodDetails: { type: 'InitialPaymentMethodTokenizationDetails', ...origin },
    });
    await giveCard(paymentId, number);
    const payment = await money.findPayment(systemCaller('sandbox', 'page'), paymentId);
    if (!payment?.instrument) throw new Error('the page kept no instrument');
    const contract = await newConsent({ vault, clock }, payment, { instrument: payment.instrument, status: 'ACTIVE' });
    await inTransaction({ inserts: [createContractRepository(connection).insertOf(contract)] });
    return (await run('paymentServiceDetails', { paymentId })).data.token;
  };

  return {
    stores,
    clock,
    payments,
    money,
    vault,
    tokens,
    alpha,
    run,
    created,
    giveCard,
    authorized,
    consent,
    beta: callerOf('beta'),
    reader: { ...alpha, credentialId: 'reader', scopes: ['payments:read'] },
    staff: { ...systemCaller('sandbox', 'staff'), kind: 'client', scopes: ['graph:admin', 'graph:read'] },
    read: async (paymentId, caller) => (await run('paymentServiceDetails', { paymentId, caller })).data,
    async close() {
      await committer.drain();
      await stores.close();
    },
  };
}

/** 50.00 EUR. */
const paid = { amount: '5000', currencyCode: 'EUR' };

function callerOf(account: string): Caller {
  return {
    kind: 'client',
    credentialId: `client-${account}`,
    environment: 'sandbox',
    accountId: account,
    merchantId: `merchant-${account}`,
    scopes: ['payments:write', 'payments:read'],
    identifiers: [],
  };
}

type Ground = Pick<ServiceWorld, 'stores' | 'clock' | 'vault' | 'tokens'> &
  Pick<PaymentsDeps, 'inTransaction' | 'onceBegun'>;

function depsOf({ stores, clock, inTransaction, onceBegun, vault, tokens }: Ground): PaymentsDeps {
  const spent = new Map<string, string>();
  return {
    connection: stores.product,
    inTransaction,
    onceBegun,
    clock,
    vault,
    sriHash: 'sha384-test',
    config: {
      environment: 'sandbox',
      isSandbox: true,
      PAY_URL: payUrl,
      ACS_URL: 'http://127.0.0.1:8084',
      AUTHORIZATION_HOURS: 168,
      PROVIDER_NAME: 'Provider',
      MOBILE_WALLET_NAME: 'MobileWallet',
      APP_WALLET_NAME: 'AppWallet',
      BANK_REDIRECT_NAME: 'BankRedirect',
      PAY_PAGE_METHODS: ['VISA', 'MASTERCARD', 'INVOICE'],
    },
    audit: (context, change) => ({
      collection: 'audit',
      document: { _id: newId(), actor: context.caller.credentialId, ...change },
    }),
    readTerminal: async () => null,
    readMerchant: async (_environment, merchantId) => ({
      merchantId,
      accountId: merchantId.replace('merchant-', ''),
      merchantNumber: 1,
      name: 'A shop',
      status: merchantId === 'merchant-asleep' ? 'INACTIVE' : 'ACTIVE',
      currency: 'DKK',
      country: 'DK',
    }),
    judgeAddress: () => null,
    answerMsMax: 60_000,
    redeemToken: async ({ accountId, token, cryptogram, usedFor, againWithinMs }) => {
      const known = tokens.get(token);
      if (known?.accountId !== accountId || known.cryptogram !== cryptogram) return null;
      const ageMs = clock.now().getTime() - known.madeAt.getTime();
      const [first, againMs] = [spent.get(cryptogram), againWithinMs ?? Number.POSITIVE_INFINITY];
      if (first === undefined ? ageMs >= 15 * 60_000 : first !== usedFor || ageMs >= againMs) return null;
      spent.set(cryptogram, usedFor);
      return { number: known.number, expiry: '12/29', accountMasked: '424242******4242' };
    },
  };
}
