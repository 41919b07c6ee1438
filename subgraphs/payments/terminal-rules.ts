// What a terminal makes of a request: origin, currency, methods and the way to capture (hosted checkout, captureType resolution; 2.2-B of the decision register).
import { DomainError } from '../shared/errors';
import type { CaptureType } from './payment/payment';
import type { CheckoutTerminal } from './ports';

/** Values of `paymentService` that exist anywhere. */
const paymentServices = [
  'CARDS',
  'APPLEPAY',
  'GOOGLEPAY',
  'PAYPAL',
  'PAYPAL_BNPL',
  'BANCOMATPAY',
  'BANCONTACT',
  'GIROPAY',
  'IDEAL',
  'MYBANK',
] as const;

/** Terminal default, captureType sent ('' when absent), result; what is not listed is refused. */
export const captureResolution: readonly (readonly [CaptureType, CaptureType | '', CaptureType])[] = [
  ['EXPLICIT', 'EXPLICIT', 'EXPLICIT'],
  ['EXPLICIT', '', 'EXPLICIT'],
  ['EXPLICIT', 'IMPLICIT', 'IMPLICIT'],
  ['EXPLICIT', 'DEFERRED', 'DEFERRED'],
  ['EXPLICIT', 'FILE', 'FILE'],
  ['IMPLICIT', '', 'IMPLICIT'],
  ['IMPLICIT', 'IMPLICIT', 'IMPLICIT'],
  ['DEFERRED', '', 'DEFERRED'],
  ['DEFERRED', 'EXPLICIT', 'EXPLICIT'],
  ['DEFERRED', 'IMPLICIT', 'IMPLICIT'],
  ['DEFERRED', 'DEFERRED', 'DEFERRED'],
  ['DEFERRED', 'FILE', 'FILE'],
  ['FILE', '', 'FILE'],
  ['FILE', 'EXPLICIT', 'EXPLICIT'],
  ['FILE', 'IMPLICIT', 'IMPLICIT'],
  ['FILE', 'DEFERRED', 'DEFERRED'],
  ['FILE', 'FILE', 'FILE'],
];

/** The way to capture. Refuses with `invalidData` what an IMPLICIT terminal cannot do. */
export function decideCaptureType(terminal: CaptureType, sent: CaptureType | null): CaptureType {
  const row = captureResolution.find(([when, said]) => when === terminal && said === (sent ?? ''));
  if (row) return row[2];
  const field = 'paymentSession.captureType';
  throw new DomainError('invalidData', `${field} ${sent} is not possible on a terminal that captures at once`, {
    field,
  });
}

/** The currency sent, or the terminal's first. Refuses with `currencyInvalid` what the terminal does not take. */
export function decideCurrency(sent: string | null, { currencies }: Pick<CheckoutTerminal, 'currencies'>): string {
  const currency = sent ?? currencies[0];
  if (currency !== undefined && currencies.includes(currency)) return currency;
  throw new DomainError('currencyInvalid', 'order.currency is not enabled on the terminal', {
    field: 'order.currency',
  });
}

/** The method asked for, or null. Refuses with `invalidData` what is unknown or not active on the terminal. */
export function decideMethod(
  paymentService: string | null,
  { methods }: Pick<CheckoutTerminal, 'methods'>,
): string | null {
  if (paymentService === null || methods.some(({ method }) => method === paymentService)) return paymentService;
  const field = 'paymentSession.paymentService';
  const isKnown = paymentServices.some((service) => service === paymentService);
  const reason = isKnown ? 'is not active on the terminal' : `is not one of ${paymentServices.join(', ')}`;
  throw new DomainError('invalidData', `${field} ${reason}`, { field });
}

/**
 * What the payer may choose from: cards alone where the order is about one, to be kept, charged later or verified. Refuses such an order with
 * `invalidData` when it names another method, or the terminal takes no cards.
 */
export function decideOffer(
  { recurrence, actionType }: { recurrence: object | null; actionType: string },
  method: string | null,
  { methods }: Pick<CheckoutTerminal, 'methods'>,
): CheckoutTerminal['methods'] {
  if (!recurrence && actionType !== 'VERIFY') return methods;
  const cards = methods.filter((offer) => offer.method === 'CARDS');
  const field = recurrence ? 'paymentSession.recurrence' : 'paymentSession.actionType';
  const subject = recurrence ? field : `${field} VERIFY`;
  if (method !== null && method !== 'CARDS')
    throw new DomainError('invalidData', `${subject} is for cards only`, { field });
  if (cards.length === 0)
    throw new DomainError('invalidData', `${subject} is for cards, which the terminal does not take`, { field });
  return cards;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** In production a payer is sent back by https, or to this very machine; absolute addresses by field. Refuses with `invalidData`. */
export function assertSafeReturns(addresses: Readonly<Record<string, string | null>>, isSandbox: boolean): void {
  if (isSandbox) return;
  for (const [field, address] of Object.entries(addresses)) {
    const { protocol, hostname } = new URL(address ?? 'https://none.invalid');
    if (protocol !== 'https:' && !loopbackNames.includes(hostname))
      throw new DomainError('invalidData', `${field} must be https`, { field });
  }
}

/**
 * The shop's origin as browsers print it; absent, the first registered one (null when none is). In the sandbox every loopback http origin is
 * taken. Refuses with `originNotRegistered`.
 */
export function decideMerchantOrigin(
  merchantUrl: string | null,
  { origins }: Pick<CheckoutTerminal, 'origins'>,
  isSandbox: boolean,
): string | null {
  if (merchantUrl === null) return origins[0] ?? null;
  const refusal = new DomainError('originNotRegistered', undefined, { field: 'merchantUrl' });
  if (!URL.canParse(merchantUrl)) throw refusal;
  const { origin, protocol, hostname, pathname, search, hash, username, password } = new URL(merchantUrl);
  if (pathname !== '/' || search || hash || username || password) throw refusal;
  const isLoopback = loopbackNames.includes(hostname);
  if (origins.includes(origin) || (isSandbox && isLoopback && protocol === 'http:')) return origin;
  throw refusal;
}
