// The keys that results are sealed to: what is accepted, which one is used, who may change them.
import { decideKeyRegistration, parseRecipientJwk } from '../../subgraphs/access/clients/encryption-key';
import { sealTo } from '../../subgraphs/shared/crypto/jwe';
import { newId } from '../../subgraphs/shared/ids';
import { eventually } from '../support/stores';
import { callerOf, newClient, register, retire } from './clients';
import { ask, newJwk, openWorld, type World } from './world';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.closeAll());

describe('keys that results are sealed to', () => {
  it('uses the newest active key; retiring it falls back; without any there is none', async () => {
    const { clientId } = await newClient(world);
    const owner = { credentialId: clientId };
    expect(await world.access.recipientKey(owner)).toBeNull();
    const [first, second] = [newJwk('key-1'), newJwk('key-2', 3072)];
    const registered = await ask(world.access, register, { variables: { id: clientId, key: first } });
    expect(registered.data.registerEncryptionKey.encryptionKeys).toEqual([
      { kid: 'key-1', bits: 2048, status: 'ACTIVE', retiredAt: null },
    ]);
    expect(await world.access.recipientKey(owner)).toEqual({ kid: 'key-1', kty: 'RSA', n: first.n, e: first.e });
    world.clock.advance(1);
    await ask(world.access, register, { variables: { id: clientId, key: second } });
    expect(await world.access.recipientKey(owner)).toMatchObject({ kid: 'key-2' });
    await ask(world.access, retire, { variables: { id: clientId, kid: 'key-2' } });
    expect(await world.access.recipientKey(owner)).toMatchObject({ kid: 'key-1' });
    await ask(world.access, retire, { variables: { id: clientId, kid: 'key-1' } });
    expect(await world.access.recipientKey(owner)).toBeNull();
    expect(await world.access.recipientKey({ credentialId: newId() })).toBeNull();
  });

  it('a retired key is used by no process after a second', async () => {
    const { clientId } = await newClient(world);
    await ask(world.access, register, { variables: { id: clientId, key: newJwk('k') } });
    const elsewhere = (await world.instance()).access;
    expect(await elsewhere.recipientKey({ credentialId: clientId })).toBeTruthy();
    await ask(world.access, retire, { variables: { id: clientId, kid: 'k' } });
    await eventually(async () => (await elsewhere.recipientKey({ credentialId: clientId })) === null, {
      timeoutMs: 1_000,
    });
  });

  const good = newJwk('good');
  const changedLast = (n: string, change: (last: number) => number) => {
    const bytes = Buffer.from(n, 'base64url');
    bytes[bytes.length - 1] = change(bytes.at(-1) ?? 0);
    return bytes.toString('base64url');
  };
  it.each([
    ['an elliptic-curve key', { kty: 'EC' }, 'key.kty'],
    ['a signing key', { use: 'sig' }, 'key.use'],
    ['another algorithm', { alg: 'RSA-OAEP' }, 'key.alg'],
    ['RSA1_5', { alg: 'RSA1_5' }, 'key.alg'],
    ['no kid', { kid: '' }, 'key.kid'],
    ['a kid of 129 characters', { kid: 'k'.repeat(129) }, 'key.kid'],
    ['a kid with a line break', { kid: 'a\nb' }, 'key.kid'],
    ['1024 bits', newJwk('small', 1024), 'key.n'],
    ['no modulus', { n: '' }, 'key.n'],
    ['a modulus in plain Base64', { n: `${good.n.slice(0, -2)}+/` }, 'key.n'],
    ['an exponent of 3', { e: 'Aw' }, 'key.e'],
    ['an even modulus', { n: changedLast(good.n, (last) => last - 1) }, 'key.n'],
    ['an even exponent', { e: 'AQAC' }, 'key.e'],
    ['an exponent of 65 bits', { e: 'AQAAAAAAAAAB' }, 'key.e'],
    ['an exponent beyond the modulus', { e: Buffer.alloc(257, 0xff).toString('base64url') }, 'key.e'],
    ['an exponent that is not Base64URL', { e: 'AQ=B' }, 'key.e'],
  ])('refuses %s', (_what, change, field) => {
    expect(() => parseRecipientJwk({ ...good, ...change })).toThrow(
      expect.objectContaining({ code: 'invalidInput', details: { field } }),
    );
  });

  it('takes the longest exponent that results can be sealed with', () => {
    const longest = newJwk('longest', 4096);
    const e = Buffer.alloc(8, 0xff).toString('base64url');
    expect(parseRecipientJwk({ ...longest, e })).toMatchObject({ bits: 4096, e });
    expect(sealTo({ ...longest, kty: 'RSA', e }, {}).split('.')).toHaveLength(5);
  });

  it('takes the same key twice as once, and no other key under a kid that was used', async () => {
    const { clientId } = await newClient(world);
    const key = newJwk('same');
    const send = (jwk: object) => ask(world.access, register, { variables: { id: clientId, key: jwk } });
    expect((await send(key)).codes).toEqual([]);
    expect((await send(key)).data.registerEncryptionKey.encryptionKeys).toHaveLength(1);
    expect((await send(newJwk('same'))).codes).toEqual(['invalidData']);
    await ask(world.access, retire, { variables: { id: clientId, kid: 'same' } });
    expect((await send(key)).codes).toEqual(['invalidData']);
    expect((await ask(world.access, retire, { variables: { id: clientId, kid: 'other' } })).codes).toEqual([
      'notFound',
    ]);
  });

  it('keeps twenty keys, and lets go of the oldest retired one first', () => {
    const now = new Date();
    const key = (index: number, status: 'ACTIVE' | 'RETIRED') =>
      ({ kid: `k${index}`, n: 'n', e: 'e', bits: 2048, status, createdAt: now, retiredAt: null }) as const;
    const fresh = { kid: 'new', n: 'n', e: 'e', bits: 2048 };
    const active = Array.from({ length: 20 }, (_, index) => key(index, 'ACTIVE'));
    expect(() => decideKeyRegistration(active, fresh, now)).toThrow(expect.objectContaining({ code: 'invalidData' }));
    const mixed = [...active.slice(0, 18), key(18, 'RETIRED'), key(19, 'RETIRED')];
    const kids = decideKeyRegistration(mixed, fresh, now)?.map(({ kid }) => kid) ?? [];
    expect([kids.length, kids[0], kids.includes('k18'), kids.includes('k19')]).toEqual([20, 'new', true, false]);
  });

  it('a client manages its own keys and nobody else’s', async () => {
    const [own, foreign] = [await newClient(world), await newClient(world)];
    const sibling = await newClient(world, { accountId: own.accountId });
    const caller = callerOf(own);
    const key = newJwk('mine');
    expect((await ask(world.access, register, { caller, variables: { id: own.clientId, key } })).codes).toEqual([]);
    expect((await ask(world.access, retire, { caller, variables: { id: own.clientId, kid: 'mine' } })).codes).toEqual(
      [],
    );
    for (const id of [foreign.clientId, sibling.clientId, 'absent']) {
      expect((await ask(world.access, register, { caller, variables: { id, key } })).codes).toEqual(['notFound']);
      expect((await ask(world.access, retire, { caller, variables: { id, kid: 'mine' } })).codes).toEqual(['notFound']);
    }
  });
});
