// Create payment over a graph that only records: every part of the body on its way in, and the problem that names what is wrong (payment service; RFC 9457).
import type { Facade } from './fixture';
import { as, facadeOf, path, paymentId, postTo } from './payments-fixture';

let facade: Facade;
beforeAll(async () => {
  facade = await facadeOf();
});
beforeEach(() => facade.asked.splice(0));

const post = (where: string, body?: unknown, headers = as('writer')) => postTo(facade, where, body, headers);
const lastAsked = () => facade.asked.at(-1);

describe('create', () => {
  it.each([[''], ['/']])('at %j answers 201 with the payment, its page and its place', async (slash) => {
    const { status, headers, body } = await post(slash, { amount: 5000, paymentNumber: 'A1' });
    expect([status, headers.location]).toEqual([201, `${path}/${paymentId}`]);
    expect(body).toEqual({ paymentId, hostedPaymentPageUrl: 'http://127.0.0.1:8082/pay/x' });
    expect(lastAsked()).toMatchObject({ operation: 'CreatePayment' });
    expect(lastAsked()?.variables).toEqual({ input: { amount: '5000', paymentNumber: 'A1' } });
  });

  it.each<[string, unknown, object]>([
    ['no body at all', undefined, {}],
    ['an empty body', {}, {}],
    [
      'null in every field',
      { amount: null, customer: null, basket: null, redirectUrls: { returnUrl: null } },
      { redirectUrls: {} },
    ],
    [
      'unknown members',
      { amount: 1, surprise: 2, customer: { firstName: 'Ada', shoe: 3 } },
      { amount: '1', customer: { firstName: 'Ada' } },
    ],
    ['the largest int32', { amount: 2_147_483_647 }, { amount: '2147483647' }],
  ])('takes %s', async (_, body, input) => {
    expect((await post('', body)).status).toBe(201);
    expect(lastAsked()?.variables).toEqual({ input });
  });

  it('passes every documented part on as it is', async () => {
    const body = {
      type: 'ProviderHostedEcom',
      scaExemption: 'LowValue',
      redirectUrls: { returnUrl: 'https://shop.example/x' },
      paymentNumber: 'A1',
      checkoutText: 'Tea',
      reconciliationReference: 'r',
      currencyCode: 'EUR',
      processing: 'Sale',
      paymentMethodDetails: { type: 'PaymentWithToken', token: 'pmt_1', tokenSecret: 'pms_1', isRecurring: true },
      customer: { type: 'Company', companyName: 'Engines', address: { city: 'Aarhus', countryCode: 'DK' } },
      basket: [
        { itemNumber: '1', quantity: 2, unitPrice: -5, vatPercentage: 12.5, includesShipping: false, unitCode: '0' },
      ],
      payPageConfiguration: {
        language: 'SE',
        pageType: 'Custom',
        templateName: 'dark',
        paymentMethodActionInfoList: [
          { paymentMethod: 'VISA', fee: 5, cardType: 'Debit', bin: 424242, action: 'Allow' },
        ],
      },
      description: 'Order 1',
    };
    expect((await post('', body)).status).toBe(201);
    expect(lastAsked()?.variables).toEqual({ input: body });
  });

  it.each<[string, unknown, string]>([
    ['amount', { amount: '5000' }, 'amount'],
    ['amount', { amount: 2_147_483_648 }, 'amount'],
    ['amount', { amount: -1 }, 'amount'],
    ['amount', { amount: 0.5 }, 'amount'],
    ['type', { type: 'Nonsense' }, 'type'],
    ['details', { paymentMethodDetails: { type: 'Nonsense' } }, 'paymentMethodDetails.type'],
    ['date', { paymentMethodDetails: { expiryDate: '2030-02-30' } }, 'paymentMethodDetails.expiryDate'],
    ['country', { customer: { address: { countryCode: 'XX' } } }, 'customer.address.countryCode'],
    ['address', { redirectUrls: { returnUrl: 'javascript:alert(1)' } }, 'redirectUrls.returnUrl'],
    ['item', { basket: [{}, { quantity: '1' }] }, 'basket.1.quantity'],
    [
      'fee',
      { payPageConfiguration: { paymentMethodActionInfoList: [{ fee: 1.5 }] } },
      'paymentMethodActionInfoList.0.fee',
    ],
    ['text', { description: 'a\u0000b' }, 'description'],
    ['operator', { paymentNumber: { $ne: '' } }, 'paymentNumber'],
  ])('refuses a wrong %s with the problem that names it', async (_, body, field) => {
    const { status, body: problem, headers } = await post('', body);
    expect(status).toBe(400);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(problem).toEqual({
      type: '/problems/validation',
      title: 'Validation',
      status: 400,
      instance: headers['x-request-id'],
      detail: expect.stringContaining(field),
    });
    expect(facade.asked).toHaveLength(0);
  });

  it.each(['', 'amount=1', '{"amount":', '[]', '"x"', 'null', '{"amount":1,"amount":2}', '{"__proto__":{}}'])(
    'refuses the text %j as a body',
    async (text) => {
      const headers = as('writer', { 'content-type': 'application/json' });
      const { status, body } = await post('', text, headers);
      const isEmpty = text === '';
      expect([status, isEmpty ? '' : body.type]).toEqual(isEmpty ? [201, ''] : [400, '/problems/validation']);
    },
  );

  it('takes a basket of five hundred items and no body above the limit', async () => {
    const item = { itemNumber: 'x'.repeat(255), title: 'Tea', quantity: 1, unitPrice: 1 };
    expect((await post('', { basket: Array.from({ length: 500 }, () => item) })).status).toBe(201);
    const { status, body } = await post('', { description: 'x'.repeat(262_145) });
    expect([status, body.type]).toEqual([413, '/problems/payload-too-large']);
  });
});
