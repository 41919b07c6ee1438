// POST /revoke over real sockets: RFC 7009 row by row, and the headers of the tokenization interface (Authentication 7 and 8).
import {
  askRevocation,
  basic,
  type Credentials,
  type Received,
  tokenOf,
  withAuthorizationServer,
  world,
} from './authorization-server';

withAuthorizationServer();

describe('POST /revoke (RFC 7009; tokenization interface, Authentication 7 and 8)', () => {
  const wire = ({ rawHeaders }: Received) =>
    Object.fromEntries(rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]]] : [])));

  it('answers with every documented header in its documented spelling', async () => {
    const client = await world.seedTokenizationClient();
    const token = await tokenOf(client);
    const answer = await askRevocation(client, `token=${token}&token_type_hint=access_token`);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: '' });
    expect(wire(answer)).toMatchObject({
      Revokedaccesstoken: token,
      Revokedrefreshtoken: '',
      'Content-Type': 'text/html',
      Pragma: 'no-cache',
      'Cache-Control': 'no-store',
      'Content-Length': '0',
    });
    await expect(world.access.authenticateBearer(token)).rejects.toMatchObject({ credential: 'invalid' });
  });

  it.each([
    ['no hint', ''],
    ['an empty hint', '&token_type_hint='],
    ['the hint of another kind', '&token_type_hint=refresh_token'],
    ['unknown parameters', '&x=1'],
  ])('finds the token with %s', async (_what, more) => {
    const client = await world.seedTokenizationClient();
    const token = await tokenOf(client);
    expect((await askRevocation(client, `token=${token}${more}`)).headers['revokedaccesstoken']).toBe(token);
    await expect(world.access.authenticateBearer(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each([
    ['unknown', async () => `at_sandbox_${'a'.repeat(43)}`],
    ['malformed', async () => 'not a token \r\n <b>'],
    ['very long', async () => 'x'.repeat(10_000)],
    [
      'expired',
      async (client: Credentials) => {
        const token = await tokenOf(client);
        world.clock.advance(3_600_000);
        return token;
      },
    ],
    [
      'already revoked',
      async (client: Credentials) => {
        const token = await tokenOf(client);
        await askRevocation(client, `token=${token}`);
        return token;
      },
    ],
    ['that of another client', async () => tokenOf(await world.seedTokenizationClient())],
    [
      'that of another client of the same account',
      async ({ accountId }: Credentials & { accountId: string }) =>
        tokenOf(await world.seedTokenizationClient(world.access, { accountId })),
    ],
  ])('answers alike, without the two headers, for a token that is %s', async (_what, made) => {
    const client = await world.seedTokenizationClient();
    const token = await made(client);
    const answer = await askRevocation(client, new URLSearchParams({ token }).toString());
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: '' });
    const headers = wire(answer);
    expect(headers).toMatchObject({ 'Content-Type': 'text/html', Pragma: 'no-cache', 'Cache-Control': 'no-store' });
    expect(Object.keys(headers).filter((name) => /^revoked/i.test(name))).toEqual([]);
  });

  it('leaves the token of another client alone', async () => {
    const owner = await world.seedTokenizationClient();
    const token = await tokenOf(owner);
    await askRevocation(await world.seedTokenizationClient(), `token=${token}`);
    await expect(world.access.authenticateBearer(token)).resolves.toMatchObject({ credentialId: owner.clientId });
  });

  it('an unknown hint has the answer of an unknown token, and no token survives it', async () => {
    const client = await world.seedTokenizationClient();
    const token = await tokenOf(client);
    const answer = await askRevocation(client, `token=${token}&token_type_hint=magic`);
    expect([answer.status, answer.headers['revokedaccesstoken'], answer.headers['revokedrefreshtoken']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
    await expect(world.access.authenticateBearer(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('tells one of two at once that it revoked the token', async () => {
    const client = await world.seedTokenizationClient();
    const token = await tokenOf(client);
    const answers = await Promise.all([1, 2, 3, 4].map(() => askRevocation(client, `token=${token}`)));
    expect(answers.filter((answer) => answer.headers['revokedaccesstoken'] === token)).toHaveLength(1);
  });

  it.each([
    ['no token', '', {}, 400, 'invalid_request'],
    ['an empty token', 'token=', {}, 400, 'invalid_request'],
    ['two tokens', 'token=a&token=b', {}, 400, 'invalid_request'],
    ['JSON', '{"token":"a"}', { 'content-type': 'application/json' }, 400, 'invalid_request'],
    ['a secret in the body', 'token=a&client_secret=b', {}, 400, 'invalid_request'],
    ['no credentials', 'token=a', { authorization: '' }, 401, 'invalid_client'],
    ['wrong credentials', 'token=a', basic({ clientId: 'x', clientSecret: 'y' }), 401, 'invalid_client'],
  ])('refuses %s', async (_what, body, headers, status, error) => {
    const answer = await askRevocation(await world.seedTokenizationClient(), body, { headers });
    expect([answer.status, answer.json.error]).toEqual([status, error]);
  });
});
