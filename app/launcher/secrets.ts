// Keys that an installation needs and the operator did not set: the sandbox makes them once and keeps them in DATA_DIR (mode 0600).
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJsonFile, replaceJsonFile } from '../data-files';
import { StartFailure } from '../failure';
import { familyVariables } from '../keyring';

const names = [
  ...familyVariables.map(({ current }) => current),
  'CURSOR_KEY',
  'AUDIT_KEY',
  'SANDBOX_SEED',
  'SANDBOX_KEY',
] as const;
type Name = (typeof names)[number];
/** Without a meaning in production. */
const ofTheSandbox: readonly Name[] = ['SANDBOX_SEED', 'SANDBOX_KEY'];
const fileName = 'secrets.json';

/** `VAULT_KEY` is that of a former release, whose data keys are still to be moved (app/former-keys.ts). */
export type Secrets = Record<Name, string> & { VAULT_KEY: string };

/** What a release before 0.4 kept: one key for the vault, and what signed cursors and gave the sandbox's own tenants their credentials. */
type KeptSecrets = Partial<Secrets> & { INTERNAL_SECRET?: string };

/** `given` wins over what is kept; in production what it needs must be given. */
export function readSecrets(dataDir: string, mode: 'sandbox' | 'production', given: Partial<Secrets>): Secrets {
  if (mode === 'production') {
    const missing = names.filter((name) => !ofTheSandbox.includes(name) && !given[name]);
    if (missing.length === 0) return secretsOf((name) => given[name] ?? '');
    throw new StartFailure(
      `MODE=production makes no keys by itself: set ${missing.join(', ')} (32 random bytes each, base64: openssl rand -base64 32).`,
    );
  }
  const path = join(dataDir, fileName);
  const kept = (readJsonFile(path) ?? {}) as KeptSecrets;
  const known: Partial<Secrets> = { ...fromFormer(kept), ...kept };
  const made = secretsOf((name) => known[name] ?? (name === 'VAULT_KEY' ? '' : newSecret(name)));
  if ('INTERNAL_SECRET' in kept || names.some((name) => kept[name] !== made[name])) replaceJsonFile(path, made, 0o600);
  return secretsOf((name) => given[name] || made[name]);
}

/** Cursors that subscribers hold and credentials that were handed out go on working. */
function fromFormer({ INTERNAL_SECRET: secret }: KeptSecrets): Partial<Secrets> {
  return secret ? { CURSOR_KEY: secret, SANDBOX_SEED: secret } : {};
}

function secretsOf(read: (name: keyof Secrets) => string): Secrets {
  return Object.fromEntries([...names, 'VAULT_KEY' as const].map((name) => [name, read(name)])) as Secrets;
}

/** What the sandbox keeps under that name; empty where it keeps nothing. */
export function keptSecret(dataDir: string, name: Name): string {
  return ((readJsonFile(join(dataDir, fileName)) ?? {}) as KeptSecrets)[name] ?? '';
}

/** From now on these are the keys that starts in the sandbox take from DATA_DIR: after a roll-over, or when a former one has no use any more. */
export function keepSecrets(dataDir: string, changed: Partial<Secrets>): void {
  const path = join(dataDir, fileName);
  const kept = readJsonFile(path) as Partial<Secrets> | undefined;
  if (kept) replaceJsonFile(path, { ...kept, ...changed }, 0o600);
}

function newSecret(name: Name): string {
  return randomBytes(32).toString(name === 'SANDBOX_KEY' ? 'base64url' : 'base64');
}
