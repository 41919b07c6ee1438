// Every refusal of the graph as both families of the payment interface answer it: problem details, and the errors shape with the gateway's codes (2.2-A and 2.2-D of the decision register).
import { randomUUID } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import { errorTables } from '../../rest-facade/errors/errors';
import { type DomainErrorCode, domainErrors } from '../../subgraphs/shared/errors';
import type { Answer } from '../support/client';
import { callers, type Facade, type FakeGraph, goodGraph, refusing, startFacade, terminalKey } from './fixture';

const codes = Object.keys(domainErrors) as DomainErrorCode[];
/** What a graph says to a variable of another shape: a defect of ours, provoked here. */
const misfit = () =>
  ({
    errors: [{ message: 'Variable "$input"', extensions: { code: 'BAD_USER_INPUT' } }],
  }) as unknown as ExecutionResult;
/** The refusal's own code, as the sandbox tells it. */
const detailOf = ({ headers }: Answer) => String(headers['x-error-detail']).split(';')[0];
let facade: Facade;
let graph: FakeGraph = goodGraph;

beforeAll(async () => {
  const good = callers['good'];
  if (good) callers['payer'] = { ...good, credentialId: 'payments-1', scopes: ['payments:write'] };
  facade = await startFacade({ graph: (asked) => graph(asked) });
});
afterAll(() => facade.stop());

describe('payment service', () => {
  const capture = () =>
    facade.call('POST', `/api/v1/payments/${randomUUID()}/Capture`, {
      headers: { Authorization: 'Bearer payer' },
      body: {},
    });

  it.each(codes)('answers %s as a problem', async (code) => {
    graph = refusing(code);
    const answer = await capture();
    const row = errorTables.payments[code];
    expect(answer.status).toBe(row.status);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({
      type: `/problems/${row.code}`,
      title: expect.any(String),
      status: row.status,
      detail: expect.any(String),
      instance: answer.headers['x-request-id'],
    });
    expect(Boolean(answer.headers['retry-after'])).toBe([409, 429, 503].includes(row.status));
    expect(Boolean(answer.headers['www-authenticate'])).toBe([401, 403].includes(row.status));
  });

  it('calls what the graph does not take, though the contract allows it, a request that cannot be understood', async () => {
    graph = misfit;
    const answer = await capture();
    expect([answer.status, answer.body.type]).toEqual([400, '/problems/validation']);
    expect(detailOf(answer)).toBe('generic');
  });

  it('turns a defect into a neutral internal problem', async () => {
    graph = () => Promise.reject(new TypeError('secret of the house'));
    const answer = await capture();
    expect([answer.status, answer.body.type]).toEqual([500, '/problems/internal']);
    expect(answer.text).not.toContain('secret');
  });

  it('refuses a body that is too long with payload-too-large', async () => {
    const body = { description: 'x'.repeat(300_000) };
    const headers = { Authorization: 'Bearer payer' };
    const answer = await facade.call('POST', '/api/v1/payments', { headers, body });
    expect([answer.status, answer.body.type]).toEqual([413, '/problems/payload-too-large']);
  });
});

describe('hosted checkout', () => {
  const headers = () => ({ 'X-API-KEY': terminalKey, 'Correlation-Id': randomUUID() });
  const finalize = () =>
    facade.call('POST', '/api/v1/build/finalize_payment', { headers: headers(), body: { sessionId: randomUUID() } });

  it.each(codes)('answers %s with its gateway code', async (code) => {
    graph = refusing(code);
    const answer = await finalize();
    const row = errorTables.checkout[code];
    expect([answer.status, answer.body.errors]).toEqual([
      row.status,
      [{ code: row.code, description: expect.any(String) }],
    ]);
    expect('timestamp' in answer.body).toBe(row.status === 400);
    expect(Boolean(answer.headers['retry-after'])).toBe(
      code === 'duplicateInFlight' || [429, 503].includes(row.status),
    );
  });

  it('calls what the graph does not take, though the contract allows it, an invalid parameter', async () => {
    graph = misfit;
    const answer = await finalize();
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'PS0026']);
    expect([detailOf(answer), answer.text.includes('$input')]).toEqual(['generic', false]);
  });

  it('turns a defect into a neutral PS0000', async () => {
    graph = () => Promise.reject(new TypeError('secret of the house'));
    const answer = await finalize();
    expect([answer.status, answer.body.errors[0].code]).toEqual([500, 'PS0000']);
    expect(answer.text).not.toContain('secret');
  });

  it('refuses a body that is too long', async () => {
    const body = { order: { description: 'x'.repeat(300_000) } };
    const answer = await facade.call('POST', '/api/v1/orders/build', { headers: headers(), body });
    expect(answer.status).toBe(413);
  });
});
