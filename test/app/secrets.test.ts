// The keys of an installation: made once in the sandbox, taken over from former releases, and given ones never written down.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSecrets } from '../../app/launcher/secrets';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const someKey = () => randomBytes(32).toString('base64');

test('the sandbox makes keys once and keeps them; given ones win and are not written down', () => {
  const first = readSecrets(dataDir, 'sandbox', {});
  expect(Buffer.from(first.VAULT_KEY_CARDS, 'base64')).toHaveLength(32);
  expect(readSecrets(dataDir, 'sandbox', {})).toEqual(first);
  expect(readSecrets(dataDir, 'sandbox', { SANDBOX_KEY: 'mine' }).SANDBOX_KEY).toBe('mine');
  expect(readSecrets(dataDir, 'sandbox', {})).toEqual(first);
});

test('what a former release kept goes on as what it was used for', () => {
  const former = { VAULT_KEY: someKey(), INTERNAL_SECRET: someKey(), SANDBOX_KEY: 'kept' };
  const path = join(dataDir, 'secrets.json');
  writeFileSync(path, JSON.stringify(former));
  expect(readSecrets(dataDir, 'sandbox', {})).toMatchObject({
    VAULT_KEY: former.VAULT_KEY,
    SANDBOX_KEY: 'kept',
    CURSOR_KEY: former.INTERNAL_SECRET,
    SANDBOX_SEED: former.INTERNAL_SECRET,
  });
  expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')))).not.toContain('INTERNAL_SECRET');
});
