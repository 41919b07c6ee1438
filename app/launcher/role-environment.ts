// Which process is told what: keys and addresses by role, as one table. What it does not name is a setting, no secret, and told to all.
import { variables } from '../../subgraphs/shared/config';
import type { KeyFamily } from '../../subgraphs/shared/crypto/sealed-fields';
import { familyVariables } from '../keyring';

export type EnvironmentVariables = Record<string, string>;

/** Variables that open, sign or reach something; a role has those of its row and no others. */
const stores = ['MONGODB_URI', 'REDIS_URL'];
const receiver = [...stores, 'INTERNAL_PUBLIC_KEYS'];
const sender = [...stores, 'INTERNAL_PRIVATE_KEY', 'SUBGRAPH_URLS'];
const cards = vaultKeys('cards');
const secrets = vaultKeys('secrets');
const credentials = vaultKeys('credentials');
const results = vaultKeys('results');
const everyKey = [...cards, ...secrets, ...credentials, ...results];

/** By the word of ROLES. */
export const confidential: Readonly<Record<string, readonly string[]>> = {
  all: [
    ...stores,
    ...everyKey,
    'CURSOR_KEY',
    'AUDIT_KEY',
    'SANDBOX_SEED',
    'SANDBOX_KEY',
    'SMTP_URL',
    'OIDC_CLIENT_SECRET',
  ],
  prepare: [...stores, ...everyKey, 'VAULT_KEY', 'SANDBOX_SEED', 'SANDBOX_KEY'],
  'subgraph:access': [...receiver, ...credentials],
  'subgraph:merchants': [...receiver, ...results],
  'subgraph:tokenization': [...receiver, ...cards],
  'subgraph:payments': [...receiver, ...cards, ...secrets],
  'subgraph:notifications': [...receiver, ...secrets, 'CURSOR_KEY'],
  'subgraph:onboarding': [...receiver, ...secrets],
  'subgraph:reporting': [...receiver, ...results],
  authorization: [...stores, ...credentials],
  'rest-facade': [...sender, ...credentials, 'SANDBOX_KEY'],
  gateway: [...sender, 'CURSOR_KEY', 'OIDC_CLIENT_SECRET'],
  pages: [...sender, 'SANDBOX_SEED', 'SANDBOX_KEY'],
  'worker:outbox': stores,
  'worker:callback': [...stores, ...secrets],
  'worker:janitor': [...stores, ...secrets, 'SMTP_URL'],
  'worker:journal': [...stores, 'AUDIT_KEY'],
  // No role of ROLES: what only the launcher and `database:users` know.
  launcher: ['MONGODB_PASSWORDS'],
};

function vaultKeys(family: KeyFamily): string[] {
  return familyVariables.flatMap((each) => (each.family === family ? [each.current, each.previous] : []));
}

/** Every name that is confidential for some role. */
export const confidentialNames: ReadonlySet<string> = new Set(Object.values(confidential).flat());

/** Names of the system that a process may need: where programs and certificates lie, how text and time are spelled, flags of the runtime. */
const ofTheSystem =
  /^(PATH|HOME|USER|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|SSL_CERT_(FILE|DIR)|NODE_[A-Z0-9_]+|SystemRoot)$/;

/** What of `given` the process with those ROLES is told. */
export function environmentOf(roles: string, given: Readonly<NodeJS.ProcessEnv>): EnvironmentVariables {
  const own = new Set(roles.split(',').flatMap((role) => confidential[role.trim()] ?? []));
  const isToldTo = (name: string) =>
    confidentialNames.has(name) ? own.has(name) : Object.hasOwn(variables, name) || ofTheSystem.test(name);
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined && isToldTo(entry[0])),
  );
}

/** Takes everything but the system's names out of this process's environment: what is started from now on would inherit it. */
export function forgetOwnEnvironment(): void {
  for (const name of Object.keys(process.env)) if (!ofTheSystem.test(name)) delete process.env[name];
}
