// What operators do from a shell: `npm run operator:create`, `npm run keys:roll`, `npm run vault:rewrap`, `vault:rotate`, `vault:destroy`, `npm run journal:rebuild` and `figures:rebuild` (one bundle for all).
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartFailure } from '../../app/failure';
import { familyVariables } from '../../app/keyring';
import { keepSecrets } from '../../app/launcher/secrets';
import { runForOperator } from '../../app/operator-session';
import type { Platform } from '../../app/platform';
import { sandboxAddresses } from '../../app/sandbox-secrets';
import { systemCaller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { staffRoles } from '../../subgraphs/shared/callers/rights';
import { newId } from '../../subgraphs/shared/ids';
import { whileFeedStands } from '../../workers';

const commands: Record<string, (platform: Platform) => Promise<string>> = {
  create: createOperator,
  'roll-keys': rollKeys,
  'rewrap-vault': rewrapVault,
  'rotate-vault': rotateVault,
  'destroy-data': destroyData,
  'rebuild-journal': rebuildJournal,
  'rebuild-figures': rebuildAllFigures,
};

const { values, positionals } = asked();
const command = commands[positionals[0] ?? ''];
const names = Object.keys(commands);
// `npm run` says more (tools/command-help.mjs); in a container nobody stands in front of this file.
if (values.help) process.stdout.write(`Usage: node dist/operator.js ${names.join(' | ')} [options]\n`);
else if (command) void runForOperator(`operator ${positionals[0]}`, command);
else {
  process.stderr.write(`Unknown command: expected one of ${names.join(', ')}.\n`);
  process.exitCode = 2;
}

/** The command line; ends the process with one line when it has an option that nobody knows. */
function asked() {
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    label: { type: 'string', default: 'operator' },
    role: { type: 'string', default: 'administrator' },
    account: { type: 'string' },
    apply: flag,
    yes: flag,
    help: flag,
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(2);
  }
}

/** `-- --label <name> [--role <role>]`: a graph client of internal staff with every right, or those of a role, its secret shown once; the way into a fresh production installation. */
async function createOperator({ access, config }: Platform): Promise<string> {
  const role = staffRoles.find((each) => each === values.role);
  if (!role) throw new StartFailure(`There is no role ${values.role}: expected one of ${staffRoles.join(', ')}.`);
  const clientId = `operator-${randomBytes(6).toString('hex')}`;
  const clientSecret = randomBytes(32).toString('base64url');
  await access.seedClient({
    clientId,
    clientSecret,
    label: values.label,
    family: 'graph',
    accountId: null,
    scopes: ['graph:read', role === 'administrator' ? 'graph:admin' : `graph:${role}`],
    identifiers: [],
  });
  const { auth, graph } = sandboxAddresses(config);
  return JSON.stringify({ clientId, clientSecret, urls: { auth, graph } }, null, 2);
}

/** A new current key at /.well-known/jwks.json; the former one still opens until it is retired (tokenization interface, JWE format). */
async function rollKeys({ config, tokenization }: Platform): Promise<string> {
  const caller = systemCaller(config.environment, 'keys:roll');
  const keys = await tokenization.rollDecryptionKey(requestContext(caller, newId()));
  return keys.map(({ kid, state }) => `${kid} ${state}`).join('\n');
}

/** Wraps every data key with its family's key (VAULT_KEY_<FAMILY>_PREVIOUS opens what the former one wrapped); sealed values are not touched. */
async function rewrapVault({ config, vault }: Platform): Promise<string> {
  const count = await vault.rewrap();
  // The sandbox's next start takes its key from DATA_DIR, where the former one is still kept.
  if (config.isSandbox)
    keepSecrets(
      resolve(config.DATA_DIR),
      Object.fromEntries(familyVariables.map(({ current }) => [current, config[current]])),
    );
  return `${count} data keys were wrapped anew.`;
}

/** A new data key for every account, or `-- --account <id>`: what is sealed from then on takes it; what was sealed before opens as ever. */
async function rotateVault({ vault }: Platform): Promise<string> {
  const count = await vault.rotate(values.account);
  return `${count} data keys were followed by new ones, within a second in every process.`;
}

/** `-- --account <id> --yes`: destroys the account's data keys; nothing that they sealed can be read again, by anybody. */
async function destroyData({ access, config, inTransaction, merchants, vault }: Platform): Promise<string> {
  if (!values.account || !values.yes)
    throw new StartFailure(
      'What is destroyed cannot be read again: say whose by --account <id>, and that you mean it by --yes.',
    );
  // Others have keys too: those of hashes, without which nothing is found again, and of kept answers.
  if (!(await merchants.isAccount(config.environment, values.account)))
    throw new StartFailure(`There is no account ${values.account}: nothing was destroyed.`);
  const context = requestContext(systemCaller(config.environment, 'vault:destroy'), newId());
  const subject = { subjectType: 'account', subjectId: values.account, accountId: values.account };
  const record = access.audit(context, { action: 'account.dataDestroyed', ...subject, changes: [] });
  // Recorded before it is done: killed in between it leaves a record too many, never a destruction that nobody was told of.
  await inTransaction({ inserts: [record] });
  const count = await vault.destroy(values.account);
  return `${count} data keys of ${values.account} are gone; within a second nothing that they sealed opens in any process.`;
}

/** The journal again from the event log, compared with the one in use; `-- --apply` puts it in its place. The feed stands still meanwhile. */
async function rebuildJournal({ connection, reporting }: Platform): Promise<string> {
  const { entries, payouts, events, differences } = await whileFeedStands(connection, 'journal', () =>
    reporting.rebuild(values.apply),
  );
  const made = `${entries} entries and ${payouts} payouts were made from ${events} events of the log`;
  if (differences.length > 0) process.exitCode = values.apply ? 0 : 1;
  const found = differences.length === 0 ? 'identical with the books in use' : 'not the books in use:';
  const applied = values.apply ? ['The rebuilt books are in use now.'] : [];
  return [`${made}: ${found}`, ...differences, ...applied].join('\n');
}

/** The figures again from the event log, compared with those in use; `-- --apply` puts them in their place. Their feed stands still meanwhile, that of the journal does not. */
async function rebuildAllFigures({ connection, reporting }: Platform): Promise<string> {
  const { made, events, differences } = await whileFeedStands(connection, 'figures', () =>
    reporting.rebuildFigures(values.apply),
  );
  if (differences.length > 0) process.exitCode = values.apply ? 0 : 1;
  const found = differences.length === 0 ? 'identical with those in use' : 'not those in use:';
  const applied = values.apply ? ['The rebuilt figures are in use now.'] : [];
  const line = `${made['metric_sums'] ?? 0} sums were made from ${events} events of the log: ${found}`;
  return [line, ...differences, ...applied].join('\n');
}
