// Hosted checkout on a real database: the persisted operations against the payments subgraph alone, a shop, a payer and the sandbox's levers as callers.
import { graphql } from 'graphql';
import { type CheckoutTerminal, createPayments, type Payments, type PaymentsDeps } from '../../subgraphs/payments';
import { type Caller, pageCaller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { type IdempotencyKey, requestContext } from '../../subgraphs/shared/callers/context';
import { manualClock } from '../../subgraphs/shared/clock';
import { createVault, type Vault } from '../../subgraphs/shared/crypto/vault';
import type { DomainErrorCode } from '../../subgraphs/shared/errors';
import { createIdempotent } from '../../subgraphs/shared/idempotency/idempotency';
import { newId } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { type Committer, createCommitter } from '../../subgraphs/shared/store/committer';
import { readOperations } from '../../tools/persisted-operations';
import { openTracedStores, type TracedStores } from '../slots/traced-stores';
import { schemaOf } from '../support/subgraph';
import { keyringFor } from '../support/vault';

const operations = readOperations('schema');

export const start = new Date('2026-11-21T10:00:00Z');
export const minuteMs = 60_000;
export const payUrl = 'http://127.0.0.1:8082';
export const acsUrl = 'http://127.0.0.1:8084';
export const sriHash = 'sha384-test';

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape the schema has just established
  data: any;
  code: DomainErrorCode | 'internal' | null;
  field: string | undefined;
  message: string;
  replayed: boolean;
}

interface RunOptions {
  caller?: Caller;
  idempotency?: IdempotencyKey;
}

export interface CheckoutWorld {
  stores: TracedStores;
  clock: ReturnType<typeof manualClock>;
  committer: Committer;
  vault: Vault;
  payments: Payments;
  /** API keys of alpha's terminals and of another tenant's; the payer's page; the sandbox key. */
  implicit: Caller;
  explicit: Caller;
  foreign: Caller;
  page: Caller;
  levers: Caller;
  /** The persisted operation of that name. */
  run(name: string, variables?: object, options?: RunOptions): Promise<Answer>;
  /** The same as another process on the same stores. */
  another(): Promise<CheckoutWorld['run']>;
  /** A session of card fields over 50.00 EUR; its answer. */
  build(order?: object, paymentSession?: object, options?: RunOptions & { more?: object }): Promise<Answer>;
  hosted(order?: object, paymentSession?: object, options?: RunOptions): Promise<Answer>;
  /** What the database holds of a session, its payment, its card, its events. */
  // biome-ignore lint/suspicious/noExplicitAny: raw documents
  documents(collection: string, filter?: object): Promise<any[]>;
  close(): Promise<void>;
}

export const card = (number = '4242424242424242') => ({
  number,
  expiry: '12/30',
  cvv: cvvOf(number),
  holder: 'Ada Lovelace',
});

/** The merchant's own server in family A. */
export const merchantClient: Caller = {
  kind: 'client',
  credentialId: 'client-alpha',
  environment: 'sandbox',
  accountId: 'alpha',
  merchantId: 'merchant-alpha',
  scopes: ['payments:write', 'payments:read'],
  identifiers: [],
};

const cvvOf = (number: string) => (number.startsWith('3') ? '1234' : '123');

export async function openCheckoutWorld(replace: Partial<PaymentsDeps> = {}): Promise<CheckoutWorld> {
  const stores = await openTracedStores();
  const clock = manualClock(start);
  const { product: connection } = stores;
  const committer = createCommitter(connection);
  const vault = createVault(connection, keyringFor({ current: Buffer.alloc(32, 7).toString('base64'), previous: '' }));
  const idempotency = createIdempotent({ connection, clock, vault });
  const { onceBegun } = idempotency;
  const process = (inTransaction = createCommitter(connection).inTransaction) =>
    createPayments({ ...depsOf({ connection, inTransaction, onceBegun, clock, vault }), ...replace });
  const payments = await process(committer.inTransaction);
  // Without the index of the keys: their day ends on the clock of this world, and MongoDB would delete them by its own.
  await payments.ensureIndexes();
  const implicit = keyOf('alpha', 'implicit');

  const runOn =
    (on: Payments): CheckoutWorld['run'] =>
    async (name, variables = {}, { caller = callerFor(name, implicit), idempotency } = {}) => {
      const context = requestContext(caller, newId(), idempotency);
      const source = operations[name] ?? '';
      const schema = await schemaOf(on);
      const result = await graphql({ schema, source, contextValue: context, variableValues: { ...variables } });
      const error = result.errors?.[0];
      const refusal = error ? refusalOf(error) : null;
      return {
        data: Object.values(result.data ?? {})[0] ?? null,
        message: error?.message ?? '',
        field: refusal?.details.field,
        code: error ? (refusal?.code ?? 'internal') : null,
        replayed: context.reply.idempotentReplayed ?? false,
      };
    };
  const run = runOn(payments);

  return {
    stores,
    clock,
    committer,
    vault,
    payments,
    implicit,
    run,
    explicit: keyOf('alpha', 'explicit'),
    foreign: keyOf('beta', 'implicit'),
    page: pageCaller('sandbox'),
    levers: leverCaller,
    another: async () => runOn(await process()),
    build: (order = {}, paymentSession = {}, { more = {}, ...options } = {}) =>
      run('BuildCheckout', { input: { ...buildInput(order, paymentSession), ...more } }, options),
    hosted: (order = {}, paymentSession = {}, options = {}) =>
      run('CreateHostedOrder', { input: hostedInput(order, paymentSession) }, options),
    documents: (collection, filter = {}) => stores.connection.collection(collection).find(filter).toArray(),
    async close() {
      await committer.drain();
      await stores.close();
    },
  };
}

export const newOrderId = () => newId().slice(0, 18);

function buildInput(order: object = {}, paymentSession: object = {}) {
  return {
    order: { orderId: newOrderId(), amount: '5000', currency: 'EUR', ...order },
    paymentSession: {
      actionType: 'PAY',
      paymentService: 'CARDS',
      resultUrl: 'https://shop.example/done',
      ...paymentSession,
    },
  };
}

function hostedInput(order: object = {}, paymentSession: object = {}) {
  return {
    order: { orderId: newOrderId(), amount: '5000', currency: 'EUR', ...order },
    paymentSession: {
      amount: '5000',
      cancelUrl: 'https://shop.example/back',
      resultUrl: 'https://shop.example/done',
      ...paymentSession,
    },
  };
}

/** Who may run it: the shop's key, one of our pages, or the sandbox key. */
function callerFor(name: string, shop: Caller): Caller {
  if (['FillCheckoutCard', 'SettleChallenge', 'FillPaymentCard'].includes(name)) return leverCaller;
  const isShops =
    /^(BuildCheckout|CreateHostedOrder|FinalizeCheckout|CancelCheckout|GetCheckoutState|GetCheckoutCardData)$/;
  return isShops.test(name) ? shop : pageCaller('sandbox');
}

const leverCaller: Caller = {
  ...systemCaller('sandbox', 'levers'),
  kind: 'sandboxKey',
  credentialId: 'sandbox-key',
  scopes: ['sandbox:control'],
};

function keyOf(account: string, terminal: string): Caller {
  return {
    kind: 'apiKey',
    credentialId: `key-${account}-${terminal}`,
    environment: 'sandbox',
    accountId: account,
    merchantId: `merchant-${account}`,
    terminalId: `terminal-${account}-${terminal}`,
    scopes: ['checkout'],
    identifiers: [],
  };
}

export function terminalOf(terminalId: string, changes: Partial<CheckoutTerminal> = {}): CheckoutTerminal | null {
  const match = /^terminal-(alpha|beta)-(implicit|explicit)$/.exec(terminalId);
  if (!match) return null;
  return {
    terminalId,
    accountId: match[1] ?? '',
    merchantId: `merchant-${match[1]}`,
    status: 'ACTIVE',
    captureType: match[2] === 'implicit' ? 'IMPLICIT' : 'EXPLICIT',
    captureDelayHours: 24,
    origins: ['https://shop.example'],
    currencies: ['EUR', 'JPY'],
    methods: [
      { method: 'CARDS', circuits: ['VISA', 'MC', 'AMEX'] },
      { method: 'PAYPAL', circuits: ['PAYPAL'] },
      { method: 'MYBANK', circuits: ['MYBANK'] },
    ],
    ...changes,
  };
}

type Ground = Pick<PaymentsDeps, 'connection' | 'inTransaction' | 'onceBegun' | 'clock' | 'vault'>;

function depsOf(ground: Ground): PaymentsDeps {
  return {
    ...ground,
    sriHash,
    config: {
      environment: 'sandbox',
      isSandbox: true,
      PAY_URL: payUrl,
      ACS_URL: acsUrl,
      AUTHORIZATION_HOURS: 168,
      PROVIDER_NAME: 'Provider',
      MOBILE_WALLET_NAME: 'MobileWallet',
      APP_WALLET_NAME: 'AppWallet',
      BANK_REDIRECT_NAME: 'BankRedirect',
      PAY_PAGE_METHODS: ['VISA', 'MASTERCARD', 'INVOICE'],
    },
    audit: () => ({ collection: 'audit', document: { _id: newId() } }),
    readTerminal: async (_environment, terminalId) => terminalOf(terminalId),
    readMerchant: async (_environment, merchantId) => ({
      merchantId,
      accountId: merchantId.replace('merchant-', ''),
      merchantNumber: 1,
      name: 'A shop',
      status: 'ACTIVE',
      currency: 'EUR',
      country: 'DK',
    }),
    judgeAddress: (address) => (address.includes('//169.254.') ? 'a forbidden address' : null),
    redeemToken: async () => null,
    answerMsMax: 60_000,
  };
}
