// Which process is told what: keys and addresses by role, as one table. What it does not name is a setting, no secret, and told to all.
import { variables } from '../subgraphs/shared/config';

export type Environment = Record<string, string>;

/** Variables that open, sign or reach something; a role has those of its row and no others. */
const stores = ['MONGODB_URI', 'REDIS_URL'];
const receiver = [...stores, 'INTERNAL_PUBLIC_KEYS'];
const sender = [...stores, 'INTERNAL_PRIVATE_KEY', 'SUBGRAPH_URLS'];
const vaultKey = ['VAULT_KEY', 'VAULT_KEY_PREVIOUS'];

/** By the word of ROLES. */
export const confidential: Readonly<Record<string, readonly string[]>> = {
  all: [...stores, ...vaultKey, 'CURSOR_KEY', 'SANDBOX_SEED', 'SANDBOX_KEY', 'SMTP_URL'],
  prepare: [...stores, ...vaultKey, 'CURSOR_KEY', 'SANDBOX_SEED', 'SANDBOX_KEY'],
  'subgraph:access': [...receiver, ...vaultKey],
  'subgraph:merchants': [...receiver, ...vaultKey],
  'subgraph:tokenization': [...receiver, ...vaultKey],
  'subgraph:payments': [...receiver, ...vaultKey],
  'subgraph:notifications': [...receiver, ...vaultKey, 'CURSOR_KEY'],
  'subgraph:onboarding': [...receiver, ...vaultKey],
  'subgraph:reporting': [...receiver, ...vaultKey],
  authorization: [...stores, ...vaultKey],
  'rest-facade': [...sender, ...vaultKey, 'SANDBOX_KEY'],
  gateway: [...sender, 'CURSOR_KEY', ...vaultKey],
  pages: [...sender, 'SANDBOX_SEED', 'SANDBOX_KEY', ...vaultKey],
  'worker:outbox': [...stores, ...vaultKey],
  'worker:callback': [...stores, ...vaultKey],
  'worker:janitor': [...stores, ...vaultKey, 'SMTP_URL'],
  'worker:journal': [...stores, ...vaultKey],
};

/** Every name that is confidential for some role. */
export const confidentialNames: ReadonlySet<string> = new Set(Object.values(confidential).flat());

/** Names of the system that a process may need: where programs and certificates lie, how text and time are spelled, flags of the runtime. */
const ofTheSystem =
  /^(PATH|HOME|USER|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|SSL_CERT_(FILE|DIR)|NODE_[A-Z0-9_]+|SystemRoot)$/;

/** What of `given` the process with those ROLES is told. */
export function environmentOf(roles: string, given: Readonly<NodeJS.ProcessEnv>): Environment {
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
