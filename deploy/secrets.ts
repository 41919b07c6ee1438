// Keys that an installation needs and the operator did not set: the sandbox makes them once and keeps them in DATA_DIR (mode 0600).
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StartFailure } from './failure';
import { readJsonFile, replaceJsonFile } from './json-file';

const names = ['VAULT_KEY', 'CURSOR_KEY', 'SANDBOX_SEED', 'SANDBOX_KEY'] as const;
/** Without a meaning in production. */
const ofTheSandbox: readonly string[] = ['SANDBOX_SEED', 'SANDBOX_KEY'];
const fileName = 'secrets.json';
export type Secrets = Record<(typeof names)[number], string>;

/** What a release before 0.4 kept. */
interface Former {
  /** Signed cursors, and the credentials of the sandbox's own tenants were derived from it. */
  INTERNAL_SECRET?: string;
}

/** `given` wins over what is kept; in production what it needs must be given. */
export function readSecrets(dataDir: string, mode: 'sandbox' | 'production', given: Secrets): Secrets {
  if (mode === 'production') {
    const missing = names.filter((name) => !ofTheSandbox.includes(name) && !given[name]);
    if (missing.length === 0) return only(given);
    throw new StartFailure(
      `MODE=production makes no keys by itself: set ${missing.join(' and ')} (32 random bytes each, base64: openssl rand -base64 32).`,
    );
  }
  const path = join(dataDir, fileName);
  const kept = (readJsonFile(path) ?? {}) as Partial<Secrets> & Former;
  const known: Partial<Secrets> = { ...fromFormer(kept), ...kept };
  const made = Object.fromEntries(names.map((name) => [name, known[name] ?? newSecret(name)])) as Secrets;
  if ('INTERNAL_SECRET' in kept || names.some((name) => kept[name] !== made[name])) replaceJsonFile(path, made, 0o600);
  return Object.fromEntries(names.map((name) => [name, given[name] || made[name]])) as Secrets;
}

/** Cursors that subscribers hold and credentials that were handed out go on working. */
function fromFormer({ INTERNAL_SECRET: secret }: Former): Partial<Secrets> {
  return secret ? { CURSOR_KEY: secret, SANDBOX_SEED: secret } : {};
}

function only(given: Secrets): Secrets {
  return Object.fromEntries(names.map((name) => [name, given[name]])) as Secrets;
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
