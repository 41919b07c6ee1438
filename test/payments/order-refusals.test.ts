// Each rule of an order, its session and its customer broken: the code and the path of the refusal (2.2-B and 2.2-D of the decision register).
import { indicators, riskIndicators } from '../../subgraphs/payments/checkout/customer-info';
import { parse, refusal } from './order-reading';

const orders: [string, object, string, string][] = [
  ['amount is a number', { amount: 5000 }, 'invalidInput', 'amount'],
  ['amount is negative', { amount: '-1' }, 'amountInvalid', 'amount'],
  ['amount is a fraction', { amount: '1.5' }, 'amountInvalid', 'amount'],
  ['amount is empty', { amount: '' }, 'amountInvalid', 'amount'],
  ['amount has 13 digits', { amount: '1000000000000' }, 'amountInvalid', 'amount'],
  ['amount is an operator', { amount: { $gt: '' } }, 'invalidInput', 'amount'],
  ['amount is zero and money is meant', { amount: '0' }, 'amountInvalid', 'amount'],
  ['currency is unknown', { currency: 'XYZ' }, 'currencyInvalid', 'currency'],
  ['currency is in lower case', { currency: 'eur' }, 'currencyInvalid', 'currency'],
  ['orderId is empty', { orderId: '' }, 'orderReferenceInvalid', 'orderId'],
  ['orderId has 28 characters', { orderId: 'a'.repeat(28) }, 'orderReferenceInvalid', 'orderId'],
  ['orderId has an accent', { orderId: 'é' }, 'orderReferenceInvalid', 'orderId'],
  ['orderId has a slash', { orderId: 'a/b' }, 'orderReferenceInvalid', 'orderId'],
  ['orderId ends with a line break', { orderId: 'a\n' }, 'orderReferenceInvalid', 'orderId'],
  ['orderId is a number', { orderId: 1 }, 'invalidInput', 'orderId'],
  ['invoiceid has a hash', { invoiceid: 'a#' }, 'orderReferenceInvalid', 'invoiceid'],
  ['invoiceid has 31 characters', { invoiceid: 'a'.repeat(31) }, 'orderReferenceInvalid', 'invoiceid'],
  ['description carries a script', { description: 'a <script>alert(1)</script>' }, 'scriptContent', 'description'],
  ['customField carries a handler', { customField: '<img src=x onerror=alert(1)>' }, 'scriptContent', 'customField'],
  ['customerId carries a NUL', { customerId: 'a\0' }, 'invalidData', 'customerId'],
  ['description is too long', { description: 'a'.repeat(1_025) }, 'invalidData', 'description'],
  ['installments are no list', { installments: {} }, 'invalidInput', 'installments'],
  [
    'an installment lacks its amount',
    { installments: [{ date: '2027-01-01', type: 'MANUAL' }] },
    'invalidInput',
    'installments[0].amount',
  ],
  [
    'an installment lacks its date',
    { installments: [{ amount: '1', type: 'MANUAL' }] },
    'invalidInput',
    'installments[0].date',
  ],
  [
    'an installment lacks its type',
    { installments: [{ amount: '1', date: '2027-01-01' }] },
    'invalidInput',
    'installments[0].type',
  ],
  [
    'an installment has an unknown type',
    { installments: [{ amount: '1', date: '2027-01-01', type: 'X' }] },
    'invalidData',
    'installments[0].type',
  ],
  [
    'an installment is past',
    { installments: [{ amount: '1', date: '2026-11-20', type: 'MANUAL' }] },
    'installmentDateInvalid',
    'installments[0].date',
  ],
  [
    'an installment has no such day',
    { installments: [{ amount: '1', date: '2027-02-29', type: 'MANUAL' }] },
    'installmentDateInvalid',
    'installments[0].date',
  ],
  [
    'installments sum to more',
    { amount: '1', installments: [{ amount: '2', date: '2027-01-01', type: 'MANUAL' }] },
    'installmentsAboveOrder',
    'installments',
  ],
  ['plan has 0 installments', { plan: { InstallmentQty: 0 } }, 'invalidData', 'plan.InstallmentQty'],
  ['plan has 1000 installments', { plan: { InstallmentQty: 1000 } }, 'invalidData', 'plan.InstallmentQty'],
  ['plan has a fraction of installments', { plan: { InstallmentQty: 1.5 } }, 'invalidInput', 'plan.InstallmentQty'],
  ['plan has an unknown type', { plan: { planType: 'X' } }, 'invalidData', 'plan.planType'],
  ['plan has an unknown status', { plan: { status: 'X' } }, 'invalidData', 'plan.status'],
  ['a condition is no text', { termsAndConditionsIds: [1] }, 'invalidInput', 'termsAndConditionsIds[0]'],
  [
    'a summary has an unknown language',
    { transactionSummary: [{ language: 'xx' }] },
    'invalidData',
    'transactionSummary[0].language',
  ],
  [
    'a summary line carries a script',
    { transactionSummary: [{ summaryList: [{ label: '<iframe>' }] }] },
    'scriptContent',
    'transactionSummary[0].summaryList[0].label',
  ],
  ['customerInfo is no object', { customerInfo: [] }, 'invalidInput', 'customerInfo'],
  [
    'the e-mail address is none',
    { customerInfo: { cardHolderEmail: 'x@y' } },
    'invalidData',
    'customerInfo.cardHolderEmail',
  ],
  [
    'the country has two letters',
    { customerInfo: { billingAddress: { country: 'DK' } } },
    'invalidData',
    'customerInfo.billingAddress.country',
  ],
  [
    'a date does not exist',
    { customerInfo: { cardHolderAcctInfo: { chAccDate: '2026-02-30' } } },
    'invalidData',
    'customerInfo.cardHolderAcctInfo.chAccDate',
  ],
  [
    'a count is a text',
    { customerInfo: { cardHolderAcctInfo: { nbPurchaseAccount: '1' } } },
    'invalidInput',
    'customerInfo.cardHolderAcctInfo.nbPurchaseAccount',
  ],
  [
    'a count is above int32',
    { customerInfo: { cardHolderAcctInfo: { txnActivityDay: 2_147_483_648 } } },
    'invalidData',
    'customerInfo.cardHolderAcctInfo.txnActivityDay',
  ],
  [
    'a gift card is in no currency',
    { customerInfo: { merchantRiskIndicator: { giftCardAmount: { currency: 'X' } } } },
    'currencyInvalid',
    'customerInfo.merchantRiskIndicator.giftCardAmount.currency',
  ],
  [
    'a gift card has a wrong value',
    { customerInfo: { merchantRiskIndicator: { giftCardAmount: { value: '1,5' } } } },
    'amountInvalid',
    'customerInfo.merchantRiskIndicator.giftCardAmount.value',
  ],
];

const sessions: [string, object, string, string][] = [
  ['actionType is unknown', { actionType: 'X' }, 'invalidData', 'actionType'],
  ['actionType is a number', { actionType: 1 }, 'invalidInput', 'actionType'],
  ['amount is above the order', { amount: '5001' }, 'sessionAmountAboveOrder', 'amount'],
  ['captureType is unknown', { captureType: 'implicit' }, 'invalidData', 'captureType'],
  ['exemptions are unknown', { exemptions: 'X' }, 'invalidData', 'exemptions'],
  ['language is of ISO 639-1', { language: 'en' }, 'invalidData', 'language'],
  ['cancelUrl is relative', { cancelUrl: '/back' }, 'invalidData', 'cancelUrl'],
  ['resultUrl has no slashes', { resultUrl: 'http:shop.example' }, 'invalidData', 'resultUrl'],
  ['resultUrl carries credentials', { resultUrl: 'https://a:b@shop.example/' }, 'invalidData', 'resultUrl'],
  ['cancelUrl has a line break', { cancelUrl: 'https://shop.example/\r\nSet-Cookie: a=b' }, 'invalidData', 'cancelUrl'],
  ['resultUrl is a script', { resultUrl: 'javascript:alert(1)' }, 'invalidData', 'resultUrl'],
  [
    'notificationUrl is too long',
    { notificationUrl: `https://s.example/${'a'.repeat(2_048)}` },
    'invalidData',
    'notificationUrl',
  ],
  ['recurrence.action is unknown', { recurrence: { action: 'X' } }, 'invalidData', 'recurrence.action'],
  [
    'a later charge names no contract',
    { recurrence: { action: 'SUBSEQUENT_PAYMENT' } },
    'invalidInput',
    'recurrence.contractId',
  ],
  [
    'contractType is unknown',
    { recurrence: { action: 'CONTRACT_CREATION', contractType: 'X' } },
    'invalidData',
    'recurrence.contractType',
  ],
  [
    'a contract is born expired',
    { recurrence: { action: 'CONTRACT_CREATION', contractExpiryDate: '2026-11-20' } },
    'invalidData',
    'recurrence.contractExpiryDate',
  ],
  [
    'contractFrequency is no number',
    { recurrence: { action: 'CONTRACT_CREATION', contractFrequency: 'x' } },
    'invalidData',
    'recurrence.contractFrequency',
  ],
];

describe('what is refused', () => {
  it.each(orders)('%s', (_, sent, code, path) => {
    expect(refusal(() => parse(sent))).toEqual([code, `order.${path}`]);
  });

  it.each(Object.entries({ ...indicators }))('%s outside its table', (name, values) => {
    for (const value of ['00', `0${values.length + 1}`, '1', 1])
      expect(refusal(() => parse({ customerInfo: { cardHolderAcctInfo: { [name]: value } } }))?.[1]).toBe(
        `order.customerInfo.cardHolderAcctInfo.${name}`,
      );
  });
  it.each(Object.entries({ ...riskIndicators }))('%s outside its table', (name, values) => {
    for (const value of ['00', `0${values.length + 1}`, true])
      expect(refusal(() => parse({ customerInfo: { merchantRiskIndicator: { [name]: value } } }))?.[1]).toBe(
        `order.customerInfo.merchantRiskIndicator.${name}`,
      );
  });

  it.each(sessions)('%s', (_, sent, code, path) => {
    expect(refusal(() => parse({ amount: '5000' }, sent))).toEqual([code, `paymentSession.${path}`]);
  });

  it('words that the older path does not know', () => {
    expect(refusal(() => parse({}, { actionType: 'PURCHASE' }, { isOlderPath: true }))?.[0]).toBe('invalidData');
    expect(refusal(() => parse({}, { exemptions: 'EXEMPTION_REQUESTED' }, { isOlderPath: true }))?.[0]).toBe(
      'invalidData',
    );
    for (const actionType of ['PAY', 'VERIFY', 'PREAUTH']) parse({}, { actionType }, { isOlderPath: true });
  });

  it('what an order for the hosted page lacks', () => {
    const whole = {
      order: { amount: '1', currency: 'EUR', orderId: 'a' },
      paymentSession: { amount: '1', cancelUrl: 'https://s.example' },
    };
    const hosted = (order: object, paymentSession: object) => parse(order, paymentSession, { kind: 'HOSTED' });
    expect(hosted(whole.order, whole.paymentSession).amountMinor).toBe(1n);
    for (const name of Object.keys(whole.order))
      expect(refusal(() => hosted({ ...whole.order, [name]: null }, whole.paymentSession))).toEqual([
        'invalidInput',
        `order.${name}`,
      ]);
    for (const name of Object.keys(whole.paymentSession))
      expect(refusal(() => hosted(whole.order, { ...whole.paymentSession, [name]: null }))).toEqual([
        'invalidInput',
        `paymentSession.${name}`,
      ]);
  });
});
