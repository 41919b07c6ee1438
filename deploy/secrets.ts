// Keys that an installation needs and the operator did not set: the sandbox makes them once and keeps them in DATA_DIR (mode 0600).
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StartFailure } from './failure';
import { readJsonFile, replaceJsonFile } from './json-file';

const names = ['VAULT_KEY', 'INTERNAL_SECRET', 'SANDBOX_KEY'] as const;
const fileName = 'secrets.json';
export type Secrets = Record<(typeof names)[number], string>;

/** `given` wins over what is kept; in production the two keys must be given (the sandbox key has no meaning there). */
export function readSecrets(dataDir: string, mode: 'sandbox' | 'production', given: Secrets): Secrets {
  if (mode === 'production') {
    const missing = names.filter((name) => name !== 'SANDBOX_KEY' && !given[name]);
    if (missing.length === 0) return given;
    throw new StartFailure(
      `MODE=production makes no keys by itself: set ${missing.join(' and ')} (32 random bytes each, base64: openssl rand -base64 32).`,
    );
  }
  const path = join(dataDir, fileName);
  const kept = (readJsonFile(path) ?? {}) as Partial<Secrets>;
  const made = Object.fromEntries(names.map((name) => [name, kept[name] ?? newSecret(name)])) as Secrets;
  if (names.some((name) => kept[name] !== made[name])) replaceJsonFile(path, made, 0o600);
  return Object.fromEntries(names.map((name) => [name, given[name] || made[name]])) as Secrets;
}

/** After a roll-over in the sandbox: from now on this is the key that starts take from DATA_DIR. */
export function keepVaultKey(dataDir: string, key: string): void {
  const path = join(dataDir, fileName);
  const kept = readJsonFile(path) as Partial<Secrets> | undefined;
  if (kept && kept.VAULT_KEY !== key) replaceJsonFile(path, { ...kept, VAULT_KEY: key }, 0o600);
}

function newSecret(name: keyof Secrets): string {
  return randomBytes(32).toString(name === 'SANDBOX_KEY' ? 'base64url' : 'base64');
}
