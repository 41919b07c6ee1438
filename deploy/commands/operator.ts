// What operators do from a shell: `npm run operator:create`, `npm run keys:roll`, `npm run vault:rewrap` and `npm run journal:rebuild` (one bundle for all).
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { systemCaller } from '../../subgraphs/shared/caller';
import { requestContext } from '../../subgraphs/shared/context';
import { newId } from '../../subgraphs/shared/ids';
import { whileJournalStands } from '../../workers';
import { runForOperator } from '../operator-session';
import type { Platform } from '../platform';
import { sandboxAddresses } from '../sandbox-secrets';
import { keepVaultKey } from '../secrets';

const commands: Record<string, (platform: Platform) => Promise<string>> = {
  create: createOperator,
  'roll-keys': rollKeys,
  'rewrap-vault': rewrapVault,
  'rebuild-journal': rebuildJournal,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { label: { type: 'string', default: 'operator' }, apply: { type: 'boolean', default: false } },
});
const command = commands[positionals[0] ?? ''];
if (command) void runForOperator(`operator ${positionals[0]}`, command);
else {
  process.stderr.write(`Unknown command: expected one of ${Object.keys(commands).join(', ')}.\n`);
  process.exitCode = 2;
}

/** `-- --label <name>`: a graph client with every right of internal staff, its secret shown once; the way into a fresh production installation. */
async function createOperator({ access, config }: Platform): Promise<string> {
  const clientId = `operator-${randomBytes(6).toString('hex')}`;
  const clientSecret = randomBytes(32).toString('base64url');
  await access.seedClient({
    clientId,
    clientSecret,
    label: values.label,
    family: 'graph',
    accountId: null,
    scopes: ['graph:read', 'graph:admin'],
    identifiers: [],
  });
  const { auth, graph } = sandboxAddresses(config);
  return JSON.stringify({ clientId, clientSecret, urls: { auth, graph } }, null, 2);
}

/** A new current key at /.well-known/jwks.json; the former one still opens until it is retired (document 1, JWE format). */
async function rollKeys({ config, tokenization }: Platform): Promise<string> {
  const caller = systemCaller(config.environment, 'keys:roll');
  const keys = await tokenization.rollDecryptionKey(requestContext(caller, newId()));
  return keys.map(({ kid, state }) => `${kid} ${state}`).join('\n');
}

/** Wraps every data key with VAULT_KEY (VAULT_KEY_PREVIOUS opens what the former one wrapped); sealed values are not touched. */
async function rewrapVault({ config, vault }: Platform): Promise<string> {
  const count = await vault.rewrap();
  // The sandbox's next start takes its key from DATA_DIR, where the former one is still kept.
  if (config.isSandbox) keepVaultKey(resolve(config.DATA_DIR), config.VAULT_KEY);
  return `${count} data keys were wrapped anew.`;
}

/** The journal again from the event log, compared with the one in use; `-- --apply` puts it in its place. The feed stands still meanwhile. */
async function rebuildJournal({ connection, reporting }: Platform): Promise<string> {
  const { entries, payouts, position, differences } = await whileJournalStands(connection, () =>
    reporting.rebuild(values.apply),
  );
  const made = `${entries} entries and ${payouts} payouts were made from the log up to position ${position}`;
  if (differences.length > 0) process.exitCode = values.apply ? 0 : 1;
  const found = differences.length === 0 ? 'identical with the books in use' : 'not the books in use:';
  const applied = values.apply ? ['The rebuilt books are in use now.'] : [];
  return [`${made}: ${found}`, ...differences, ...applied].join('\n');
}
