// `pay jwe`: what it seals opens with the private key, what it cannot use it refuses with code 3, and no key material is ever printed.
import { compactDecrypt, decodeProtectedHeader, importJWK } from 'jose';
import { type MiniaturePlatform, openPlatform, privateJwk } from './platform';
import { bundleCommandLine, type Ended, runCommand, temporaryFile } from './running';

const card = { account: '4242424242424242', accountExpiry: '122031', name: 'Zoë Müller' };
let pay: (args: string[], input?: string) => Promise<Ended>;
let platform: MiniaturePlatform;

beforeAll(async () => {
  const file = bundleCommandLine();
  platform = await openPlatform();
  pay = (args, input) => runCommand(file, ['--credentials', platform.credentialsPath, ...args], input);
});
afterAll(() => platform.close());

describe('seal', () => {
  it('prints one compact JWE with exactly alg, enc and kid, which the private key opens', async () => {
    const ended = await pay(['jwe', 'seal', '-'], JSON.stringify(card));
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const compact = ended.stdout.trimEnd();
    expect(decodeProtectedHeader(compact)).toEqual({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: privateJwk.kid });
    const { plaintext } = await compactDecrypt(compact, await importJWK(privateJwk, 'RSA-OAEP-256'));
    expect(JSON.parse(new TextDecoder().decode(plaintext))).toEqual(card);
  });

  it('reads a file and an explicit key set, and then needs no credentials file', async () => {
    const ended = await pay([
      '--credentials',
      '/nowhere.json',
      '--json',
      'jwe',
      'seal',
      temporaryFile('card.json', JSON.stringify(card)),
      '--jwks',
      `${platform.origin}/.well-known/jwks.json`,
    ]);
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toEqual({
      encryptedData: expect.stringMatching(/^[\w-]+(\.[\w-]+){4}$/),
      kid: privateJwk.kid,
    });
  });

  it.each([
    ['no JSON', 'card number 4242', 'not a JSON object'],
    ['an array', '[1]', 'not a JSON object'],
    ['nothing', '', 'not a JSON object'],
  ])('refuses %s with code 3 and does not repeat it', async (_case, input, message) => {
    const ended = await pay(['jwe', 'seal', '-'], input);
    expect(ended).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(message) });
    expect(ended.stderr).not.toContain('4242');
  });

  it('refuses a key set without an encryption key with code 5', async () => {
    platform.override = ({ path }) =>
      path === '/.well-known/jwks.json' ? { json: { keys: [{ kty: 'EC', use: 'sig' }] } } : null;
    const ended = await pay(['jwe', 'seal', '-'], JSON.stringify(card));
    platform.override = () => null;
    expect(ended).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining('no RSA key') });
  });
});

describe('open', () => {
  const sealed = async () => (await pay(['jwe', 'seal', '-'], JSON.stringify(card))).stdout.trimEnd();

  it.each([
    ['the compact form', (compact: string) => compact],
    [
      'the answer that carries it',
      (compact: string) => JSON.stringify({ virtualAccountId: 'x', encryptedData: compact }),
    ],
  ])('opens %s from stdin with the key of the tenant', async (_case, wrap) => {
    const ended = await pay(['jwe', 'open', '-'], wrap(await sealed()));
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toEqual(card);
  });

  it('opens an argument with a key from a file, a JWK or a set of them', async () => {
    const compact = await sealed();
    for (const content of [privateJwk, { keys: [privateJwk] }]) {
      const ended = await pay(['jwe', 'open', compact, '--key', temporaryFile('key.json', JSON.stringify(content))]);
      expect(JSON.parse(ended.stdout)).toEqual(card);
    }
  });

  it.each<[string, (compact: string) => string, string]>([
    ['one changed character', (compact) => flip(compact), 'does not open'],
    ['four segments', (compact) => compact.split('.').slice(0, 4).join('.'), 'does not open'],
    ['a refusal of the platform', () => '{"errorCode":"MTS-1612"}', 'MTS-1612'],
    ['another JSON object', () => '{"virtualAccountId":"x"}', 'no field encryptedData'],
  ])('refuses %s with code 3 and prints no key', async (_case, change, message) => {
    const ended = await pay(['jwe', 'open', '-'], change(await sealed()));
    expect(ended).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(message) });
    expect(ended.stderr).not.toContain(String(privateJwk.d));
  });

  it('refuses a public key and an unknown tenant with code 3', async () => {
    const { d: _private, ...publicOnly } = privateJwk;
    const withPublic = await pay([
      'jwe',
      'open',
      'a.b.c.d.e',
      '--key',
      temporaryFile('key.json', JSON.stringify(publicOnly)),
    ]);
    expect(withPublic).toMatchObject({ code: 3, stderr: expect.stringContaining('no private RSA key') });
    const ofNobody = await pay(['jwe', 'open', 'a.b.c.d.e', '--tenant', 'gamma']);
    expect(ofNobody).toMatchObject({ code: 3, stderr: expect.stringContaining('has alpha') });
  });
});

function flip(compact: string): string {
  const segments = compact.split('.');
  const ciphertext = segments[3] ?? '';
  segments[3] = (ciphertext.startsWith('A') ? 'B' : 'A') + ciphertext.slice(1);
  return segments.join('.');
}
