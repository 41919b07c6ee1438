// Every refusal of the graph as the tokenization interface answers it, the challenges of RFC 6750, and what a refusal must not say.
import { type ExecutionResult, GraphQLError } from 'graphql';
import { DomainError, type DomainErrorCode, domainErrors } from '../../subgraphs/shared/errors';
import { send } from '../support/client';
import {
  type Facade,
  type FakeGraph,
  goodBodies,
  goodGraph,
  refusing,
  requestId,
  startFacade,
  virtualAccountId,
} from './fixture';

/** Codes of the other documents, which no route of this family leads to, are the last row. */
const expected: Partial<Record<DomainErrorCode, [status: number, errorCode?: string]>> = {
  notJson: [400, 'MTS-1614'],
  unauthenticated: [401],
  credentialMissing: [401],
  keyRevoked: [401],
  fieldMissing: [400, 'MTS-1614'],
  forbidden: [403],
  freshSignInNeeded: [403],
  notFound: [404],
  rateLimited: [429],
  payloadTooLarge: [413],
  invalidInput: [400, 'MTS-1614'],
  invalidData: [400, 'MTS-1616'],
  agreementInactive: [400, 'MTS-1611'],
  binNotTokenizable: [400, 'MTS-1612'],
  cryptographyFailed: [400, 'MTS-1617'],
  tokenServiceFailed: [400, 'MTS-1618'],
  tokenServiceRefused: [400, 'MTS-1619'],
  idempotencyMismatch: [400, 'MTS-1616'],
  duplicateInFlight: [409],
  conflict: [503, 'MTS-1618'],
  unavailable: [503, 'MTS-1618'],
  generic: [400, 'MTS-1620'],
  internal: [500, 'MTS-1618'],
};

describe('refusals', () => {
  let facade: Facade;
  let graph: FakeGraph = goodGraph;
  beforeAll(async () => {
    facade = await startFacade({ graph: (asked) => graph(asked), requestTimeoutMs: 200 });
  });
  afterAll(() => facade.stop());

  async function answerTo(refusal: FakeGraph) {
    graph = refusal;
    return facade.inbound('POST', '/virtual-accounts/token', { body: goodBodies.token });
  }

  it.each(Object.keys(domainErrors) as DomainErrorCode[])('answers %s', async (code) => {
    const answer = await answerTo(refusing(code));
    const [status, errorCode] = expected[code] ?? [400, 'MTS-1620'];
    expect([answer.status, answer.body.errorCode]).toEqual([status, errorCode]);
    expect(answer.body).toMatchObject({ requestId, message: expect.any(String) });
    expect(answer.headers['x-request-id']).toBe(requestId);
    expect(Boolean(answer.headers['retry-after'])).toBe([409, 429, 503].includes(answer.status));
    expect(Boolean(answer.headers['www-authenticate'])).toBe([401, 403].includes(answer.status));
    expect(answer.headers['link']).toBe(errorCode && `</docs/errors#${errorCode.toLowerCase()}>; rel="help"`);
  });

  it('says the same for every cryptographic failure', async () => {
    const one = await answerTo(refusing('cryptographyFailed', 'tag mismatch', { field: 'tag' }));
    const other = await answerTo(refusing('cryptographyFailed', 'unknown kid', { field: 'kid' }));
    expect(one.body).toEqual(other.body);
    expect(one.headers['x-error-detail']).toBe(other.headers['x-error-detail']);
    expect(JSON.stringify([one.body, one.headers])).not.toMatch(/tag|kid/);
  });

  it('names field and rule in the sandbox', async () => {
    const answer = await answerTo(
      refusing('invalidData', 'reasonCode is not one of the five\r\nx: y', { field: 'reasonCode' }),
    );
    expect(answer.headers['x-error-detail']).toBe(
      'invalidData; field=reasonCode; reasonCode is not one of the five??x: y',
    );
  });

  it('passes Retry-After on, in whole seconds', async () => {
    expect((await answerTo(refusing('unavailable', undefined, { retryAfterSeconds: 7 }))).headers['retry-after']).toBe(
      '7',
    );
  });

  it.each<[string, FakeGraph]>([
    ['a thrown defect', () => Promise.reject(new TypeError('secret of the house'))],
    ['an error without a code', () => ({ errors: [new GraphQLError('secret of the house')] })],
    ['data of another shape', () => ({ data: { somethingElse: true } })],
    ['no data at all', () => ({ data: null })],
  ])('turns %s into a neutral 500 and one full log line', async (_name, defect) => {
    facade.logged.length = 0;
    const answer = await answerTo(defect);
    expect([answer.status, answer.body.errorCode]).toEqual([500, 'MTS-1618']);
    expect(answer.text).not.toContain('secret');
    expect(JSON.parse(facade.logged[0] ?? '{}')).toMatchObject({
      level: 'error',
      requestId,
      code: 'internal',
      error: { stack: expect.any(String) },
    });
  });

  it('understands a DomainError that was thrown rather than returned', async () => {
    expect((await answerTo(() => Promise.reject(new DomainError('agreementInactive')))).body.errorCode).toBe(
      'MTS-1611',
    );
  });

  it('answers MTS-1620 only when the graph does not take what the contract allows: a defect, provoked here', async () => {
    facade.logged.length = 0;
    const misfit = () =>
      ({
        errors: [{ message: 'Variable "$input"', extensions: { code: 'BAD_USER_INPUT' } }],
      }) as unknown as ExecutionResult;
    // Another path than that of the codes above, whose line would count this one.
    graph = misfit;
    const path = `/virtual-accounts/${virtualAccountId}/tokenState`;
    const answer = await facade.inbound('PUT', path, { body: goodBodies.tokenState });
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1620']);
    expect(answer.text).not.toContain('$input');
    expect(JSON.parse(facade.logged[0] ?? '{}').level).toBe('error');
  });

  it('gives up on an answer that does not come', async () => {
    const answer = await answerTo(() => new Promise(() => undefined));
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
  });

  it('answers 404 for an account that is not there', async () => {
    graph = () => ({ data: { virtualAccount: null } });
    const answer = await facade.inbound('GET', `/virtual-accounts/${virtualAccountId}`);
    expect(answer.status).toBe(404);
    const malformed = await facade.inbound('GET', '/virtual-accounts/nothing');
    expect(malformed.body).toEqual(answer.body);
  });
});

describe('credentials at the edge', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await startFacade();
  });
  afterAll(() => facade.stop());

  it.each([
    [null, 'Bearer'],
    ['', 'Bearer'],
    ['Basic Z29vZDo=', 'Bearer'],
    ['Bearer', 'Bearer error="invalid_token"'],
    ['Bearer unknown', 'Bearer error="invalid_token"'],
    ['Bearer good good', 'Bearer error="invalid_token"'],
    ['Bearer good, Bearer good', 'Bearer error="invalid_token"'],
    [`Bearer ${'x'.repeat(600)}`, 'Bearer error="invalid_token"'],
    ['Bearer constructor', 'Bearer error="invalid_token"'],
  ])('Authorization %j is 401 with %s', async (value, challenge) => {
    const answer = await facade.inbound('GET', `/virtual-accounts/${virtualAccountId}`, {
      headers: { Authorization: value },
    });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, challenge]);
    expect(answer.body.errorCode).toBeUndefined();
  });

  it('takes the scheme in any case', async () => {
    const answer = await facade.inbound('GET', `/virtual-accounts/${virtualAccountId}`, {
      headers: { Authorization: 'bearer good' },
    });
    expect(answer.status).toBe(200);
  });

  it('names the missing scope', async () => {
    const answer = await facade.inbound('PUT', `/virtual-accounts/${virtualAccountId}/tokenState`, {
      headers: { Authorization: 'Bearer noScope' },
      body: goodBodies.tokenState,
    });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="mts:lifecycle"',
    ]);
  });

  it('tells a client over its rate when to come back', async () => {
    const answer = await facade.inbound('GET', `/virtual-accounts/${virtualAccountId}`, {
      headers: { Authorization: 'Bearer throttled' },
    });
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'retry-after': '3', 'ratelimit-limit': '100', 'ratelimit-remaining': '0', 'ratelimit-reset': '4' },
    });
  });

  it.each([
    ['X-Acquirer-ID', null],
    ['X-Acquirer-ID', ''],
    ['X-Acquirer-ID', 'A'.repeat(37)],
    ['X-Provider-ID', 'PRV_1'],
    ['X-Provider-ID', "PRV-1' || '1"],
    ['X-PSP-ID', '{"$ne":1}'],
    ['X-PSP-ID', 'PSP-1, PSP-1'],
    ['X-Request-ID', null],
    ['X-Request-ID', 'not-a-uuid'],
    ['X-Request-ID', `urn:uuid:${requestId}`],
    ['X-Request-ID', `{${requestId}}`],
  ])('%s %j is MTS-1614', async (name, value) => {
    const answer = await facade.inbound('GET', `/virtual-accounts/${virtualAccountId}`, { headers: { [name]: value } });
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1614']);
    expect(answer.headers['x-error-detail']).toContain(name);
    expect(answer.text).not.toContain(value || 'nothing to find');
  });

  it.each(['X-Acquirer-ID', 'X-Provider-ID', 'X-PSP-ID'])('%s of somebody else is 403', async (name) => {
    const answer = await facade.inbound('GET', `/virtual-accounts/${virtualAccountId}`, {
      headers: { [name]: 'OTHER-1' },
    });
    expect([answer.status, answer.body.errorCode]).toEqual([403, undefined]);
  });
});

describe('production', () => {
  it('has no sandbox calls and no sandbox headers', async () => {
    const facade = await startFacade({ isSandbox: false, graph: refusing('invalidData') });
    expect((await send(facade.url, { method: 'GET', path: '/sandbox/clock' })).status).toBe(404);
    const refused = await facade.inbound('POST', '/virtual-accounts/token', {
      body: { ...goodBodies.token, surprise: 1 },
    });
    expect(refused.headers).not.toHaveProperty('x-error-detail');
    expect(refused.headers).not.toHaveProperty('x-unknown-fields');
    await facade.stop();
  });

  it('is the only place where the sandbox services may be missing', () => {
    return expect(startFacade({ deps: { sandbox: undefined } })).rejects.toThrow('sandbox services');
  });
});
