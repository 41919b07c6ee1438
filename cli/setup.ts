// What staff make for a tenant, in the order in which one comes to life: account, merchant, terminal, client, key (docs/operations.md, The first tenant).
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { requestTokenOf, staffOf } from './access-token';
import { callGraph } from './call';
import type { Credentials } from './credentials';
import { CommandFailure, exitCodes } from './failure';
import type { CommandLine } from './terminal';

const operatorSchema = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  urls: z.object({ auth: z.url(), graph: z.url() }),
});
/** Who acts, and where: what `npm run -s operator:create` prints. */
type Operator = z.infer<typeof operatorSchema>;

type SetupOptions = Record<string, string | undefined>;

interface CreationCommand {
  description: string;
  /** Name of the one argument, an id that staff choose; absent where the platform chooses it. */
  id?: string;
  /** Flags as commander takes them, with their meaning; `!` in front: required. */
  options: Readonly<Record<string, string>>;
  mutation: string;
  /** From the id and the options; what is undefined is not sent. */
  variables(id: string, options: SetupOptions): Record<string, unknown>;
}

const list = (text: string | undefined) => text?.split(',').map((item) => item.trim());

/** A part that is missing is left empty, which the graph refuses. */
const triples = (text: string | undefined) =>
  list(text)?.map((triple) => {
    const [acquirerId = '', providerId = '', pspId = ''] = triple.split('/');
    return { acquirerId, providerId, pspId };
  });

const creations: Readonly<Record<string, CreationCommand>> = {
  account: {
    description: 'open an account: the tenant that merchants, clients and keys belong to',
    id: 'accountId',
    options: { '!--name <text>': 'its name for people' },
    mutation: 'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { accountId name } }',
    variables: (accountId, { name }) => ({ input: { accountId, name } }),
  },
  merchant: {
    description: 'make a merchant of an account',
    id: 'merchantId',
    options: {
      '!--account <accountId>': 'whose merchant it is',
      '!--name <text>': 'its name for people',
      '--currency <code>': 'ISO 4217 code that it is paid out in (default: EUR)',
      '--country <code>': 'ISO 3166-1 alpha-2 (default: IT)',
    },
    mutation:
      'mutation ($input: CreateMerchantInput!) { createMerchant(input: $input) { merchantId merchantNumber name status } }',
    variables: (merchantId, { account: accountId, name, currency, country }) => ({
      input: { accountId, merchantId, name, currency, country },
    }),
  },
  terminal: {
    description: 'make a terminal of a merchant: a web shop, an app or a point of sale',
    id: 'terminalId',
    options: {
      '!--merchant <merchantId>': 'whose terminal it is',
      '!--label <text>': 'its name for people',
      '!--origins <list>': "origins of the shop's pages, separated by commas",
      '--capture <type>': 'IMPLICIT, EXPLICIT, DEFERRED or FILE (default: EXPLICIT)',
      '--currencies <list>': 'ISO 4217 codes, separated by commas',
    },
    mutation:
      'mutation ($input: CreateTerminalInput!) { createTerminal(input: $input) { terminalId origins captureType status } }',
    variables: (terminalId, { merchant: merchantId, label, origins, capture: captureType, currencies }) => ({
      input: { merchantId, terminalId, label, origins: list(origins), captureType, currencies: list(currencies) },
    }),
  },
  client: {
    description: 'make an OAuth client; its secret is shown once',
    options: {
      '!--family <name>': 'PAYMENTS, TOKENIZATION or GRAPH',
      '!--account <accountId>': 'whose client it is',
      '!--label <text>': 'its name for people',
      '--merchant <merchantId>': 'the merchant that it acts for (PAYMENTS)',
      '--identifiers <list>':
        'acquirerId/providerId/pspId, separated by commas: under which merchants are enrolled (TOKENIZATION)',
      '--scopes <list>': 'OAuth scopes, separated by commas (default: those of its family)',
    },
    mutation:
      'mutation ($input: CreateClientInput!) { createClient(input: $input) { clientSecret client { clientId family label scopes } } }',
    variables: (_id, { family, account: accountId, label, merchant: merchantId, identifiers, scopes }) => ({
      input: { family, accountId, label, merchantId, identifiers: triples(identifiers), scopes: list(scopes) },
    }),
  },
  key: {
    description: 'make an API key; it is shown once',
    options: {
      '!--kind <kind>': 'CHECKOUT (of a terminal), CONSUMER, PARTNER or MERCHANT',
      '!--merchant <merchantId>': 'the merchant that it is for, or whose account',
      '!--label <text>': 'its name for people',
      '--terminal <terminalId>': 'the terminal that it is for (CHECKOUT)',
    },
    mutation: `mutation ($merchantId: ID!, $label: String!, $kind: ApiKeyKind, $terminalId: ID) {
      createApiKey(merchantId: $merchantId, label: $label, kind: $kind, terminalId: $terminalId) {
        keyId apiKey consumerKey consumerSecret key { kind label status } } }`,
    variables: (_id, { merchant: merchantId, label, kind, terminal: terminalId }) => ({
      merchantId,
      label,
      kind,
      terminalId,
    }),
  },
};

/** What a command is given besides its own options. */
export interface SetupSurroundings {
  terminal: CommandLine;
  credentials(): Credentials;
}

export type RunCommand = (command: Command, work: (surroundings: SetupSurroundings) => Promise<void>) => Promise<void>;

/** Adds `<thing> create` for each thing that staff make. */
export function addSetup(program: Command, run: RunCommand): void {
  for (const [thing, creation] of Object.entries(creations)) {
    const group = program.command(thing).description(creation.description);
    const command = group.command('create').description(creation.description);
    if (creation.id) command.argument(`<${creation.id}>`, 'its id, which is never given twice');
    for (const [flags, meaning] of Object.entries(creation.options)) {
      if (flags.startsWith('!')) command.requiredOption(flags.slice(1), meaning);
      else command.option(flags, meaning);
    }
    command.option('--operator <file>', 'what operator:create printed (default: staff of the credentials file)');
    command.action((...given: unknown[]) => {
      const id = creation.id ? String(given[0]) : '';
      const options = given[creation.id ? 1 : 0] as SetupOptions;
      return run(command, ({ terminal, credentials }) => create(creation, { id, options, terminal, credentials }));
    });
  }
}

async function create(
  { mutation, variables }: CreationCommand,
  { id, options, terminal, credentials }: SetupSurroundings & { id: string; options: SetupOptions },
): Promise<void> {
  const asked = { terminal, credentials, operator: options['operator'], staff: 'admin' } as const;
  const [made] = Object.values(await ask(asked, { query: mutation, variables: variables(id, options) }));
  terminal.print(JSON.stringify(made, null, 2), made);
}

/** What the graph answers to a member of staff: to the one of the file that was named, or to one of the credentials file. */
export async function ask(
  {
    operator: path,
    credentials,
    staff,
  }: SetupSurroundings & {
    operator: string | undefined;
    staff: 'admin' | 'operator';
  },
  request: { query: string; variables: Record<string, unknown> },
): Promise<Record<string, unknown>> {
  const operator = path ? readOperator(path) : { ...staffOf(credentials().graph, staff), urls: credentials().urls };
  const { accessToken } = await requestTokenOf(operator.urls.auth, operator);
  return callGraph(operator.urls.graph, accessToken, request);
}

function readOperator(path: string): Operator {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandFailure(exitCodes.input, `${path} cannot be read as JSON: ${(error as Error).message}`);
  }
  const result = operatorSchema.safeParse(content);
  if (result.success) return result.data;
  const places = result.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new CommandFailure(exitCodes.input, `${path} is not what operator:create prints: look at ${places}.`);
}
