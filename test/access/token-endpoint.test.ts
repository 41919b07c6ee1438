// POST /token over real sockets: RFC 6749 row by row, and what the tokenization interface adds to it (Authentication 1 to 6).
import { newId } from '../../subgraphs/shared/ids';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import {
  askRevocation,
  askToken,
  basic,
  send,
  serve,
  tokenOf,
  withAuthorizationServer,
  world,
} from './authorization-server';

withAuthorizationServer();

test('keeps a connection that a client keeps', async () => {
  const { headers } = await send({ path: '/healthz', method: 'GET', headers: { connection: 'keep-alive' } });
  expect(headers['keep-alive']).toBe('timeout=65');
});

describe('POST /token (RFC 6749 sections 4.4 and 5.1)', () => {
  it('answers with a bearer token that works, and is never stored', async () => {
    const client = await world.seedTokenizationClient();
    const { status, headers, json } = await askToken(client);
    expect(status).toBe(200);
    expect(json).toEqual({
      token_type: 'Bearer',
      expires_in: 3600,
      access_token: expect.stringMatching(/^at_sandbox_[A-Za-z0-9_-]{43}$/),
      scope: 'mts:token mts:transaction mts:lifecycle',
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      'ratelimit-limit': '10',
      'ratelimit-remaining': '9',
      'ratelimit-reset': '1',
    });
    const caller = await world.access.authenticateBearer(json.access_token);
    expect(caller).toMatchObject({
      credentialId: client.clientId,
      accountId: client.accountId,
      environment: 'sandbox',
    });
    const stored = JSON.stringify(await world.connection.collection('access_tokens').find().toArray());
    expect(stored).not.toContain(json.access_token.slice(11));
    expect(stored).toContain(caller.accessTokenHash);
  });

  it.each([
    ['everything in another order', 'mts:lifecycle mts:token mts:transaction', undefined, 3],
    ['exactly what is issued', 'mts:token', undefined, 1],
    ['the same scope twice', 'mts:token mts:token', undefined, 1],
    ['more than is granted', 'mts:token payments:write graph:admin', 'mts:token', 1],
    ['an empty value, which counts as absent', '', 'mts:token mts:transaction mts:lifecycle', 3],
  ])('scope: %s', async (_what, scope, returned, count) => {
    const client = await world.seedTokenizationClient();
    const { status, json } = await askToken(
      client,
      new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
    );
    expect(status).toBe(200);
    expect(json.scope).toBe(returned);
    expect((await world.access.authenticateBearer(json.access_token)).scopes).toHaveLength(count);
  });

  it('ignores unknown parameters, and the query string', async () => {
    const client = await world.seedTokenizationClient();
    const answer = await askToken(client, 'grant_type=client_credentials&resource=x&audience=y', {
      path: '/token?scope=nothing',
    });
    expect(answer.status).toBe(200);
  });

  it('takes a charset and any case in the media type and in the scheme', async () => {
    const client = await world.seedTokenizationClient();
    const { authorization } = basic(client);
    const headers = {
      'content-type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8',
      authorization: authorization.replace('Basic', 'bAsIc'),
    };
    expect((await send({ headers, body: 'grant_type=client_credentials' })).status).toBe(200);
  });

  it('percent-decodes id and secret (section 2.3.1)', async () => {
    const plain = { clientId: `client ${newId()}:é`, clientSecret: 'sécret + %:%2B' };
    await world.access.seedClient({
      ...plain,
      label: 'odd',
      family: 'graph',
      accountId: null,
      scopes: null,
      identifiers: [],
    });
    const encode = (value: string) => encodeURIComponent(value).replaceAll('%20', '+');
    const encoded = { clientId: encode(plain.clientId), clientSecret: encode(plain.clientSecret) };
    expect((await askToken(encoded)).status).toBe(200);
    expect((await askToken({ ...encoded, clientSecret: encoded.clientSecret.replaceAll('+', '%2B') })).status).toBe(
      401,
    );
  });
});

describe('refusals of POST /token (RFC 6749 section 5.2)', () => {
  const grant = 'grant_type=client_credentials';
  const rows: [string, { body?: string; headers?: Record<string, string> }, number, string][] = [
    ['no grant_type', { body: '' }, 400, 'invalid_request'],
    ['empty grant_type', { body: 'grant_type=' }, 400, 'invalid_request'],
    ['repeated grant_type', { body: `${grant}&${grant}` }, 400, 'invalid_request'],
    ['repeated scope', { body: `${grant}&scope=mts:token&scope=mts:token` }, 400, 'invalid_request'],
    ['repeated unknown parameter', { body: `${grant}&x=1&x=2` }, 400, 'invalid_request'],
    ['repeated parameter without values', { body: `${grant}&scope=&scope=` }, 400, 'invalid_request'],
    ['secret in the body', { body: `${grant}&client_id=a&client_secret=b` }, 400, 'invalid_request'],
    ['id in the body', { body: `${grant}&client_id=a` }, 400, 'invalid_request'],
    ['assertion in the body', { body: `${grant}&client_assertion=a` }, 400, 'invalid_request'],
    ['JSON', { body: '{}', headers: { 'content-type': 'application/json' } }, 400, 'invalid_request'],
    ['no media type', { headers: { 'content-type': '' } }, 400, 'invalid_request'],
    ['multipart', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }, 400, 'invalid_request'],
    ['authorization code', { body: 'grant_type=authorization_code&code=x' }, 400, 'unsupported_grant_type'],
    ['password', { body: 'grant_type=password&username=a&password=b' }, 400, 'unsupported_grant_type'],
    ['refresh token', { body: 'grant_type=refresh_token&refresh_token=x' }, 400, 'unsupported_grant_type'],
    ['another spelling', { body: 'grant_type=Client_Credentials' }, 400, 'unsupported_grant_type'],
    ['only foreign scopes', { body: `${grant}&scope=payments:write` }, 400, 'invalid_scope'],
    ['unknown scope', { body: `${grant}&scope=mts` }, 400, 'invalid_scope'],
    ['two spaces between scopes', { body: `${grant}&scope=mts:token++mts:lifecycle` }, 400, 'invalid_scope'],
    ['a character no scope has', { body: `${grant}&scope=mts:token%0a` }, 400, 'invalid_scope'],
    ['no credentials', { headers: { authorization: '' } }, 401, 'invalid_client'],
    ['bearer credentials', { headers: { authorization: 'Bearer abc' } }, 401, 'invalid_client'],
    ['not Base64', { headers: { authorization: 'Basic ***' } }, 401, 'invalid_client'],
    [
      'no colon',
      { headers: { authorization: `Basic ${Buffer.from('abc').toString('base64')}` } },
      401,
      'invalid_client',
    ],
    ['broken percent', { headers: basic({ clientId: '%', clientSecret: 'x' }) }, 401, 'invalid_client'],
    ['unknown client', { headers: basic({ clientId: 'nobody', clientSecret: 'x' }) }, 401, 'invalid_client'],
    [
      'no client at all, wrong grant too',
      { body: 'grant_type=x', headers: basic({ clientId: 'n', clientSecret: '' }) },
      401,
      'invalid_client',
    ],
  ];

  it.each(rows)('%s', async (_what, { body = grant, headers = {} }, status, error) => {
    const client = await world.seedTokenizationClient();
    const answer = await askToken(client, body, { headers });
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    expect(answer.headers['www-authenticate']).toBe(
      status === 401 ? 'Basic realm="authorization server", charset="UTF-8"' : undefined,
    );
  });

  it('a wrong secret, an unknown client and a disabled client look alike', async () => {
    const [known, disabled] = [await world.seedTokenizationClient(), await world.seedTokenizationClient()];
    await world.connection
      .collection<{ _id: string }>('clients')
      .updateOne({ _id: disabled.clientId }, { $set: { status: 'DISABLED' } });
    const answers = [
      await askToken({ ...known, clientSecret: `${known.clientSecret.slice(0, -1)}!` }),
      await askToken({ clientId: newId(), clientSecret: known.clientSecret }),
      await askToken(disabled),
    ];
    for (const answer of answers) {
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 401, text: answers[0]?.text });
    }
  });

  it('a client that is granted nothing is unauthorized_client', async () => {
    const client = await world.seedTokenizationClient();
    await world.connection
      .collection<{ _id: string }>('clients')
      .updateOne({ _id: client.clientId }, { $set: { scopes: [] } });
    const answer = await askToken(client);
    expect([answer.status, answer.json.error]).toEqual([400, 'unauthorized_client']);
  });

  it('credentials of the other environment are unknown, in both directions', async () => {
    const production = (await world.instance('production')).access;
    const { origin: productionOrigin } = await serve(production);
    const [sandboxClient, productionClient] = [
      await world.seedTokenizationClient(),
      await world.seedTokenizationClient(production),
    ];
    expect((await askToken(productionClient)).status).toBe(401);
    expect((await askToken(sandboxClient, undefined, { to: productionOrigin })).status).toBe(401);
    const token = await tokenOf(productionClient, productionOrigin);
    await expect(production.authenticateBearer(token)).resolves.toMatchObject({ environment: 'production' });
    await expect(world.access.authenticateBearer(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(world.access.authenticateBearer(token.replace('production', 'sandbox'))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const answer = await askRevocation(sandboxClient, `token=${token}`);
    expect([answer.status, answer.headers['revokedaccesstoken']]).toEqual([200, undefined]);
    await expect(production.authenticateBearer(token)).resolves.toBeTruthy();
  });
});

describe('what a 401 expected', () => {
  const cases: [what: string, authorization: string | undefined, said: RegExp][] = [
    ['no header', undefined, /the header is missing; expected Authorization: Basic/],
    ['another word', 'Bearer abc', /does not begin with Basic; expected/],
    ['no pair', 'Basic YWJj', /is not Base64 of a client id/],
    [
      'an unknown client',
      basic({ clientId: 'nobody-there', clientSecret: 'x' }).authorization,
      /the form is right, but/,
    ],
  ];
  const asked = (authorization: string | undefined) => ({
    path: '/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...withoutUndefined({ authorization }),
    },
    body: 'grant_type=client_credentials',
  });

  it.each(cases)('in the sandbox, for %s', async (_what, authorization, said) => {
    const { status, headers, json } = await send(asked(authorization));
    expect([status, json.error]).toEqual([401, 'invalid_client']);
    expect(headers['x-error-detail']).toMatch(said);
  });

  it('in production not at all', async () => {
    const { origin } = await serve(world.access, { isSandbox: false });
    for (const [, authorization] of cases) {
      const { status, headers } = await send({ ...asked(authorization), to: origin });
      expect([status, headers['x-error-detail']]).toEqual([401, undefined]);
    }
  });
});
