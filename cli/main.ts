#!/usr/bin/env node
// `pay`: the partner's command line for a running installation (built to dist/cli.js): seal and open JWE, tokens, cards, live events, a doctor.
import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { requestToken, type TenantClient, tenantClients } from './access-token';
import { addAudit } from './audit';
import { printCards } from './cards';
import { type Credentials, readCredentials, readPrivateJwk, tenantOf } from './credentials';
import { examine } from './doctor';
import { eventKinds, resend, type TailOptions, tail } from './events';
import { CommandFailure, exitCodes } from './failure';
import { currentKey, open, seal } from './jwe';
import { addProposals } from './proposals';
import { filledInFor, referenceApis, referenceLink } from './reference';
import { addSetup } from './setup';
import { type CommandLine, createTerminal, readStdin } from './terminal';

interface GlobalOptions {
  json: boolean;
  credentials: string;
}

const examples = `
Examples:
  $ echo '{"account":"4242424242424242","accountExpiry":"122031"}' | pay jwe seal -
  $ curl ... | pay jwe open -
  $ pay token --tenant alpha --client payments
  $ pay events tail --merchant merchant-alpha-1 --after <cursor>
  $ pay events tail --merchant merchant-alpha-1 --of operations
  $ pay events resend <callbackId>
  $ pay account create gamma --name 'Gamma Ltd'
  $ pay reference --tenant beta --api payments
  $ pay doctor
  $ pay audit verify
  $ pay proposal list

Exit codes: 0 done, 1 a check failed, 2 wrong usage, 3 unusable input, 4 refused by the platform, 5 platform unreachable or unavailable.`;

const program = new Command('pay')
  .description('Command line of an installation: everything that curl alone cannot do.')
  .option('--json', 'print JSON, one value per line', false)
  .option('--credentials <file>', 'the credentials file of the installation', '.data/sandbox-credentials.json')
  .addHelpText('after', examples)
  .showSuggestionAfterError()
  .showHelpAfterError('(pay --help shows the commands)')
  .exitOverride();

const jwe = program.command('jwe').description('seal card data, open results');

jwe
  .command('seal')
  .description('encrypt a JSON object to the platform and print the compact JWE')
  .argument('<file>', 'file with the JSON object, - for stdin')
  .option('--jwks <url>', "the platform's key set (default: the one of the credentials file)")
  .action((file: string, options: { jwks?: string }, command: Command) =>
    run(command, async ({ terminal, credentials }) => {
      const payload = await textOf(file);
      const jwksUrl = options.jwks ?? `${credentials().urls.rest}/.well-known/jwks.json`;
      const sealed = await seal(payload, await currentKey(jwksUrl));
      terminal.print(sealed.encryptedData, sealed);
    }),
  );

jwe
  .command('open')
  .description('decrypt a compact JWE, or the JSON answer that carries one, and print its payload')
  .argument('<compact>', 'the compact JWE, - for stdin')
  .option('--key <file>', 'file with the private key as a JWK')
  .option('--tenant <name>', 'open with the key of this sandbox tenant', 'alpha')
  .action((compact: string, options: { key?: string; tenant: string }, command: Command) =>
    run(command, async ({ terminal, credentials }) => {
      const input = compact === '-' ? await readStdin() : compact;
      const key = options.key
        ? readPrivateJwk(options.key)
        : tenantOf(credentials(), options.tenant).tokenization.privateJwk;
      const payload = await open(input, key);
      terminal.print(payload, JSON.parse(payload));
    }),
  );

program
  .command('token')
  .description('print an access token')
  .addOption(new Option('--tenant <name>', 'of a client of this tenant').default('alpha'))
  .addOption(
    new Option('--client <family>', 'which of its clients').choices([...tenantClients]).default('tokenization'),
  )
  .addOption(new Option('--graph <client>', 'of a graph client instead').choices(['admin', 'operator', 'viewer']))
  .option('--scope <scopes>', 'ask for these scopes only, separated by spaces')
  .action((options: TokenOptions, command: Command) =>
    run(command, async ({ terminal, credentials }) => {
      const { graph, tenant, client } = options;
      const owner = graph ? { graph } : { tenant, client };
      const token = await requestToken(credentials(), owner, options.scope);
      terminal.print(token.accessToken, token);
    }),
  );

program
  .command('explorer')
  .description('print a link that opens the graph explorer with an access token of its own')
  .addOption(new Option('--graph <client>', 'whose').choices(['admin', 'operator', 'viewer']).default('admin'))
  .action(({ graph }: { graph: 'admin' | 'operator' | 'viewer' }, command: Command) =>
    run(command, async ({ terminal, credentials }) => {
      const { accessToken } = await requestToken(credentials(), { graph });
      const link = `${credentials().urls.graph}#token=${encodeURIComponent(accessToken)}`;
      terminal.print(link, { link });
    }),
  );

program
  .command('reference')
  .description('print a link that opens the API reference with sandbox credentials filled in')
  .option('--tenant <name>', 'whose', 'alpha')
  .addOption(new Option('--api <name>', 'which is opened first').choices(referenceApis).default('checkout'))
  .action(({ tenant, api }: { tenant: string; api: string }, command: Command) =>
    run(command, async ({ terminal, credentials }) => {
      const link = referenceLink(credentials(), api, await filledInFor(credentials(), tenant));
      terminal.print(link, { link });
    }),
  );

program
  .command('cards')
  .description('list the test cards and what each of them does')
  .action((_options: object, command: Command) =>
    run(command, ({ terminal, credentials }) => printCards(credentials(), terminal)),
  );

const events = program.command('events').description('follow the events of tokens or operations, send callbacks again');

events
  .command('tail')
  .description('print the events of a merchant, resuming by cursor after every lost connection')
  .requiredOption('--merchant <id>', 'merchant identifier (tenants.X.merchantId of the credentials file)')
  .addOption(new Option('--of <what>', 'whose events').choices([...eventKinds]).default('tokens'))
  .option('--after <cursor>', 'replay everything after this cursor first (default: live from now)')
  .option('--count <n>', 'end after that many items', parseCount)
  .option('--once', 'end when the connection is lost, do not come back', false)
  .action((options: Omit<TailOptions, 'merchantId'> & { merchant: string }, command: Command) =>
    run(command, ({ terminal, credentials }) =>
      tail(credentials(), { ...options, merchantId: options.merchant }, terminal),
    ),
  );

events
  .command('resend')
  .description('send one callback or merchant notification again, with the same ids and body')
  .argument('<callbackId>', 'id of the callback, from the graph')
  .action((callbackId: string, _options: object, command: Command) =>
    run(command, ({ terminal, credentials }) => resend(credentials(), callbackId, terminal)),
  );

program
  .command('doctor')
  .description('check every part of the running installation from the outside')
  .action((_options: object, command: Command) =>
    run(command, ({ terminal, credentialsPath }) => examine(credentialsPath, terminal)),
  );

addSetup(program, run);
addAudit(program);
addProposals(program, run);

interface TokenOptions {
  tenant: string;
  client: TenantClient;
  graph?: 'admin' | 'operator' | 'viewer';
  scope?: string;
}

interface CommandSurroundings {
  terminal: CommandLine;
  credentialsPath: string;
  /** Read on first use: sealing with `--jwks` needs no file. */
  credentials(): Credentials;
}

async function run(command: Command, work: (surroundings: CommandSurroundings) => Promise<void>): Promise<void> {
  const { json, credentials: credentialsPath } = command.optsWithGlobals<GlobalOptions>();
  await work({
    terminal: createTerminal(json),
    credentialsPath,
    credentials: () => readCredentials(credentialsPath),
  });
}

async function textOf(file: string): Promise<string> {
  if (file === '-') return readStdin();
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandFailure(exitCodes.input, `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new InvalidArgumentError('expected a whole number of at least 1.');
}

function endWith(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof CommandFailure) {
    process.stderr.write(`pay: ${error.message}\n`);
    return error.exitCode;
  }
  process.stderr.write(`pay: a defect of this command: ${error instanceof Error ? error.stack : String(error)}\n`);
  return exitCodes.failed;
}

// A reader that has seen enough (`pay cards | head -1`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

program.parseAsync().then(
  () => leave(exitCodes.done),
  (error: unknown) => leave(endWith(error)),
);

/** Ends once what was printed has left the process; idle keep-alive sockets would otherwise hold it for seconds. */
function leave(code: number): void {
  process.stdout.write('', () => process.exit(code));
}
