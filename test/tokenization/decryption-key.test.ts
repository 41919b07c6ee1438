// Our decryption keys: published, rolled over under use, retired, and noticed by other processes (tokenization interface, kid supports key rollover).
import { type RecipientKey, sealTo } from '../../subgraphs/shared/crypto/jwe';
import { openMongo } from '../../subgraphs/shared/store/mongo';
import { decideRollOver, liveKeys } from '../../subgraphs/tokenization/keys/decryption-key';
import { createDecryptionKeyService } from '../../subgraphs/tokenization/keys/decryption-key.service';
import { eventually } from '../support/stores';
import { create, run } from './calls';
import { newCard, openDomains, openWorld, start, type World } from './world';

type Published = RecipientKey & { use: string; alg: string; current: boolean };

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const published = async (where: Pick<World, 'tokenization' | 'merchants'> = world) => {
  const caller = { ...world.alpha.caller, kind: 'anonymous' as const, scopes: [] };
  const { data } = await run<{ decryptionKeys: Published[] }>(
    where,
    '{ decryptionKeys { kid kty n e use alg current } }',
    { caller },
  );
  return data?.decryptionKeys ?? [];
};
const change = (source: string, caller = world.staff) => run<Record<string, Published[]>>(world, source, { caller });
const payload = () => ({ account: newCard(), accountExpiry: '122030' });
const createWith = async (key: RecipientKey, where: Pick<World, 'tokenization' | 'merchants'> = world) =>
  (await create({ ...world, ...where }, world.alpha, { encryptedData: sealTo(key, payload()) })).code;

test('the first key is made once, though many ask at once', async () => {
  const lists = await Promise.all(Array.from({ length: 8 }, () => published()));
  expect(new Set(lists.map((list) => JSON.stringify(list))).size).toBe(1);
  expect(lists[0]).toEqual([
    expect.objectContaining({ kty: 'RSA', e: 'AQAB', use: 'enc', alg: 'RSA-OAEP-256', current: true }),
  ]);
  expect(Buffer.from(lists[0]?.[0]?.n ?? '', 'base64url')).toHaveLength(256);
});

test('a roll-over keeps the former key alive until it is retired', async () => {
  const [first] = await published();
  if (!first) throw new Error('no key');
  const rolled = (await change('mutation { rollDecryptionKey { kid current } }')).data?.rollDecryptionKey ?? [];
  expect(rolled.map(({ current }) => current)).toEqual([true, false]);
  expect(rolled[1]?.kid).toBe(first.kid);
  const [second] = await published();
  if (!second) throw new Error('no key');
  expect([await createWith(first), await createWith(second)]).toEqual([null, null]);
  await change(`mutation { retireDecryptionKey(kid: "${first.kid}") { kid } }`);
  expect([await createWith(first), await createWith(second)]).toEqual(['cryptographyFailed', null]);
  expect((await published()).map(({ kid }) => kid)).toEqual([second.kid]);
  const stored = await world.stores.connection.collection('decryption_keys').find().toArray();
  expect(stored.filter(({ state }) => state === 'retired').every((key) => key.privateKey === undefined)).toBe(true);
});

test('a third key retires the first: never more than two live', async () => {
  const [first] = await published();
  await change('mutation { rollDecryptionKey { kid } }');
  await change('mutation { rollDecryptionKey { kid } }');
  expect(await published()).toHaveLength(2);
  expect(first && (await createWith(first))).toBe('cryptographyFailed');
});

test('the current key cannot be retired, an unknown one not found; only staff that act may', async () => {
  const [current] = await published();
  expect((await change(`mutation { retireDecryptionKey(kid: "${current?.kid}") { kid } }`)).code).toBe('conflict');
  expect((await change('mutation { retireDecryptionKey(kid: "x") { kid } }')).code).toBe('notFound');
  for (const caller of [
    world.alpha.caller,
    { ...world.staff, scopes: ['graph:read' as const] },
    { ...world.staff, accountId: 'alpha' },
  ]) {
    expect((await change('mutation { rollDecryptionKey { kid } }', caller)).code).toBe('forbidden');
  }
});

test('two roll-overs at once: one current key', async () => {
  await Promise.all([0, 1].map(() => change('mutation { rollDecryptionKey { kid } }')));
  expect((await published()).filter(({ current }) => current)).toHaveLength(1);
});

test('rolled over under use, nobody is refused inside the overlap', async () => {
  const codes: (string | null)[] = [];
  let isRolling = true;
  const client = async () => {
    while (isRolling) {
      const [key] = await published();
      if (key) codes.push(await createWith(key));
    }
  };
  const clients = Promise.all([client(), client(), client(), client()]);
  for (let count = 0; count < 3; count += 1) {
    await change('mutation { rollDecryptionKey { kid } }');
    // Counted from here, so that nobody is two roll-overs behind.
    const before = codes.length;
    await eventually(() => codes.length >= before + 12);
  }
  isRolling = false;
  await clients;
  expect(codes.filter((code) => code !== null)).toEqual([]);
});

test('another process opens with a key that it has not seen yet, and soon forgets a retired one', async () => {
  const mongo = await openMongo(world.stores.mongoUri, 'other');
  const other = await openDomains({ ...world.ground, connection: mongo.connection });
  const [before] = await published(other);
  await change('mutation { rollDecryptionKey { kid } }');
  const [after] = await published();
  if (!before || !after) throw new Error('no key');
  expect(after.kid).not.toBe(before.kid);
  expect([await createWith(after, other), await createWith(before, other)]).toEqual([null, null]);
  await change(`mutation { retireDecryptionKey(kid: "${before.kid}") { kid } }`);
  await eventually(async () => (await createWith(before, other)) === 'cryptographyFailed', { timeoutMs: 3_000 });
  await other.tokenization.close();
  await mongo.close();
});

test('decisions', () => {
  const key = (kid: string, state: 'active' | 'retiring' | 'retired', ageMs: number) => ({
    kid,
    state,
    n: '',
    e: '',
    createdAt: new Date(start.getTime() - ageMs),
  });
  const keys = [key('a', 'retired', 3), key('b', 'retiring', 2), key('c', 'active', 1)];
  expect(liveKeys(keys).map(({ kid }) => kid)).toEqual(['c', 'b']);
  expect(decideRollOver(keys)).toEqual([
    { kid: 'b', from: 'retiring', to: 'retired' },
    { kid: 'c', from: 'active', to: 'retiring' },
  ]);
  expect(decideRollOver([])).toEqual([]);
});

test('a process that has just started keeps callers waiting until its threads have the keys, instead of refusing them', async () => {
  let unwrapped: () => void = () => undefined;
  const unwrapping = new Promise<string>((resolve) => {
    unwrapped = () => resolve('');
  });
  let isAsked = false;
  let hasKeys = false;
  const key = { kid: 'k', state: 'active', n: 'AQ', e: 'AQAB', privateKey: {}, createdAt: new Date() };
  const service = createDecryptionKeyService({
    keys: { list: async () => [key] },
    pool: {
      replaceKeys: () => {
        hasKeys = true;
      },
      open: async () => (hasKeys ? Buffer.from('{"account":"1"}') : null),
    },
    vault: {
      open: () => {
        isAsked = true;
        return unwrapping;
      },
    },
  } as never);
  const envelope = { protectedHeader: '', encryptedKey: '', iv: '', ciphertext: '', tag: '' };
  const first = service.open(envelope);
  await eventually(() => isAsked);
  const second = service.open(envelope);
  unwrapped();
  expect(await Promise.all([first, second])).toEqual([{ account: '1' }, { account: '1' }]);
});
