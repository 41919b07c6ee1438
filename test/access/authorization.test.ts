// The authorization server as a whole: paths and methods, sizes, limits, absent dependencies, and what it tells nobody.
import { type AddressInfo, connect } from 'node:net';
import { newId } from '../../subgraphs/shared/ids';
import {
  askRevocation,
  askToken,
  basic,
  form,
  logged,
  observed,
  send,
  serve,
  server,
  tokenOf,
  withAuthorizationServer,
  world,
} from './authorization-server';

withAuthorizationServer();

describe('the surface', () => {
  it.each([
    ['GET', '/token', 405, 'POST'],
    ['HEAD', '/token', 405, 'POST'],
    ['PUT', '/revoke', 405, 'POST'],
    ['OPTIONS', '/revoke', 405, 'POST'],
    ['DELETE', '/token', 405, 'POST'],
    ['POST', '/healthz', 405, 'GET, HEAD'],
    ['GET', '/', 404, undefined],
    ['POST', '/token/', 404, undefined],
    ['POST', '/Token', 404, undefined],
    ['POST', '/__proto__', 404, undefined],
    ['GET', '/healthz', 200, undefined],
    ['HEAD', '/healthz', 200, undefined],
  ])('%s %s answers %d', async (method, path, status, allow) => {
    const answer = await send({ method, path });
    expect(answer.status).toBe(status);
    expect(answer.headers['allow']).toBe(allow);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('echoes a request id that is a UUID, and makes one otherwise', async () => {
    const requestId = newId();
    expect((await send({ headers: { 'x-request-id': requestId } })).headers['x-request-id']).toBe(requestId);
    expect((await send({ headers: { 'x-request-id': 'mine' } })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['announced', { 'content-length': String(16 * 1024 + 1) }],
    ['chunked', { 'transfer-encoding': 'chunked' }],
  ])('refuses a body over 16 KiB, %s', async (_how, headers) => {
    const client = await world.seedTokenizationClient();
    const answer = await askToken(client, `a=${'x'.repeat(16 * 1024 - 1)}`, { headers: { ...headers } });
    expect([answer.status, answer.json.error]).toEqual([413, 'invalid_request']);
  });

  it('takes a body of exactly 16 KiB', async () => {
    const client = await world.seedTokenizationClient();
    const start = 'grant_type=client_credentials&x=';
    expect((await askToken(client, start + 'y'.repeat(16 * 1024 - start.length))).status).toBe(200);
  });

  it('stays up when a client goes away in the middle of its body', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve) => {
      socket.write(
        `POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: ${form['content-type']}\r\nContent-Length: 100\r\n\r\ngrant`,
        () => resolve(),
      );
    });
    socket.destroy();
    expect((await send({ method: 'GET', path: '/healthz' })).status).toBe(200);
  });
});

describe('limits (decision register 2.1 and 2.6)', () => {
  it('refuses the eleventh try after ten failed logins, even with the right secret, for that client and address only', async () => {
    const [victim, other] = [await world.seedTokenizationClient(), await world.seedTokenizationClient()];
    const wrong = { ...victim, clientSecret: 'wrong' };
    for (let time = 0; time < 10; time += 1) expect((await askToken(wrong)).status).toBe(401);
    for (const answer of [await askToken(wrong), await askToken(victim), await askRevocation(victim, 'token=a')]) {
      expect([answer.status, answer.json.error]).toEqual([429, 'temporarily_unavailable']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(50);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect((await askToken(other)).status).toBe(200);
  });

  it('lets the right secret pass from an address that nobody blamed, seen through a proxy of ours alone', async () => {
    const victim = await world.seedTokenizationClient();
    const wrong = { ...victim, clientSecret: 'wrong' };
    const { origin: behind } = await serve(world.access, { trustedProxies: '127.0.0.0/8' });
    const from = (address: string) => ({ to: behind, headers: { 'x-forwarded-for': address } });
    const form = 'grant_type=client_credentials';
    // What an attacker writes in front of its own address blames nobody and hides nobody.
    for (let time = 0; time < 10; time += 1) await askToken(wrong, form, from(`198.51.100.${time}, 203.0.113.66`));
    expect((await askToken(victim, form, from('203.0.113.66'))).status).toBe(429);
    expect((await askToken(victim, form, from('198.51.100.1'))).status).toBe(200);

    // Nobody is a proxy of ours here: what a stranger writes gives no new tries.
    const other = await world.seedTokenizationClient();
    const guesses = [];
    for (let time = 0; time < 11; time += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${time}` };
      guesses.push((await askToken({ ...other, clientSecret: 'wrong' }, form, { headers })).status);
    }
    expect(guesses).toEqual([...Array(10).fill(401), 429]);
  });

  it('counts a client that does not exist in the same way', async () => {
    const nobody = { clientId: newId(), clientSecret: 'x' };
    const statuses = [];
    for (let time = 0; time < 12; time += 1) statuses.push((await askToken(nobody)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  it('never answers more than ten of many wrong tries at once with 401', async () => {
    const nobody = { clientId: newId(), clientSecret: 'x' };
    const answers = await Promise.all(Array.from({ length: 30 }, () => askToken(nobody)));
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(20);
  });

  it.each([
    ['/token', 'grant_type=client_credentials'],
    ['/revoke', 'token=a'],
  ])('lets a client call %s ten times at once', async (path, body) => {
    const client = await world.seedTokenizationClient();
    // Ten more are let in each second: enough that a slow machine cannot make them last.
    const answers = await Promise.all(Array.from({ length: 80 }, () => askToken(client, body, { path })));
    const refused = answers.filter((answer) => answer.status === 429);
    expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThanOrEqual(10);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(refused[0]?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-limit': '10',
      'ratelimit-remaining': '0',
    });
    expect((await askToken(await world.seedTokenizationClient(), body, { path })).status).toBe(200);
  });

  it('serves on while Redis is away', async () => {
    const { origin: to } = await serve(world.access, { redisUrl: 'redis://127.0.0.1:1/0' });
    const client = await world.seedTokenizationClient();
    const answers = await Promise.all(Array.from({ length: 30 }, () => askToken(client, undefined, { to })));
    expect(answers.map((answer) => answer.status)).toEqual(Array(30).fill(200));
  });
});

describe('while MongoDB is away', () => {
  it('answers 503 with Retry-After, and a bad request still 400', async () => {
    const { access, mongo } = await world.instance();
    const client = await world.seedTokenizationClient();
    const { origin: to } = await serve(access);
    const token = await tokenOf(client, to);
    await mongo.close();
    for (const answer of [
      await askToken(client, undefined, { to }),
      await askRevocation(client, `token=${token}`, { to }),
    ]) {
      expect([answer.status, answer.json.error]).toEqual([503, 'temporarily_unavailable']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect((await send({ to })).status).toBe(400);
  });
});

describe('what is told to nobody', () => {
  it('logs neither secrets nor tokens, and only clients that have authenticated', async () => {
    logged.length = 0;
    const client = await world.seedTokenizationClient();
    const token = await tokenOf(client);
    await askRevocation(client, `token=${token}`);
    await askToken({ clientId: 'pasted-secret', clientSecret: client.clientSecret });
    const text = logged.join('');
    expect(logged).toHaveLength(3);
    expect(text).toContain(client.clientId);
    for (const secret of [client.clientSecret, token, 'pasted-secret', basic(client).authorization.slice(6)]) {
      expect(text).not.toContain(secret);
    }
    expect(observed.slice(-3)).toEqual([
      ['/token', 200],
      ['/revoke', 200],
      ['/token', 401],
    ]);
  });
});
