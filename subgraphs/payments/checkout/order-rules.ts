// The rules of an order and its payment session, each with its own refusal (hosted checkout, Order and paymentSession; 2.2-B and 2.2-D of the decision register).
import { DomainError } from '../../shared/errors';
import { isCurrency } from '../../shared/money';
import { withoutAbsent } from '../../shared/present-members';
import { parseFixedOffset, printFixedOffset } from '../../shared/time';
import { contractTypes, type RecurrenceRequest, recurrenceActions } from '../contracts/contract';
import { type CaptureType, captureTypes } from '../payment/payment';
import type { SessionKind } from '../sessions/checkout-session';
import { isLanguage } from '../sessions/languages';
import { parseCustomerInfo } from './customer-info';
import {
  amount,
  browserAddress,
  type Json,
  nested,
  orderFreeText,
  orderInteger,
  orderList,
  orderText,
  type Part,
  part,
  pathOf,
  required,
  word,
  wrong,
} from './order-fields';

const actionTypes = ['PAY', 'VERIFY', 'PURCHASE', 'PREAUTH'] as const;
type ActionType = (typeof actionTypes)[number];
const exemptionWords = ['NO_PREFERENCE', 'CHALLENGE_REQUESTED', 'EXEMPTION_REQUESTED'] as const;
type Exemption = (typeof exemptionWords)[number];
const installmentTypes = ['AUTOMATIC', 'MANUAL'] as const;
const planTypes = ['FIXED', 'VARIABLE', 'ACQUIRER_AGREEMENT'] as const;
const planStatuses = ['ACTIVE', 'INACTIVE', 'COMPLETED'] as const;

const orderIdPattern = /^[A-Za-z0-9#*+\-.:;=?[\]_{|}]{1,27}$/;
const invoiceIdPattern = /^[A-Za-z0-9_+-]{1,30}$/;
const itemsMax = 999;
const contractFrequencyDaysMax = 3_650;

/** An order with its session, checked by itself; what depends on terminal and contracts is decided later. */
export interface CheckoutRequest {
  orderId: string | null;
  /** Of the session: what is paid now. */
  amountMinor: bigint | null;
  currency: string | null;
  customField: string | null;
  description: string | null;
  customerInfo: Json | null;
  installmentQty: number | null;
  /** The known members as they were sent, for the echo. */
  order: Json;
  actionType: ActionType;
  captureType: CaptureType | null;
  exemption: Exemption;
  language: string | null;
  cancelUrl: string | null;
  resultUrl: string | null;
  notificationUrl: string | null;
  paymentService: string | null;
  recurrence: RecurrenceRequest | null;
}

export interface RequestRules {
  kind: SessionKind;
  /** The path without a version knows fewer words. */
  isOlderPath: boolean;
  /** On the one clock. */
  now: Date;
}

/** Checks order and paymentSession as they came. Refuses with the code and path of the first rule that is broken. */
export function parseCheckoutRequest(order: unknown, session: unknown, rules: RequestRules): CheckoutRequest {
  const isHosted = rules.kind === 'HOSTED';
  const orderPart = part(order ?? {}, 'order');
  const sessionPart = part(session ?? {}, 'paymentSession');
  const parsed = { ...parseOrder(orderPart, rules), ...parseSession(sessionPart, rules) };
  if (isHosted) {
    required(parsed.orderAmountMinor, orderPart, 'amount');
    required(parsed.currency, orderPart, 'currency');
    required(parsed.orderId, orderPart, 'orderId');
    required(parsed.sessionAmountMinor, sessionPart, 'amount');
    required(parsed.cancelUrl, sessionPart, 'cancelUrl');
  }
  const { orderAmountMinor, sessionAmountMinor, ...rest } = parsed;
  if (orderAmountMinor !== null && sessionAmountMinor !== null && sessionAmountMinor > orderAmountMinor) {
    const field = 'paymentSession.amount';
    throw new DomainError('sessionAmountAboveOrder', `${field} is above order.amount`, { field });
  }
  const amountMinor = sessionAmountMinor ?? orderAmountMinor;
  if (amountMinor === 0n && rest.actionType !== 'VERIFY') {
    const field = sessionAmountMinor === null ? 'order.amount' : 'paymentSession.amount';
    throw new DomainError('amountInvalid', `${field} is zero, which only VERIFY takes`, { field });
  }
  return { ...rest, amountMinor };
}

function parseOrder(from: Part, { kind, now }: RequestRules) {
  const orderAmountMinor = amount(from, 'amount');
  const currency = orderText(from, 'currency');
  if (currency !== null && !isCurrency(currency))
    throw new DomainError('currencyInvalid', 'order.currency is no currency of ISO 4217', { field: 'order.currency' });
  const refuse = (message: string, field: string) => new DomainError('orderReferenceInvalid', message, { field });
  const orderId = orderText(from, 'orderId', {
    refuse,
    pattern: orderIdPattern,
    expected: '1 to 27 letters, digits or # * + - . : ; = ? [ ] _ { | }',
  });
  const invoiceid = orderText(from, 'invoiceid', {
    refuse,
    pattern: invoiceIdPattern,
    expected: '1 to 30 letters, digits, underscores, minuses or pluses',
  });
  // The documents spell the member with a stray byte (T6); both are read, the clean one is kept.
  const customField = orderFreeText(from, 'customField') ?? orderFreeText(from, 'customField\u00c2');
  const description = orderFreeText(from, 'description');
  const customerInfo = parseCustomerInfo(nested(from, 'customerInfo'));
  const plan = parsePlan(nested(from, 'plan'));
  const order = withoutAbsent({
    amount: orderAmountMinor === null ? null : String(orderAmountMinor),
    currency,
    orderId,
    customField,
    customerId: orderText(from, 'customerId'),
    customerInfo,
    description,
    installments: parseInstallments(from, { isStrict: kind === 'BUILD', now, orderAmountMinor }),
    invoiceid,
    termsAndConditionsIds: parseTerms(from),
    transactionSummary: parseSummary(from),
    plan,
  });
  const installmentQty = (plan?.InstallmentQty as number | undefined) ?? null;
  return { orderId, orderAmountMinor, currency, customField, description, customerInfo, installmentQty, order };
}

interface InstallmentRules {
  isStrict: boolean;
  now: Date;
  orderAmountMinor: bigint | null;
}

function parseInstallments(from: Part, { isStrict, now, orderAmountMinor }: InstallmentRules): Json[] | null {
  let sumMinor = 0n;
  const today = printFixedOffset(now).slice(0, 10);
  const items = orderList(from, 'installments', itemsMax)?.map((item, index) => {
    const at = part(item, `${pathOf(from, 'installments')}[${index}]`);
    const minor = amount(at, 'amount');
    const date = orderText(at, 'date');
    const type = word(at, 'type', installmentTypes);
    if (isStrict) for (const [name, value] of Object.entries({ amount: minor, date, type })) required(value, at, name);
    const isReal = date === null || (/^\d{4}-\d{2}-\d{2}$/.test(date) && parseFixedOffset(date) !== null);
    if (!isReal || (date !== null && date < today)) {
      const field = pathOf(at, 'date');
      throw new DomainError('installmentDateInvalid', `${field} is no date from today on`, { field });
    }
    sumMinor += minor ?? 0n;
    return withoutAbsent({ amount: minor === null ? null : String(minor), date, type });
  });
  if (orderAmountMinor !== null && sumMinor > orderAmountMinor) {
    const field = pathOf(from, 'installments');
    throw new DomainError('installmentsAboveOrder', 'the installments sum to more than order.amount', { field });
  }
  return items ?? null;
}

function parsePlan(from: Part | null): Json | null {
  if (!from) return null;
  const total = amount(from, 'totalAmount');
  return withoutAbsent({
    totalAmount: total === null ? null : String(total),
    contractId: orderText(from, 'contractId', { lengthMax: contractIdLengthMax }),
    planType: word(from, 'planType', planTypes),
    InstallmentQty: orderInteger(from, 'InstallmentQty', { min: 1, max: 999 }),
    status: word(from, 'status', planStatuses),
  });
}

function parseTerms(from: Part): string[] | null {
  const ids = orderList(from, 'termsAndConditionsIds', itemsMax);
  if (!ids) return null;
  return ids.map((value, index) => {
    const item = { path: pathOf(from, 'termsAndConditionsIds'), value: { [`[${index}]`]: value } };
    return required(orderText(item, `[${index}]`), item, `[${index}]`);
  });
}

function parseSummary(from: Part): Json[] | null {
  const summaries = orderList(from, 'transactionSummary', itemsMax);
  if (!summaries) return null;
  return summaries.map((item, index) => {
    const at = part(item, `${pathOf(from, 'transactionSummary')}[${index}]`);
    const lines = orderList(at, 'summaryList', itemsMax)?.map((line, place) => {
      const inside = part(line, `${pathOf(at, 'summaryList')}[${place}]`);
      return withoutAbsent({ label: orderFreeText(inside, 'label'), value: orderFreeText(inside, 'value') });
    });
    return withoutAbsent({ language: language(at), summaryList: lines ?? null });
  });
}

function parseSession(from: Part, { isOlderPath, now }: RequestRules) {
  return {
    actionType:
      word(from, 'actionType', isOlderPath ? actionTypes.filter((name) => name !== 'PURCHASE') : actionTypes) ?? 'PAY',
    sessionAmountMinor: amount(from, 'amount'),
    cancelUrl: browserAddress(from, 'cancelUrl'),
    captureType: word(from, 'captureType', captureTypes),
    exemption: word(from, 'exemptions', isOlderPath ? exemptionWords.slice(0, 2) : exemptionWords) ?? 'NO_PREFERENCE',
    language: language(from)?.toLowerCase() ?? null,
    notificationUrl: browserAddress(from, 'notificationUrl'),
    resultUrl: browserAddress(from, 'resultUrl'),
    paymentService: orderText(from, 'paymentService'),
    recurrence: parseRecurrence(nested(from, 'recurrence'), now),
  } as const;
}

const contractIdLengthMax = 255;

function parseRecurrence(from: Part | null, now: Date): RecurrenceRequest | null {
  if (!from) return null;
  const action = word(from, 'action', recurrenceActions);
  const contractId = orderText(from, 'contractId', {
    lengthMax: contractIdLengthMax,
    pattern: /\S/,
    expected: 'an identifier',
  });
  const contractType = word(from, 'contractType', contractTypes);
  const expiryDate = orderText(from, 'contractExpiryDate');
  if (expiryDate !== null && !parseFixedOffset(expiryDate))
    throw wrong(pathOf(from, 'contractExpiryDate'), 'an ISO 8601 date');
  const frequencyDays = days(from, 'contractFrequency');
  if (action === null || action === 'NO_RECURRING') return null;
  const isCreation = action === 'CONTRACT_CREATION';
  if (isCreation && expiryDate !== null && expiryDate.slice(0, 10) < printFixedOffset(now).slice(0, 10))
    throw wrong(pathOf(from, 'contractExpiryDate'), 'a date from today on');
  if (!isCreation) required(contractId, from, 'contractId');
  return { action, contractId, contractType, expiryDate, frequencyDays };
}

/** A number of days, as a number or as digits. */
function days(from: Part, name: string): number | null {
  const value = from.value[name];
  if (typeof value !== 'string') return orderInteger(from, name, { min: 1, max: contractFrequencyDaysMax });
  const digits = orderText(from, name, { lengthMax: 4, pattern: /^[1-9]\d{0,3}$/, expected: 'a number of days' });
  if (digits !== null && Number(digits) > contractFrequencyDaysMax)
    throw wrong(pathOf(from, name), `1 to ${contractFrequencyDaysMax}`);
  return digits === null ? null : Number(digits);
}

function language(from: Part): string | null {
  const value = orderText(from, 'language');
  if (value !== null && !isLanguage(value)) throw wrong(pathOf(from, 'language'), 'a code of ISO 639-2');
  return value;
}
