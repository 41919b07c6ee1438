// Clients: families and scopes, secrets shown once and rotated, seeds; through the graph as its callers use it.
import { type Client, decideNewClient, decideSecretRotation } from '../../subgraphs/access/clients/client';
import { newId, newSecret } from '../../subgraphs/shared/ids';
import { eventually } from '../support/stores';
import { create, input, newClient, read, rotate } from './clients';
import { ask, newJwk, openWorld, triple, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.closeAll());

describe('making a client', () => {
  it('shows the secret once; it authenticates; limits and scopes are visible', async () => {
    const { data } = await ask(world.access, create, { variables: { input: input({ label: '  Alpha  ' }) } });
    const { client, clientSecret } = data.createClient;
    expect(client).toMatchObject({
      family: 'TOKENIZATION',
      label: 'Alpha',
      status: 'ACTIVE',
      scopes: ['mts:token', 'mts:transaction', 'mts:lifecycle'],
      identifiers: [triple],
      encryptionKeys: [],
      limits: [
        { name: 'tokenization', perSecond: 50, burst: 100 },
        { name: 'token', perSecond: 10, burst: 10 },
        { name: 'revoke', perSecond: 10, burst: 10 },
      ],
    });
    expect(clientSecret).toMatch(/^cs_sandbox_[A-Za-z0-9_-]{43}$/);
    await expect(world.access.authenticateClient(client.clientId, clientSecret)).resolves.toMatchObject({
      accountId: client.accountId,
    });
    expect(JSON.stringify((await ask(world.access, read, { variables: { id: client.clientId } })).data)).not.toContain(
      clientSecret,
    );
  });

  it.each([
    ['a scope of another family', { scopes: ['mts:token', 'payments:write'] }, 'invalidData'],
    ['graph:admin for a tokenization client', { scopes: ['graph:admin'] }, 'invalidData'],
    ['an internal scope', { family: 'GRAPH', accountId: null, identifiers: [], scopes: ['system'] }, 'invalidData'],
    ['a tokenization client of staff', { accountId: null }, 'invalidData'],
    ['a payments client of staff', { family: 'PAYMENTS', accountId: null, identifiers: [] }, 'invalidData'],
    ['identifiers for a graph client', { family: 'GRAPH' }, 'invalidData'],
    ['no identifiers for a tokenization client', { identifiers: [] }, 'invalidData'],
    ['an identifier of 37 characters', { identifiers: [{ ...triple, pspId: 'x'.repeat(37) }] }, 'invalidInput'],
    ['an identifier with a slash', { identifiers: [{ ...triple, acquirerId: 'a/b' }] }, 'invalidInput'],
    ['no label', { label: '   ' }, 'invalidInput'],
    ['a label of 101 characters', { label: 'x'.repeat(101) }, 'invalidInput'],
  ])('refuses %s', async (_what, overrides, code) => {
    const { data, codes } = await ask(world.access, create, { variables: { input: input(overrides) } });
    expect([data, codes]).toEqual([null, [code]]);
  });

  it.each([
    ['TOKENIZATION', {}],
    ['GRAPH', { family: 'GRAPH', identifiers: [] }],
  ])('refuses a %s client of an account that nobody has, by its field', async (_family, overrides) => {
    const wanted = { input: input({ accountId: 'nobody', ...overrides }) };
    const { data, codes, fields } = await ask(world.access, create, { variables: wanted });
    expect([data, codes, fields]).toEqual([null, ['notFound'], ['accountId']]);
    expect(await world.connection.collection('clients').countDocuments({ accountId: 'nobody' })).toBe(0);
  });

  it('grants graph:admin only when it is named', () => {
    const wanted = { family: 'graph', accountId: null, label: 'x', identifiers: [] } as const;
    expect(decideNewClient({ ...wanted, identifiers: [], scopes: null }).scopes).toEqual(['graph:read']);
    expect(decideNewClient({ ...wanted, identifiers: [], scopes: ['graph:admin', 'graph:read'] }).scopes).toEqual([
      'graph:read',
      'graph:admin',
    ]);
  });

  it('tells which scope a client may not hold, and what it may', () => {
    const ofAccount = { family: 'tokenization' as const, accountId: 'alpha', label: 'x', identifiers: [triple] };
    expect(() => decideNewClient({ ...ofAccount, scopes: ['mts:token', 'payments:write'] })).toThrow(
      'scopes[1] is not for a tokenization client of an account, which may hold mts:token, mts:transaction, mts:lifecycle',
    );
    const reader = { ...ofAccount, family: 'graph' as const, identifiers: [], scopes: ['graph:admin'] };
    expect(() => decideNewClient(reader)).toThrow(
      /^scopes\[0\] is not for a graph client of an account, which may hold graph:read, (?!.*graph:admin).*graph:callbacks:write$/,
    );
  });

  it('makes one client per Idempotency-Key, and answers a repetition with the same secret', async () => {
    const variables = { input: input() };
    const idempotencyKey = newId();
    const [first, second] = [
      await ask(world.access, create, { variables, idempotencyKey }),
      await ask(world.access, create, { variables, idempotencyKey }),
    ];
    expect(second.data).toEqual(first.data);
    expect([first.replayed, second.replayed]).toEqual([false, true]);
    const { accountId } = variables.input;
    expect(await world.connection.collection('clients').countDocuments({ accountId })).toBe(1);
    const other = await ask(world.access, create, { variables: { input: input() }, idempotencyKey });
    expect(other.codes).toEqual(['idempotencyMismatch']);
    const kept = JSON.stringify(await world.connection.collection('idempotency_keys').find().toArray());
    expect(kept).not.toContain(first.data.createClient.clientSecret);
  });
});

describe('rotating a secret', () => {
  it('keeps the old one for 24 hours, and never more than two', async () => {
    const { clientId, clientSecret: first } = await newClient(world);
    const works = (secret: string) =>
      world.access.authenticateClient(clientId, secret).then(
        () => true,
        () => false,
      );
    const { data } = await ask(world.access, rotate, { variables: { id: clientId } });
    const second: string = data.rotateClientSecret.clientSecret;
    expect(data.rotateClientSecret.client.secrets).toEqual([
      { expiresAt: null },
      { expiresAt: new Date(world.clock.now().getTime() + 24 * 3_600_000).toISOString() },
    ]);
    expect([await works(first), await works(second), await works(`${second}x`), await works('')]).toEqual([
      true,
      true,
      false,
      false,
    ]);

    world.clock.advance(24 * 3_600_000 - 1);
    expect([await works(first), await works(second)]).toEqual([true, true]);
    world.clock.advance(1);
    expect([await works(first), await works(second)]).toEqual([false, true]);

    const third = (await ask(world.access, rotate, { variables: { id: clientId } })).data.rotateClientSecret
      .clientSecret;
    const fourth = (await ask(world.access, rotate, { variables: { id: clientId } })).data.rotateClientSecret
      .clientSecret;
    expect([await works(second), await works(third), await works(fourth)]).toEqual([false, true, true]);
  });

  it('does not prolong what is ending', () => {
    const now = new Date('2030-01-01T00:00:00Z');
    const at = (ms: number) => new Date(now.getTime() + ms);
    const client = { secrets: [{ hash: 'a', createdAt: at(-2), expiresAt: at(5) }] } as Client;
    expect(decideSecretRotation(client, 'b', now)).toEqual([
      { hash: 'b', createdAt: now, expiresAt: null },
      { hash: 'a', createdAt: at(-2), expiresAt: at(5) },
    ]);
    expect(decideSecretRotation(client, 'b', at(5))).toHaveLength(1);
  });

  it('loses no rotation when several race', async () => {
    const { clientId } = await newClient(world);
    const answers = await Promise.all([1, 2, 3].map(() => ask(world.access, rotate, { variables: { id: clientId } })));
    expect(answers.flatMap((answer) => answer.codes)).toEqual([]);
    const works = await Promise.all(
      answers.map(({ data }) =>
        world.access.authenticateClient(clientId, data.rotateClientSecret.clientSecret).then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(works.filter(Boolean)).toHaveLength(2);
  });

  it('takes comparable time for a secret wrong at its start, at its end, and for no client at all', async () => {
    const { clientId, clientSecret } = await newClient(world);
    const flip = (index: number) =>
      clientSecret.slice(0, index) + (clientSecret[index] === 'A' ? 'B' : 'A') + clientSecret.slice(index + 1);
    const tries = [
      [clientId, flip(12)],
      [clientId, flip(clientSecret.length - 1)],
      [newId(), clientSecret],
    ] as const;
    const samples: number[][] = tries.map(() => []);
    for (let round = 0; round < 300; round += 1) {
      for (const [index, [id, secret]] of tries.entries()) {
        const startedAt = performance.now();
        await world.access.authenticateClient(id, secret).catch(() => undefined);
        samples[index]?.push(performance.now() - startedAt);
      }
    }
    const [start = 0, end = 0, nobody = 0] = samples.map((times) => times.toSorted((a, b) => a - b)[150] ?? 0);
    expect(Math.abs(start - end)).toBeLessThan(0.5 * start);
    expect(Math.abs(start - nobody)).toBeLessThan(0.5 * start);
  });
});

describe('seeding', () => {
  const seed = () => ({
    clientId: `seeded-${newId()}`,
    clientSecret: newSecret('seed'),
    family: 'tokenization' as const,
    accountId: 'alpha',
    scopes: ['mts:token'],
    identifiers: [triple],
    encryptionKey: newJwk(newId()),
  });

  it('is safe to repeat, also at once from several processes', async () => {
    const wanted = seed();
    const elsewhere = (await world.instance()).access;
    await Promise.all([world.access, elsewhere, world.access].map((access) => access.seedClient(wanted)));
    const before = await world.connection.collection<{ _id: string }>('clients').findOne({ _id: wanted.clientId });
    await world.access.seedClient(wanted);
    expect(await world.connection.collection<{ _id: string }>('clients').findOne({ _id: wanted.clientId })).toEqual(
      before,
    );
    await expect(elsewhere.authenticateClient(wanted.clientId, wanted.clientSecret)).resolves.toMatchObject({
      version: 1,
    });
    expect(await elsewhere.recipientKey({ credentialId: wanted.clientId })).toMatchObject({
      kid: wanted.encryptionKey.kid,
    });
  });

  it('makes a new secret and key work, and leaves what operators changed', async () => {
    const wanted = seed();
    await world.access.seedClient(wanted);
    await ask(world.access, 'mutation ($id: ID!) { setClientScopes(clientId: $id, scopes: []) { clientId } }', {
      variables: { id: wanted.clientId },
    });
    const again = { ...wanted, clientSecret: newSecret('seed'), encryptionKey: newJwk(newId()) };
    await world.access.seedClient(again);
    await expect(world.access.authenticateClient(wanted.clientId, wanted.clientSecret)).resolves.toMatchObject({
      scopes: [],
    });
    await expect(world.access.authenticateClient(wanted.clientId, again.clientSecret)).resolves.toBeTruthy();
    await eventually(
      async () => (await world.access.recipientKey({ credentialId: wanted.clientId }))?.kid === again.encryptionKey.kid,
    );
  });

  it('refuses to turn a client into that of another account', async () => {
    const wanted = seed();
    await world.access.seedClient(wanted);
    await expect(world.access.seedClient({ ...wanted, accountId: 'beta' })).rejects.toThrow(
      'another family, account or merchant',
    );
  });
});
