// Access tokens: who they are, when they stop, and that a revocation is felt in every process within a second (reliability 1.4, T8).
import { randomBytes } from 'node:crypto';
import { bearerToken, callerOf, isAccessTokenLive } from '../../subgraphs/access/clients/access-token';
import { sha256 } from '../../subgraphs/shared/ids';
import { createTtlCache } from '../../subgraphs/shared/store/ttl-cache';
import { eventually } from '../support/stores';
import { ask, openWorld, triple, type World } from './world';

let world: World;
let elsewhere: World['access'];

beforeAll(async () => {
  world = await openWorld();
  elsewhere = (await world.instance()).access;
});

afterAll(() => world.closeAll());

async function newToken(scopes: string[] | null = null) {
  const credentials = await world.seedTokenizationClient();
  const client = await world.access.authenticateClient(credentials.clientId, credentials.clientSecret);
  const { accessToken } = await world.access.issueAccessToken(client, scopes);
  return { client, credentials, accessToken };
}

const refused = (credential: 'missing' | 'invalid') => ({ code: 'unauthenticated', credential });

describe('recognising a token', () => {
  it('tells the caller: client, account, scopes, identifiers, environment, end', async () => {
    const { client, accessToken } = await newToken(['mts:token']);
    expect(await elsewhere.authenticateBearer(accessToken)).toEqual({
      kind: 'client',
      credentialId: client.clientId,
      environment: 'sandbox',
      accountId: client.accountId,
      scopes: ['mts:token'],
      identifiers: [triple],
      accessTokenHash: sha256(accessToken),
      expiresAt: new Date(world.clock.now().getTime() + 3_600_000),
    });
  });

  it.each([
    ['nothing', undefined, 'missing'],
    ['an empty header', '', 'missing'],
    ['another scheme', 'Basic YTpi', 'missing'],
    ['the scheme alone', 'Bearer', 'missing'],
    ['a token of another make', 'Bearer abc', 'invalid'],
    ['a token that was never issued', `Bearer at_sandbox_${randomBytes(32).toString('base64url')}`, 'invalid'],
    ['a token of the other environment', `Bearer at_production_${randomBytes(32).toString('base64url')}`, 'invalid'],
    ['a query operator', 'Bearer at_sandbox_{"$gt":""}', 'invalid'],
    ['an endless token', `Bearer at_sandbox_${'a'.repeat(100_000)}`, 'invalid'],
  ] as const)('refuses %s', async (_what, header, credential) => {
    await expect(world.access.authenticateHeader(header)).rejects.toMatchObject(refused(credential));
  });

  it('takes the scheme in any case', async () => {
    const { accessToken } = await newToken();
    await expect(world.access.authenticateHeader(`bearer  ${accessToken}`)).resolves.toBeTruthy();
    expect(bearerToken(`Bearer ${accessToken} extra`)).toBeUndefined();
  });

  it('asks the store once for many calls at once', async () => {
    const { accessToken } = await newToken();
    const callers = await Promise.all(Array.from({ length: 50 }, () => elsewhere.authenticateBearer(accessToken)));
    expect(new Set(callers).size).toBe(1);
  });

  it('answers `unavailable` while MongoDB is away, and needs it not to refuse what it cannot have issued', async () => {
    const { access, mongo } = await world.instance();
    const { accessToken } = await newToken();
    await mongo.close();
    await expect(access.authenticateBearer(accessToken)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(access.authenticateBearer('abc')).rejects.toMatchObject(refused('invalid'));
  });
});

describe('the end of a token', () => {
  type Ending = (made: Awaited<ReturnType<typeof newToken>>) => Promise<unknown>;
  const mutate =
    (field: string): Ending =>
    ({ client }) =>
      ask(world.access, `mutation ($id: ID!) { ${field} }`, { variables: { id: client.clientId } });
  const endings: [string, Ending][] = [
    ['it is revoked', ({ client, accessToken }) => world.access.revokeAccessToken(client, accessToken)],
    ['all tokens of its client are revoked', mutate('revokeAccessTokens(clientId: $id) { clientId }')],
    ['its client is disabled', mutate('disableClient(clientId: $id) { clientId }')],
  ];

  it.each(endings)('is felt in every process within a second when %s', async (how, end) => {
    const made = await newToken();
    const { accessToken } = made;
    await Promise.all([world.access, elsewhere].map((access) => access.authenticateBearer(accessToken)));
    let lastServedAskedMs = 0;
    const hammer = (async () => {
      for (let isServed = true; isServed; ) {
        const askedMs = performance.now();
        isServed = await elsewhere.authenticateBearer(accessToken).then(
          () => true,
          () => false,
        );
        if (isServed) lastServedAskedMs = askedMs;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    await end(made);
    const endedAt = performance.now();
    await expect(world.access.authenticateBearer(accessToken)).rejects.toMatchObject(refused('invalid'));
    expect(await elsewhere.liveScopes([sha256(accessToken)])).toEqual(new Map());
    // What open connections are looked at by, in every process.
    expect((await elsewhere.changedSince(world.clock.now(), 1_000)).map(({ id }) => id)).toEqual(
      expect.arrayContaining([how === 'it is revoked' ? sha256(accessToken) : made.client.clientId]),
    );
    await hammer;
    expect(lastServedAskedMs - endedAt).toBeLessThan(1_000);
    await expect(elsewhere.authenticateBearer(accessToken)).rejects.toMatchObject(refused('invalid'));
  });

  it('comes with its expiry on the one clock, remembered or not', async () => {
    const { accessToken } = await newToken();
    world.clock.advance(3_599_000);
    await expect(world.access.authenticateBearer(accessToken)).resolves.toBeTruthy();
    world.clock.advance(1_000);
    await expect(world.access.authenticateBearer(accessToken)).rejects.toMatchObject(refused('invalid'));
    await expect(elsewhere.authenticateBearer(accessToken)).rejects.toMatchObject(refused('invalid'));
    expect(await elsewhere.liveScopes([sha256(accessToken)])).toEqual(new Map());
  });

  it('stays the end when the client is enabled again; a new token works', async () => {
    const { client, credentials, accessToken } = await newToken();
    for (const field of ['disableClient', 'enableClient']) {
      await ask(world.access, `mutation ($id: ID!) { ${field}(clientId: $id) { clientId } }`, {
        variables: { id: client.clientId },
      });
    }
    await expect(world.access.authenticateBearer(accessToken)).rejects.toMatchObject(refused('invalid'));
    const again = await world.access.authenticateClient(credentials.clientId, credentials.clientSecret);
    const { accessToken: next } = await world.access.issueAccessToken(again, null);
    await expect(world.access.authenticateBearer(next)).resolves.toBeTruthy();
  });

  it('a token issued while its client is being disabled is dead as well', async () => {
    const { client } = await newToken();
    await ask(world.access, 'mutation ($id: ID!) { disableClient(clientId: $id) { clientId } }', {
      variables: { id: client.clientId },
    });
    const { accessToken } = await world.access.issueAccessToken(client, null);
    await expect(elsewhere.authenticateBearer(accessToken)).rejects.toMatchObject(refused('invalid'));
  });

  it('narrowing the grant narrows the tokens that are out', async () => {
    const { client, accessToken } = await newToken();
    const variables = { id: client.clientId, scopes: ['mts:lifecycle'] };
    await ask(
      world.access,
      'mutation ($id: ID!, $scopes: [String!]!) { setClientScopes(clientId: $id, scopes: $scopes) { clientId } }',
      {
        variables,
      },
    );
    expect((await world.access.authenticateBearer(accessToken)).scopes).toEqual(['mts:lifecycle']);
    const hash = sha256(accessToken);
    expect(await elsewhere.liveScopes([hash])).toEqual(new Map([[hash, ['mts:lifecycle']]]));
    await eventually(async () => (await elsewhere.authenticateBearer(accessToken)).scopes.length === 1, {
      timeoutMs: 1_000,
    });
  });

  it('leaves the other tokens of the client alone when one is revoked', async () => {
    const { client, accessToken } = await newToken();
    const { accessToken: other } = await world.access.issueAccessToken(client, null);
    expect(await world.access.revokeAccessToken(client, accessToken)).toBe(true);
    expect(await world.access.revokeAccessToken(client, accessToken)).toBe(false);
    const hashes = [accessToken, other].map((token) => sha256(token));
    expect([...(await elsewhere.liveScopes([...hashes, 'unknown'])).keys()]).toEqual([hashes[1]]);
  });
});

describe('what is stored', () => {
  it('forgets tokens by itself once they have expired, and looks everything up by an index', async () => {
    const indexes = await world.connection.collection('access_tokens').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
  });

  it('has neither token nor secret, in any encoding', async () => {
    const { credentials, accessToken } = await newToken();
    const everything: string[] = [];
    for (const { name } of await (world.connection.db?.listCollections().toArray() ?? [])) {
      everything.push(JSON.stringify(await world.connection.collection(name).find().toArray()));
    }
    const text = everything.join('\n');
    expect(text).toContain(sha256(accessToken));
    for (const secret of [accessToken, credentials.clientSecret]) {
      for (const form of [
        secret,
        Buffer.from(secret).toString('base64').slice(0, -4),
        Buffer.from(secret).toString('hex'),
      ]) {
        expect(text).not.toContain(form);
      }
      expect(text).not.toContain(sha256(credentials.clientSecret));
    }
  });
});

describe('pure rules', () => {
  const now = new Date('2030-01-01T00:00:00Z');
  const client = {
    clientId: 'c',
    environment: 'sandbox',
    status: 'ACTIVE',
    tokenGeneration: 2,
    scopes: ['mts:token'],
  } as never;
  const token = {
    hash: 'h',
    environment: 'sandbox',
    clientId: 'c',
    scopes: ['mts:token', 'mts:lifecycle'],
    generation: 2,
    issuedAt: now,
    expiresAt: new Date(now.getTime() + 1),
    revokedAt: null,
  } as never as Parameters<typeof isAccessTokenLive>[0];

  it.each([
    ['live', {}, client, true],
    ['expired in this very millisecond', { expiresAt: now }, client, false],
    ['revoked', { revokedAt: now }, client, false],
    ['without its client', {}, null, false],
    ['of an earlier generation', { generation: 1 }, client, false],
    ['of a disabled client', {}, { ...(client as object), status: 'DISABLED' } as never, false],
    ['of the other environment', { environment: 'production' as const }, client, false],
  ])('a token that is %s', (_what, change, owner, expected) => {
    expect(isAccessTokenLive({ ...token, ...change }, owner, now)).toBe(expected);
  });

  it('a caller never has a scope that its client has lost', () => {
    expect(callerOf(token, client).scopes).toEqual(['mts:token']);
  });
});

describe('the memory of answers', () => {
  it('is bounded, forgets failures and absences, and counts from the question', async () => {
    const asked: string[] = [];
    const cache = createTtlCache<string>({
      keptMsMax: 60_000,
      sizeMax: 2,
      load: async (key) => {
        asked.push(key);
        if (key === 'bad') throw new Error('no');
        return key === 'absent' ? null : key;
      },
    });
    for (const key of ['a', 'a', 'b', 'c', 'a']) expect(await cache.get(key)).toBe(key);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
    for (let time = 0; time < 2; time += 1) {
      expect(await cache.get('absent')).toBeNull();
      await expect(cache.get('bad')).rejects.toThrow('no');
    }
    expect(asked).toEqual(['a', 'b', 'c', 'a', 'absent', 'bad', 'absent', 'bad']);
    cache.forget('a');
    await cache.get('a');
    expect(asked).toHaveLength(9);
  });

  it('does not serve an answer to a question that is too old', async () => {
    let release: (value: string) => void = () => undefined;
    let count = 0;
    const cache = createTtlCache<string>({
      keptMsMax: 20,
      sizeMax: 10,
      load: () => {
        count += 1;
        return count === 1 ? new Promise((resolve) => (release = resolve)) : Promise.resolve('new');
      },
    });
    const slow = cache.get('k');
    await eventually(async () => (await Promise.race([cache.get('k'), Promise.resolve('waiting')])) === 'new', {
      everyMs: 5,
    });
    release('old');
    expect(await slow).toBe('old');
    expect(count).toBeGreaterThanOrEqual(2);
  });
});
