// Calls on a payment over a graph that only records: paths, answers, credentials, keys, and the problem of every refusal (payment service; RFC 9457).
import { errorTables } from '../../rest-facade/errors/errors';
import { type DomainErrorCode, domainErrors } from '../../subgraphs/shared/errors';
import { type Facade, type FakeGraph, refusing, requestId } from './fixture';
import { as, details, facadeOf, goodGraph, operationId, path, paymentId, postTo } from './payments-fixture';

let facade: Facade;
let graph: FakeGraph;
beforeAll(async () => {
  facade = await facadeOf((asked) => graph(asked));
});
beforeEach(() => {
  graph = goodGraph;
  facade.asked.splice(0);
});

const post = (where: string, body?: unknown, headers = as('writer')) => postTo(facade, where, body, headers);
const lastAsked = () => facade.asked.at(-1);

describe.each([
  ['Authorize', 'AuthorizePayment', { amount: 5, description: 'd', terminalId: 't', posReferenceNumber: 'p' }],
  ['Capture', 'CapturePayment', { amount: 5, description: 'd', basket: [{ title: 'Tea' }], terminalId: 't' }],
  ['Cancel', 'CancelPayment', { description: 'd', terminalId: 't', posReferenceNumber: 'p' }],
  ['Refund', 'RefundPayment', { amount: 5, description: 'd' }],
])('%s', (segment, operation, body: Record<string, unknown>) => {
  it('answers the operation, and takes an empty body or none', async () => {
    for (const sent of [body, {}, undefined]) {
      const answer = await post(`/${paymentId}/${segment}`, sent);
      expect([answer.status, answer.body]).toEqual([200, { paymentId, transactionRef: operationId }]);
      const input = sent?.['amount'] ? { ...sent, amount: '5' } : { ...sent };
      expect(lastAsked()).toMatchObject({ operation, variables: { paymentId, input } });
    }
  });

  it.each(['nonsense', '$ne', '%7B%22$ne%22:null%7D', '..%2fx', `${paymentId}x`])(
    'is 404 for the id %s',
    async (id) => {
      const answer = await post(`/${id}/${segment}`, {});
      expect([answer.status, answer.body.type]).toEqual([404, '/problems/not-found']);
      expect(facade.asked).toHaveLength(0);
    },
  );

  it('spells its path as documented', async () => {
    expect(
      (await facade.call('POST', `${path}/${paymentId}/${segment.toLowerCase()}`, { headers: as('writer') })).status,
    ).toBe(404);
  });
});

describe('read', () => {
  it('shows the payment: int32 amounts, times at +01:00, nothing for what is not known', async () => {
    const { status, body } = await facade.call('GET', `${path}/${paymentId}`, { headers: as('reader') });
    expect(status).toBe(200);
    expect(body).toEqual({
      paymentId,
      state: 'PartiallyCaptured',
      amount: 5000,
      currencyCode: 'EUR',
      authorizedAmount: 5000,
      capturedAmount: 2000,
      refundedAmount: 0,
      paymentNumber: 'A1',
      processing: 'Authorize',
      hostedPaymentPageUrl: details.hostedPageUrl,
      createdTime: '2026-11-21T11:00:00.000+01:00',
      paymentMethod: { circuit: 'VISA', maskedNumber: '424242******4242' },
      transactions: [
        {
          transactionRef: operationId,
          type: 'AUTHORIZATION',
          result: 'AUTHORIZED',
          amount: 5000,
          time: '2026-11-21T11:00:01.000+01:00',
        },
      ],
    });
  });

  it('shows the stored consent where there is one', async () => {
    const token = { token: 'pmt_1', tokenSecret: 'pms_1' };
    const other = await facadeOf(() => ({
      data: { paymentServiceDetails: { ...details, token, amount: null, circuit: null } },
    }));
    const { body } = await other.call('GET', `${path}/${paymentId}`, { headers: as('writer') });
    expect([body.paymentMethodToken, 'amount' in body, 'paymentMethod' in body]).toEqual([token, false, false]);
  });

  it('is 404 for what the graph does not know', async () => {
    const other = await facadeOf(() => ({ data: { paymentServiceDetails: null } }));
    const { status, body } = await other.call('GET', `${path}/${paymentId}`, { headers: as('reader') });
    expect([status, body.type]).toEqual([404, '/problems/not-found']);
  });
});

describe('credentials', () => {
  it.each<[string, Record<string, string>, number, string, RegExp]>([
    ['none', {}, 401, 'unauthorized', /^Bearer$/],
    ['unknown', as('nobody'), 401, 'unauthorized', /error="invalid_token"/],
    ['another scheme', { Authorization: 'Basic eDp5' }, 401, 'unauthorized', /^Bearer$/],
    ['without the scope', as('stranger'), 403, 'forbidden', /insufficient_scope", scope="payments:write"/],
    ['that only reads', as('reader'), 403, 'forbidden', /insufficient_scope/],
  ])('%s: %j', async (_, headers, status, slug, challenge) => {
    const answer = await post('', {}, headers);
    expect([answer.status, answer.body.type]).toEqual([status, `/problems/${slug}`]);
    expect(answer.headers['www-authenticate']).toMatch(challenge);
    expect(facade.asked).toHaveLength(0);
  });

  it('come before the shape of the body, and the rate before the scope', async () => {
    expect((await post('', { amount: 'x' }, as('nobody'))).status).toBe(401);
    const { status, body, headers } = await post('', { amount: 'x' }, as('throttled'));
    expect([status, body.type, headers['retry-after']]).toEqual([429, '/problems/rate-limited', '3']);
  });
});

describe('request id and idempotency', () => {
  it('echoes a UUID and makes one otherwise', async () => {
    expect((await post('', {}, as('writer', { 'X-Request-ID': requestId }))).headers['x-request-id']).toBe(requestId);
    expect((await post('', {}, as('writer', { 'X-Request-ID': 'x' }))).headers['x-request-id']).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  });

  it('hands the key on with the route and the request that it stands for', async () => {
    const send = async (where: string, body: object) => {
      await post(where, body, as('writer', { 'Idempotency-Key': 'k 1' }));
      return lastAsked()?.context.idempotency;
    };
    const [one, same, other, create] = [
      await send(`/${paymentId}/Capture`, { amount: 1 }),
      await send(`/${paymentId}/Capture`, { amount: 1 }),
      await send(`/${paymentId}/Capture`, { amount: 2 }),
      await send('', { amount: 1 }),
    ];
    expect(one).toEqual({ key: 'k 1', scope: `POST ${path}/{paymentId}/Capture`, fingerprint: expect.any(String) });
    expect(same).toEqual(one);
    expect(other?.fingerprint).not.toBe(one?.fingerprint);
    expect(create?.scope).toBe(`POST ${path}`);
  });

  it('says that an answer is the stored one, a refusal included', async () => {
    const replaying =
      (graph: FakeGraph): FakeGraph =>
      (asked) => {
        asked.context.reply.idempotentReplayed = true;
        return graph(asked);
      };
    graph = replaying(goodGraph);
    expect((await post(`/${paymentId}/Capture`, {})).headers['idempotent-replayed']).toBe('true');
    graph = replaying(refusing('declined'));
    const answer = await post(`/${paymentId}/Authorize`, {});
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([422, 'true']);
  });

  it.each(['', 'é', 'x'.repeat(256)])('refuses the key %j when it is sent', async (value) => {
    const answer = await post('', {}, as('writer', { 'Idempotency-Key': Buffer.from(value).toString('latin1') }));
    expect([answer.status, answer.body.type]).toEqual([400, '/problems/validation']);
  });
});

describe('refusals of the graph', () => {
  const codes = Object.keys(domainErrors) as DomainErrorCode[];

  it.each(codes)('%s has its problem', async (code) => {
    graph = refusing(code);
    const { status, body, headers } = await post(`/${paymentId}/Capture`, {});
    const row = errorTables.payments[code];
    expect(status).toBe(row.status);
    expect(body).toEqual({
      type: `/problems/${row.code}`,
      status: row.status,
      instance: headers['x-request-id'],
      title: expect.stringMatching(/^[A-Z]/),
      detail: expect.stringMatching(/./),
    });
    if (status === 503 || status === 409 || status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it.each<[DomainErrorCode, number, string]>([
    ['invalidInput', 400, 'validation'],
    ['invalidData', 400, 'validation'],
    ['notFound', 404, 'not-found'],
    ['duplicateInFlight', 409, 'duplicate-in-flight'],
    ['invalidState', 422, 'invalid-state'],
    ['amountAboveAuthorized', 422, 'amount-exceeds-authorized'],
    ['amountAboveCaptured', 422, 'amount-exceeds-captured'],
    ['alreadyCaptured', 422, 'already-captured-use-refund'],
    ['authorizationExpired', 422, 'authorization-expired'],
    ['currencyMismatch', 422, 'currency-mismatch'],
    ['declined', 422, 'declined'],
    ['authenticationRequired', 422, 'authentication-required'],
    ['paymentMethodMissing', 422, 'payment-method-missing'],
    ['merchantInitiatedRefused', 422, 'payment-method-missing'],
    ['idempotencyMismatch', 422, 'idempotency-mismatch'],
    ['outcomeUnknown', 503, 'outcome-unknown'],
    ['unavailable', 503, 'unavailable'],
    ['internal', 500, 'internal'],
  ])('%s is %d %s', (code, status, slug) => {
    expect(errorTables.payments[code]).toMatchObject({ status, code: slug });
  });
});
