// Envelopes: sealed by us and opened by another implementation, and the other way round; what is not compact; the thread pool.
import { createPublicKey } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { parseCompactJwe, parseJsonObject, readKid, sealTo } from '../../subgraphs/shared/crypto/jwe';
import { createJwePool, type JwePool, threadsPerProcess } from '../../subgraphs/shared/crypto/jwe-pool';
import fc from '../support/properties';
import { nextRsaKey } from '../support/rsa-keys';
import { newRecipient } from './world';

const privateKey = nextRsaKey();
const publicKey = createPublicKey(privateKey);
const { n } = publicKey.export({ format: 'jwk' }) as { n: string };
const recipient = { kty: 'RSA' as const, kid: 'k1', n, e: 'AQAB' };
const openingKey = (kid = 'k1') => ({
  kid,
  pkcs8: privateKey.export({ format: 'der', type: 'pkcs8' }),
  modulus: Buffer.from(n, 'base64url'),
});

let pool: JwePool;
beforeAll(() => {
  pool = createJwePool(2);
  pool.replaceKeys([openingKey()]);
});
afterAll(() => pool.close());

const open = async (value: string) => (await pool.open(parseCompactJwe(value, 'x')))?.toString('utf8') ?? null;
const sealedByJose = (plaintext: string, header: object = {}) =>
  new CompactEncrypt(new TextEncoder().encode(plaintext))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'k1', ...header })
    .encrypt(publicKey);

test('jose opens what we seal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.string()), async (payload) => {
      const { plaintext, protectedHeader } = await compactDecrypt(sealTo(recipient, payload), privateKey);
      expect(protectedHeader).toEqual({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'k1' });
      expect(new TextDecoder().decode(plaintext)).toBe(JSON.stringify(payload));
    }),
    { numRuns: 50 },
  );
});

test('we open what jose seals', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 4_000 }), async (text) => {
      expect(await open(await sealedByJose(text))).toBe(Buffer.from(text).toString('utf8'));
    }),
    { numRuns: 50 },
  );
});

test('a header that asks for something else is not opened, though the cryptography is sound; names without effect do no harm', async () => {
  for (const header of [{ alg: 'RSA-OAEP' }, { enc: 'A128GCM' }, { kid: 'k2' }, { p2c: 1 }]) {
    expect([header, await open(await sealedByJose('{}', header))]).toEqual([header, null]);
  }
  for (const header of [{ typ: 'JOSE', cty: 'application/json' }, { jwk: { kty: 'RSA', n, e: 'AQAB' } }]) {
    expect([header, await open(await sealedByJose('{}', header))]).toEqual([header, '{}']);
  }
});

test('200 envelopes at once over two threads are all opened, each by its own', async () => {
  const texts = Array.from({ length: 200 }, (_, index) => `{"n":${index}}`);
  const sealed = texts.map((text) => sealTo(recipient, JSON.parse(text)));
  expect(await Promise.all(sealed.map(open))).toEqual(texts);
});

test('a key that was replaced opens nothing any more, one that joined does', async () => {
  const own = createJwePool(1);
  const sealed = parseCompactJwe(sealTo(recipient, { a: 1 }), 'x');
  own.replaceKeys([openingKey('other')]);
  expect(await own.open(sealed)).toBeNull();
  own.replaceKeys([openingKey('other'), openingKey()]);
  expect((await own.open(sealed))?.toString()).toBe('{"a":1}');
  own.replaceKeys([]);
  expect(await own.open(sealed)).toBeNull();
  await own.close();
  await expect(own.open(sealed)).rejects.toMatchObject({ code: 'unavailable' });
});

test('too many waiting envelopes are refused, not queued without end', async () => {
  const own = createJwePool(1);
  own.replaceKeys([openingKey()]);
  const sealed = parseCompactJwe(sealTo(recipient, {}), 'x');
  const all = await Promise.allSettled(Array.from({ length: 1_030 }, () => own.open(sealed)));
  const refused = all.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(6);
  await own.close();
});

test('canonical segments only', () => {
  const good = sealTo(recipient, {});
  expect(parseCompactJwe(good, 'x').protectedHeader).toBe(good.split('.')[0]);
  for (const bad of [
    '',
    '....',
    'AA.AA.AA.AA',
    'AA.AA.AA.AA.AA.AA',
    'AA.AA.AA.AA.',
    'AB.AA.AA.AA.AA',
    'AA.AAB.AA.AA.AA',
    'A.AA.AA.AA.AA',
    'AA=.AA.AA.AA.AA',
    'A+.AA.AA.AA.AA',
    'AA.AA.AA.AA.AA\n',
  ]) {
    expect(() => parseCompactJwe(bad, 'field')).toThrow(
      expect.objectContaining({ code: 'invalidInput', details: { field: 'field' } }),
    );
  }
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 5, maxLength: 5 }), (parts) => {
      parseCompactJwe(parts.map((part) => Buffer.from(part).toString('base64url')).join('.'), 'x');
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,9}$/), (segment) => {
      const isCanonical = Buffer.from(segment, 'base64url').toString('base64url') === segment;
      const parse = () => parseCompactJwe(`${segment}.AA.AA.AA.AA`, 'x');
      if (isCanonical) parse();
      else expect(parse).toThrow();
    }),
  );
});

test('kid of a header', () => {
  const kidOf = (header: string) => readKid(Buffer.from(header).toString('base64url'));
  expect(kidOf('{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":"a:b \\" c"}')).toBe('a:b " c');
  expect(kidOf('{ "kid" : "k", "enc":"A256GCM","alg":"RSA-OAEP-256" }')).toBe('k');
  const nested = [
    '"jwk":{"kty":"RSA","e":"AQAB"}',
    '"x":[{"a":{}},{"a":1}]',
    '"x":{"kid":"}{"}',
    '"x":{"zip":1,"zip":1}',
  ];
  const withMore = (more: string) => `{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":"k",${more}}`;
  for (const harmless of [
    '"typ":"JOSE","cty":"application/json"',
    '"iat":1795298162',
    '"x5c":["AA"],"x":"a:b"',
    ...nested,
  ]) {
    expect([harmless, kidOf(withMore(harmless))]).toEqual([harmless, 'k']);
  }
  for (const bad of [
    '{}',
    '[]',
    ...[
      '"zip":"DEF"',
      '"crit":["x"],"x":1',
      '"p2c":1',
      '"epk":{}',
      '"typ":"a","typ":"a"',
      '"jwk":{},"jwk":{}',
      '"x":{"a":1},"kid":"k"',
      '"__proto__":1,"zip":"DEF"',
    ].map(withMore),
    'null',
    '{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":"k","kid":"k"}',
    '{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":null}',
    '{"alg":"rsa-oaep-256","enc":"A256GCM","kid":"k"}',
  ]) {
    expect([bad, kidOf(bad)]).toEqual([bad, null]);
  }
});

test('JSON objects only', () => {
  expect(parseJsonObject(Buffer.from('{"a":1}'))).toEqual({ a: 1 });
  for (const bad of ['', 'null', '[]', '1', '"a"', '{', '\uFEFF']) expect(parseJsonObject(Buffer.from(bad))).toBeNull();
  expect(parseJsonObject(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBeNull();
});

test('recipients of one kid with different keys are told apart', async () => {
  const [a, b] = [newRecipient('same'), newRecipient('same')];
  for (const { privateKey, recipient: each } of [a, b, a]) await compactDecrypt(sealTo(each, {}), privateKey);
});

test('a modulus that somebody else has with another exponent is another key', async () => {
  const { privateKey, recipient: own } = newRecipient('own');
  sealTo({ ...own, kid: 'copied', e: 'AQAD' }, {});
  const { plaintext } = await compactDecrypt(sealTo(own, { a: 1 }), privateKey);
  expect(new TextDecoder().decode(plaintext)).toBe('{"a":1}');
});

test('threads suit the machine', () => {
  expect(threadsPerProcess({ CRYPTO_THREADS: 3, PROCESSES: 4 })).toBe(3);
  expect(threadsPerProcess({ CRYPTO_THREADS: 0, PROCESSES: 64 })).toBe(1);
  expect(threadsPerProcess({ CRYPTO_THREADS: 0, PROCESSES: 0 })).toBeGreaterThanOrEqual(1);
});
