// Keys that are none: what production refuses to start with, by the name of the variable and never by the value.
import { createHash, randomBytes } from 'node:crypto';
import { readConfig } from '../../subgraphs/shared/config';
import { keyFaults } from '../../subgraphs/shared/crypto/key-strength';

const good = (name: string) => createHash('sha256').update(name).digest('base64');
const half = randomBytes(16);

test.each<[string, string, string]>([
  ['all zero', Buffer.alloc(32).toString('base64'), 'VAULT_KEY_CARDS is a shorter key written twice'],
  ['short', randomBytes(16).toString('base64'), 'VAULT_KEY_CARDS has 16 bytes; expected 32, base64'],
  ['long', randomBytes(33).toString('base64'), 'VAULT_KEY_CARDS has 33 bytes; expected 32, base64'],
  [
    'half of it twice',
    Buffer.concat([half, half]).toString('base64'),
    'VAULT_KEY_CARDS is a shorter key written twice',
  ],
  [
    'few different bytes',
    Buffer.from('0123456789'.repeat(4).slice(0, 32)).toString('base64'),
    'VAULT_KEY_CARDS is not random: make it with openssl rand -base64 32',
  ],
  ['that of another variable', good('CURSOR_KEY'), 'CURSOR_KEY is the same as VAULT_KEY_CARDS'],
])('a key that is %s is no key of production', (_why, key, fault) => {
  const keys = { VAULT_KEY_CARDS: key, CURSOR_KEY: good('CURSOR_KEY') };
  expect(keyFaults(keys)).toEqual([fault]);
  expect(() => readConfig({ MODE: 'production', ...keys })).toThrow(`The configuration is wrong:\n  ${fault}`);
  expect(readConfig({ MODE: 'sandbox', ...keys })).toMatchObject(keys);
  expect(fault).not.toContain(key);
});

test('random keys have no fault', () => {
  for (let round = 0; round < 2_000; round += 1)
    expect(keyFaults({ one: randomBytes(32).toString('base64'), two: randomBytes(32).toString('base64') })).toEqual([]);
});
