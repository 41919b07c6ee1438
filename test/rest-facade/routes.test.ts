// The routes of the tokenization interface at the edge: which persisted operation with which variables, which reply, which headers.
import { type Facade, goodBodies, goodGraph, jwe, requestId, startFacade, triple, virtualAccountId } from './fixture';

const transactionPath = `/virtual-accounts/${virtualAccountId}/transaction`;
const statePath = `/virtual-accounts/${virtualAccountId}/tokenState`;

describe('routes of the tokenization interface', () => {
  let facade: Facade;
  beforeEach(async () => {
    facade = await startFacade();
  });
  afterEach(() => facade.stop());

  it('creates a token', async () => {
    const answer = await facade.inbound('POST', '/virtual-accounts/token', { body: goodBodies.token });
    expect(answer).toMatchObject({
      status: 201,
      body: { virtualAccountId, virtualAccountState: 'ACTIVE', encryptedData: jwe },
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId },
    });
    expect(Object.keys(answer.body)).toEqual(['virtualAccountId', 'virtualAccountState', 'encryptedData']);
    expect(facade.asked).toMatchObject([
      {
        operation: 'CreateVirtualAccount',
        variables: { input: { identifiers: triple, merchantId: 'shop-1', encryptedData: jwe } },
        context: { requestId, caller: { credentialId: 'client-1' } },
      },
    ]);
  });

  it('creates a transaction', async () => {
    const answer = await facade.inbound('POST', transactionPath, { body: goodBodies.transaction });
    expect([answer.status, answer.body]).toEqual([201, { encryptedData: jwe }]);
    expect(facade.asked[0]).toMatchObject({
      operation: 'CreateTransaction',
      variables: {
        input: {
          identifiers: triple,
          virtualAccountId,
          merchantId: 'shop-1',
          ...goodBodies.transaction.transactionInfo,
        },
      },
    });
  });

  it('deletes a token', async () => {
    const answer = await facade.inbound('PUT', statePath, { body: goodBodies.tokenState });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(facade.asked[0]).toMatchObject({
      operation: 'DeleteVirtualAccount',
      variables: { input: { identifiers: triple, virtualAccountId, tokenState: 'DELETE', reasonCode: '1023' } },
    });
  });

  it('leaves enumerations to the domain, which knows the resource first', async () => {
    await facade.inbound('PUT', statePath, { body: { tokenState: 'SUSPEND', reasonCode: '9999' } });
    expect(facade.asked[0]?.variables['input']).toMatchObject({ tokenState: 'SUSPEND', reasonCode: '9999' });
  });

  it('reads a virtual account, with its PAR', async () => {
    const answer = await facade.inbound('GET', `/virtual-accounts/${virtualAccountId}`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { virtualAccountId, virtualAccountState: 'SUSPENDED', par: 'Q1Z28RKA1EBL470G9XYG90R5D3E00' },
    ]);
  });

  it('answers HEAD like GET, without the body', async () => {
    const answer = await facade.inbound('HEAD', `/virtual-accounts/${virtualAccountId}`);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(50);
  });

  it('publishes the key set without a credential, the current key first', async () => {
    const answer = await facade.call('GET', '/.well-known/jwks.json');
    expect(answer.status).toBe(200);
    expect(answer.body.keys.map(({ kid }: { kid: string }) => kid)).toEqual(['new', 'old']);
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    const again = await facade.call('GET', '/.well-known/jwks.json', {
      headers: { 'If-None-Match': answer.headers.etag as string },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each(['lower', 'upper', 'title'])('takes header names in %s case', async (spelling) => {
    const { call } = facade;
    const names = {
      Authorization: 'Bearer good',
      'X-Acquirer-ID': 'ACQ-1',
      'X-Provider-ID': 'PRV-1',
      'X-PSP-ID': 'PSP-1',
      'X-Request-ID': requestId,
    };
    const spell = (name: string) =>
      spelling === 'lower'
        ? name.toLowerCase()
        : spelling === 'upper'
          ? name.toUpperCase()
          : name.replace(/-(\w)(\w*)/g, (_all, a, b) => `-${a}${b.toLowerCase()}`);
    const headers = Object.fromEntries(Object.entries(names).map(([name, value]) => [spell(name), value]));
    expect((await call('GET', `/virtual-accounts/${virtualAccountId}`, { headers })).status).toBe(200);
  });

  it('ignores what it does not know, never forwards it, and names it in the sandbox', async () => {
    const body = {
      ...goodBodies.token,
      surprise: { $gt: '' },
      merchantInfo: { merchantId: 'shop-1', constructor: 'x', 'bad\r\nname': 1 },
    };
    const answer = await facade.inbound('POST', '/virtual-accounts/token', { body });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-unknown-fields']).toBe('merchantInfo.constructor, merchantInfo.bad%0D%0Aname, surprise');
    expect(facade.asked[0]?.variables).toEqual({
      input: { identifiers: triple, merchantId: 'shop-1', encryptedData: jwe },
    });
  });

  it('names an ignored field whatever its characters are', async () => {
    const body = JSON.stringify(goodBodies.token).replace('{', '{"\\ud800\\u0000":1,');
    const answer = await facade.inbound('POST', '/virtual-accounts/token', {
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect([answer.status, answer.headers['x-unknown-fields']]).toEqual([201, '%EF%BF%BD%00']);
  });

  it('shows the rate limit on success', async () => {
    const { headers } = await facade.inbound('GET', `/virtual-accounts/${virtualAccountId}`);
    expect(headers).toMatchObject({ 'ratelimit-limit': '100', 'ratelimit-remaining': '99', 'ratelimit-reset': '1' });
  });

  it('logs a request by its route, without header values or bodies', async () => {
    await facade.inbound('POST', '/virtual-accounts/token?secret=1', { body: goodBodies.token });
    const line = JSON.parse(facade.logged[0] ?? '{}');
    expect(line).toMatchObject({
      route: 'POST /virtual-accounts/token',
      status: 201,
      requestId,
      credentialId: 'client-1',
    });
    expect(facade.logged.join()).not.toMatch(/secret|Bearer|eyJ/);
  });
});

describe('Idempotency-Key', () => {
  let facade: Facade;
  beforeEach(async () => {
    facade = await startFacade({
      graph: (asked) => {
        asked.context.reply.idempotentReplayed = asked.context.idempotency?.key === 'seen before';
        return goodGraph(asked);
      },
    });
  });
  afterEach(() => facade.stop());

  const keyed = (key: string, path = transactionPath, body: object = goodBodies.transaction) =>
    facade.inbound('POST', path, { headers: { 'Idempotency-Key': key }, body });
  const fingerprints = () => facade.asked.map(({ context }) => context.idempotency?.fingerprint);

  it('is handed on with the route as its scope', async () => {
    await keyed('k-1');
    expect(facade.asked[0]?.context.idempotency).toMatchObject({
      key: 'k-1',
      scope: 'POST /virtual-accounts/{virtualAccountId}/transaction',
    });
  });

  it('has one fingerprint for one request, whatever the correlation header', async () => {
    await keyed('k-1');
    await facade.inbound('POST', transactionPath, {
      headers: { 'Idempotency-Key': 'k-1', 'X-Request-ID': virtualAccountId },
      body: goodBodies.transaction,
    });
    expect(new Set(fingerprints()).size).toBe(1);
  });

  it('has another fingerprint for another body or another path', async () => {
    await keyed('k-1');
    await keyed('k-1', transactionPath, { ...goodBodies.transaction, more: 1 });
    await keyed('k-1', `/virtual-accounts/${requestId}/transaction`);
    expect(new Set(fingerprints()).size).toBe(3);
  });

  it('marks a replay', async () => {
    expect((await keyed('seen before')).headers['idempotent-replayed']).toBe('true');
    expect((await keyed('new')).headers['idempotent-replayed']).toBeUndefined();
  });

  it.each(['k', 'k'.repeat(255), 'with space !~'])('takes %j', async (key) => {
    expect((await keyed(key)).status).toBe(201);
  });

  it.each(['k'.repeat(256), 'k\u00e9', 'k\tk'])('refuses %j', async (key) => {
    const answer = await keyed(key);
    expect([answer.status, answer.body.errorCode]).toEqual([400, 'MTS-1614']);
    expect(answer.headers['x-error-detail']).toContain('Idempotency-Key');
  });

  it('counts for nothing on a read', async () => {
    await facade.inbound('GET', `/virtual-accounts/${virtualAccountId}`, { headers: { 'Idempotency-Key': 'k' } });
    expect(facade.asked[0]?.context.idempotency).toBeUndefined();
  });
});
