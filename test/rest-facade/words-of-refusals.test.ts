// Refusals that help: what a 401 expected (in the sandbox alone), every fault of a request at once, unknown paths in the family's shape, and addresses of problems that lead somewhere.
import { problemSlugs } from '../../rest-facade/errors/error-tables';
import { send } from '../support/client';
import { type Facade, goodBodies, jwe, requestId, startFacade, terminalKey } from './fixture';

const pair = (text: string) => Buffer.from(text).toString('base64');
const token = '/virtual-accounts/token';
const merchant = '/ms/naa/admin/customer/v1/merchant';

/** Method, path, the header of the credential as sent, and what X-Error-Detail says about it. */
const refused: [
  what: string,
  method: string,
  path: string,
  sent: Record<string, string>,
  header: string,
  said: RegExp,
][] = [
  ['bearer missing', 'POST', token, {}, 'Authorization', /the header is missing; expected Authorization: Bearer <acc/],
  ['bearer elsewhere', 'POST', token, { 'X-API-KEY': 'key-1' }, 'Authorization', /missing \(X-API-KEY is another cred/],
  ['bearer wrong', 'POST', token, { Authorization: 'Bearer unknown' }, 'Authorization', /the form is right, but/],
  ['bearer of another form', 'POST', token, { Authorization: 'Basic YTpi' }, 'Authorization', /has another form/],
  ['family A', 'GET', '/api/v1/payments/17', {}, 'Authorization', /expected Authorization: Bearer/],
  ['API key missing', 'GET', '/api/v1/operations', {}, 'X-API-KEY', /is missing; expected X-API-KEY: checkout_</],
  ['API key wrong', 'GET', '/api/v1/operations', { 'X-API-KEY': 'checkout_a_b_1.s' }, 'X-API-KEY', /form is right/],
  ['another key', 'GET', '/api/v1/operations', { 'X-API-KEY': 'partner_a_b_1.s' }, 'X-API-KEY', /a partner key/],
  ['consumer missing', 'POST', merchant, {}, 'Authorization', /missing; expected .*Base64\(consumerKey:consumerSec/],
  ['consumer wrong', 'POST', merchant, { Authorization: `Bearer ${pair('a:b')}` }, 'Authorization', /form is right/],
  ['consumer half', 'POST', merchant, { Authorization: `Basic ${pair('a')}` }, 'Authorization', /not Base64 of a key/],
  ['secret key missing', 'GET', '/partner/v1/onboarding/1', {}, 'Authorization', /expected Authorization: partner_</],
  [
    'secret key with a word',
    'GET',
    '/partner/v1/onboarding/1',
    { Authorization: 'Bearer partner_a_b_1.s' },
    'Authorization',
    /begins with the word Bearer/,
  ],
  ['reporting', 'GET', '/report/v1/payouts', { Authorization: 'consumer_a_b_1' }, 'Authorization', /a consumer key/],
  ['sandbox key missing', 'GET', '/sandbox/clock', {}, 'X-Sandbox-Key', /missing; expected X-Sandbox-Key/],
  ['sandbox key wrong', 'GET', '/sandbox/clock', { 'X-Sandbox-Key': 'guessed' }, 'X-Sandbox-Key', /form is right/],
];

describe('in the sandbox', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await startFacade();
  });
  afterAll(() => facade.stop());
  const checkout = (path: string, body?: unknown) =>
    facade.call('POST', path, { headers: { 'X-API-KEY': terminalKey, 'Correlation-Id': requestId }, body });

  it.each(refused)('a 401 says what it expected: %s', async (_what, method, path, headers, header, said) => {
    const answer = await facade.call(method, path, { headers });
    const detail = String(answer.headers['x-error-detail']);
    expect([answer.status, detail.split('; ')[1]]).toEqual([401, `field=${header}`]);
    expect(detail).toMatch(said);
    for (const value of Object.values(headers)) expect(detail).not.toContain(value);
  });

  it('names every fault of a body in family B, each under its code', async () => {
    const body = { order: { amount: 'ten', currency: 'E' }, paymentSession: { amount: 1, language: 5 } };
    const { status, body: refusal, headers } = await checkout('/api/v1/orders/hpp', body);
    expect([status, refusal.errors.length > 2]).toEqual([400, true]);
    for (const one of refusal.errors)
      expect(one).toEqual({ code: expect.stringMatching(/^(GW|PS)\d{4}$/), description: expect.any(String) });
    const fields = refusal.errors.map(({ description }: { description: string }) => description.split(' ')[0]);
    expect(new Set(fields).size).toBe(fields.length);
    expect(String(headers['x-error-detail']).split(' | ')).toHaveLength(fields.length);
  });

  it('names every fault in X-Error-Detail where the body has no list, the first in the body', async () => {
    const { status, body, headers } = await facade.inbound('POST', `/virtual-accounts/${requestId}/transaction`, {
      body: {
        merchantInfo: {},
        transactionInfo: { ...goodBodies.transaction.transactionInfo, amount: 'x', currencyCode: 1 },
      },
    });
    const faults = String(headers['x-error-detail']).split(' | ');
    expect([status, body.errorCode]).toEqual([400, 'MTS-1614']);
    expect(faults.map((fault) => fault.split('; ')[1])).toEqual([
      'field=merchantInfo.merchantId',
      'field=transactionInfo.amount',
      'field=transactionInfo.currencyCode',
    ]);
    expect(body.message).toBe('merchantInfo.merchantId is required.');
  });

  it('lists at most twenty faults', async () => {
    const itemList = Array.from({ length: 60 }, () => 1);
    const { body } = await checkout('/api/v1/orders/hpp', {
      order: { amount: {}, itemList },
      paymentSession: itemList,
    });
    expect(body.errors.length).toBeLessThanOrEqual(20);
  });

  it.each([
    [jwe.replace(/^[^.]*/, ''), 'the first here (the protected header) is empty'],
    [jwe.replace('.AAAA.', '..'), 'the second here (the encrypted key) is empty'],
    ['abc', 'one is here'],
    [`${jwe}.AAAA`, '6 are here'],
    ['a.'.repeat(60), 'more than six are here'],
    [jwe.replace('AAAA', 'AA=='), 'the second here (the encrypted key) ends with padding (=)'],
    [jwe.replace('CCCC', 'CC+C'), 'the fourth here (the ciphertext) is Base64 with + or /, not Base64URL'],
    [jwe.replace('CCCC', 'C!CC'), 'the fourth here (the ciphertext) has a character outside Base64URL'],
    [jwe.replace('CCCC', 'CCCCC'), 'the fourth here (the ciphertext) is cut or not in its canonical spelling'],
  ])('says of the JWE %s what is broken', async (encryptedData, said) => {
    const { status, body } = await facade.inbound('POST', token, {
      body: { ...goodBodies.token, accountInfo: { encryptedData } },
    });
    expect([status, body.errorCode]).toEqual([400, 'MTS-1614']);
    expect(body.message).toContain(`five Base64URL segments with dots between them; ${said}`);
    expect(body.message.length).toBeLessThan(220);
  });

  const error = { message: 'No such path.', requestId };
  const problem = (slug: string, status: number, detail: string) => ({
    type: `/problems/${slug}`,
    title: expect.any(String),
    status,
    detail,
    instance: requestId,
  });
  const numbered = (message: string) => ({ message, code: '1004', source: 'validation' });

  it.each([
    ['GET', '/virtual-accounts', 404, error],
    ['PUT', '/api/v1/payments/17/Nothing', 404, problem('not-found', 404, 'No such path.')],
    ['GET', '/api/v1/nothing', 404, { errors: [{ code: 'GW0404', description: 'No such path.' }] }],
    ['POST', `${merchant}/17/nothing`, 404, numbered('No such path.')],
    ['POST', '/partner/v2/onboarding', 404, numbered('No such path.')],
    ['GET', '/report/v1/nothing', 404, numbered('No such path.')],
    ['GET', '/sandbox/nothing', 404, error],
    ['GET', '/apis', 404, error],
    ['GET', token, 405, { message: 'This path serves POST.', requestId }],
    ['PATCH', '/api/v1/payments', 405, problem('method-not-allowed', 405, 'This path serves POST.')],
    ['DELETE', '/api/v1/operations', 405, { errors: [{ code: 'GW0405', description: 'This path serves GET, HEAD.' }] }],
    ['GET', merchant, 405, numbered('This path serves POST.')],
    ['POST', '/report/v1/payouts', 405, numbered('This path serves GET, HEAD.')],
  ])('answers %s %s with %i in the shape of its family', async (method, path, status, body) => {
    const headers = { 'X-Request-ID': requestId, 'Correlation-Id': requestId };
    const answer = await send(facade.url, { method, path, options: { headers } });
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(answer.headers['content-type']).toBe(
      path.startsWith('/api/v1/payments') ? 'application/problem+json' : 'application/json',
    );
    expect(Boolean(answer.headers.allow)).toBe(status === 405);
  });

  it.each(problemSlugs)('explains the problem %s at its address', async (slug) => {
    const { status, headers } = await send(facade.url, { method: 'GET', path: `/problems/${slug}` });
    expect([status, headers.location]).toEqual([303, `/docs/errors#${slug}`]);
    const page = await send(facade.url, { method: 'GET', path: '/docs/errors' });
    expect(page.text).toContain(`id="${slug}"`);
  });
});

it('says nothing of it in production', async () => {
  const facade = await startFacade({ isSandbox: false });
  for (const [, method, path, headers] of refused.filter(([what]) => !what.startsWith('sandbox'))) {
    const answer = await facade.call(method, path, { headers });
    expect([answer.status, answer.headers['x-error-detail']]).toEqual([401, undefined]);
  }
  await facade.stop();
});
