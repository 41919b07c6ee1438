// The one place that reads the environment: every variable named, checked and explained, once, at start.
import { z } from 'zod';
import { readTrustedProxies } from './callers/caller-address';
import { readFiles } from './config-files';
import { anyText, count, name, origin, originList, port, positive, vaultVariables, wordList } from './config-rules';
import { type SignInConfig, signInFaults, signInOf, signInVariables } from './config-sign-in';
import { tracingVariables } from './config-tracing';
import { inWords, isAddressMap, isKeyMap, isSmtpUrl, ownOrigin, parseKeyMap } from './config-values';
import { keyFaults } from './crypto/key-strength';

/** Name, rule, default and meaning of every variable; the README's table is printed from here. */
export const variables = {
  MODE: z
    .enum(['sandbox', 'production'])
    .default('sandbox')
    .describe('`production` has no sandbox calls and sends callbacks to https only'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
  REST_PORT: port(8080).describe('Documented paths, key set, API reference, sandbox calls, health'),
  AUTH_PORT: port(8081).describe('Authorization server'),
  GRAPH_PORT: port(4000).describe('Graph over HTTP and WebSocket'),
  GRAPH_ORIGINS: originList().describe(
    'Origins, comma separated, whose pages may ask the graph with an access token; none when empty',
  ),
  PAY_PORT: port(8082).describe('Hosted payment page, card-field frames and their script'),
  SHOP_PORT: port(8083).describe('Demo shop of the sandbox'),
  ACS_PORT: port(8084).describe('Simulated issuer of the sandbox: challenges and alternative methods'),
  PAY_URL: origin().describe('Origin under which payers reach the payment pages; HOST and PAY_PORT when empty'),
  ACS_URL: origin().describe('Origin under which payers reach the simulated issuer; HOST and ACS_PORT when empty'),
  REST_URL: origin().describe(
    "Origin under which our own processes reach the REST paths: the demo shop, and callbacks to the sandbox's own receiver; HOST and REST_PORT when empty",
  ),
  AUTH_URL: origin().describe('Origin under which the demo shop asks for tokens; HOST and AUTH_PORT when empty'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .refine((list) => readTrustedProxies(list) !== null, 'expected addresses or networks, comma separated')
    .describe(
      'Addresses or networks (`10.0.0.0/8`) of your own proxies, comma separated: `X-Forwarded-For` is believed from them only, and limits by address count who stands behind them',
    ),
  METRICS_PORT: port(9464).describe('Prometheus text'),
  METRICS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address that the metrics listen on, whatever HOST is: one that only your own monitoring reaches'),
  SUBGRAPH_PORT: port(0).describe('Port of a subgraph that runs as a process of its own'),
  DATA_DIR: z.string().min(1).default('.data').describe('Databases, keys and credentials of this installation'),
  CACHE_DIR: z.string().default('').describe('Where fetched database servers are kept; DATA_DIR/cache when empty'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe level that is logged'),
  LOG_FORMAT: z
    .enum(['json', 'pretty'])
    .default('json')
    .describe('`pretty` writes log lines for people: time, level, role, message, `field=value`, stacks below'),
  MONGODB_URI: z.string().default('').describe('Replica set to use instead of bringing one'),
  MONGODB_PASSWORDS: z
    .string()
    .default('')
    .refine(isAddressMap, 'expected a JSON object of role to password')
    .describe(
      'JSON object role -> password of its database user: for `database:users`, and for a launcher that gives each role its own',
    ),
  REDIS_URL: z
    .string()
    .default('')
    .describe(
      'Redis to use instead of bringing one; `redis+cluster://host:port,host:port` names nodes of a Redis Cluster',
    ),
  PROCESSES: z.coerce
    .number()
    .int()
    .min(0)
    .max(64)
    .default(0)
    .describe('Application processes; 0 means one per core, four at most'),
  RATE_LIMIT_FACTOR: z.coerce
    .number()
    .positive()
    .optional()
    .describe('Multiplies every rate limit; 1 in production, 50 in the sandbox'),
  ...vaultVariables('CARDS', 'card data'),
  ...vaultVariables('SECRETS', 'what callbacks and mails are sent with'),
  ...vaultVariables('CREDENTIALS', "hashes of callers' secrets"),
  ...vaultVariables('RESULTS', 'results kept for an Idempotency-Key'),
  VAULT_KEY: anyText.describe(
    'The one key of releases before 0.4, for `prepare` alone: it moves their data keys to the families',
  ),
  INTERNAL_PRIVATE_KEY: anyText.describe(
    'Signs the calls of this role to subgraphs elsewhere: Ed25519, PKCS #8, base64; the launcher makes one',
  ),
  INTERNAL_PUBLIC_KEYS: z
    .string()
    .default('')
    .refine(isKeyMap, 'expected a JSON object of role to key, or to a list of keys')
    .describe(
      'Whose calls a subgraph answers: JSON object role -> key or keys (SPKI, base64); the launcher adds those that it makes',
    ),
  CURSOR_KEY: anyText.describe('Signs cursors of the event log; 32 bytes, base64; the sandbox makes one in DATA_DIR'),
  AUDIT_KEY: anyText.describe(
    "Signs each day's head of the audit's chain; 32 bytes, base64; the sandbox makes one in DATA_DIR",
  ),
  AUDIT_PUBLIC_KEYS: anyText.describe(
    'Whose heads `audit verify` believes beside those of AUDIT_KEY: SPKI, base64, comma separated',
  ),
  SANDBOX_SEED: anyText.describe(
    "What the credentials of the sandbox's own tenants are derived from; the sandbox makes one in DATA_DIR",
  ),
  SANDBOX_KEY: z.string().default('').describe('Value of X-Sandbox-Key; the sandbox makes one'),
  ROLES: z.string().default('all').describe('Roles of this process, comma separated; set by the launcher'),
  ROLE_NAME: z
    .string()
    .default('app-1')
    .describe('Name of this process in logs and processes.json; set by the launcher'),
  SUBGRAPH_URLS: z
    .string()
    .default('')
    .refine(isAddressMap, 'expected a JSON object of name to address')
    .describe('JSON object name -> address, when subgraphs are processes of their own; set by the launcher'),
  CRYPTO_THREADS: z.coerce
    .number()
    .int()
    .min(0)
    .max(64)
    .default(0)
    .describe('Threads for private-key work per process; 0 means cores divided by processes'),
  TOKEN_SERVICE_LATENCY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(0)
    .describe('Latency of the built-in sandbox token service'),
  AUTHORIZATION_HOURS: positive(168).describe('How long an authorization can be captured, on the one clock'),
  REQUEST_TIMEOUT_MS: positive(10_000).describe('Longest time one request may take'),
  SUBGRAPH_TIMEOUT_MS: positive(5_000).describe(
    'Longest time a read waits for one subgraph, whose fields are then missing; less than REQUEST_TIMEOUT_MS',
  ),
  SHUTDOWN_TIMEOUT_MS: positive(15_000).describe('Longest time an orderly stop may take'),
  EVENT_REPLAY_DAYS: positive(30).describe('How far back a subscriber may resume, on the one clock'),
  LANES: count(1, 64).describe(
    'Lanes of the event log: as many processes can publish events and keep the books at once',
  ),
  SUBSCRIPTIONS_PER_CONNECTION_MAX: count(20).describe('Subscriptions on one WebSocket'),
  SOCKET_BUFFER_BYTES_MAX: count(1_048_576).describe('Unsent bytes after which a slow subscriber is closed with 4490'),
  UNAUTHENTICATED_SOCKETS_MAX: count(500).describe(
    'WebSockets of one process that have not said whose they are; more are refused with 503',
  ),
  UNAUTHENTICATED_SOCKETS_PER_ADDRESS_MAX: count(50).describe('The same of one address; more are refused with 429'),
  SOCKETS_PER_TOKEN_MAX: count(100).describe(
    'WebSockets of one process with one access token; more are closed with 4491',
  ),
  CONNECTION_INIT_TIMEOUT_MS: positive(10_000).describe(
    'How long a WebSocket may take to say whose it is; then it is closed with 4408',
  ),
  GRAPHIQL: z
    .enum(['on', 'off'])
    .optional()
    .describe('Whether a browser at `/graphql` gets GraphiQL; on in the sandbox, off in production'),
  GRAPH_PLANNER: z
    .enum(['apollo', 'hive'])
    .default('apollo')
    .describe('Who plans documents of the graph: the planner of Apollo, or that of Hive Router'),
  CALLBACK_EVENTS: z
    .enum(['exceptions', 'all'])
    .default('exceptions')
    .describe('Which attempts of callbacks the event log tells: all, or all but those that delivered at once'),
  CALLBACK_CONCURRENCY_PER_ENDPOINT: count(16).describe('Callbacks in flight to one endpoint'),
  PROVIDER_NAME: name('Provider').describe(
    '`<PROVIDER>` in the discriminator `<PROVIDER>HostedEcom` of create payment',
  ),
  MOBILE_WALLET_NAME: name('MobileWallet').describe('Discriminator of the mobile wallet in paymentMethodDetails'),
  APP_WALLET_NAME: name('AppWallet').describe('Discriminator of the app wallet in paymentMethodDetails'),
  BANK_REDIRECT_NAME: name('BankRedirect').describe('Discriminator of the bank redirect in paymentMethodDetails'),
  PAY_PAGE_METHODS: wordList('VISA,MASTERCARD,MAESTRO,AMEX,DINERS,DOMESTIC,INVOICE,WALLET,BANK_REDIRECT').describe(
    "Values of paymentMethod in the page's rules of create payment",
  ),
  ONBOARDING_METHOD_CODES: wordList('METHOD_CODE_1,METHOD_CODE_2,METHOD_CODE_3,METHOD_CODE_4,METHOD_CODE_5').describe(
    'Product codes of an application beside CARD, INVOICE and INSTALLMENT',
  ),
  ONBOARDING_METHOD_PROVIDERS: wordList(
    'PROVIDER_CODE_1,PROVIDER_CODE_2,PROVIDER_CODE_3,PROVIDER_CODE_4,PROVIDER_CODE_5,PROVIDER_CODE_6,PROVIDER_CODE_7',
  ).describe('Values of paymentMethodProvider in the quote of an application'),
  ONBOARDING_FEE_CODES: wordList('FEE_CODE_1,FEE_CODE_2,FEE_CODE_3,FEE_CODE_4').describe(
    'Values of paymentActionType in a quote beside CHARGE, REFUND and DA',
  ),
  ONBOARDING_REFERENCE_SYSTEMS: wordList('CREDIT_INFO').describe('Values of referenceDetails.system in an application'),
  SMTP_URL: z
    .string()
    .default('')
    .refine(isSmtpUrl, 'expected smtp://user:password@host:port or smtps://...')
    .describe(
      'Mail server; without it mails wait in the database. The sandbox sends none and keeps them in its outbox',
    ),
  MAIL_FROM: z
    .string()
    .default('')
    .refine(
      (text) => text === '' || /^[^@\r\n]*[^@\s<>]@[^@\s<>]+>?$/.test(text),
      'expected a mail address, with or without a name',
    )
    .describe('Sender of our mails, for example `Payments <payments@example.com>`; needed with SMTP_URL'),
  ...signInVariables,
  ...tracingVariables,
  CALLBACK_CONCURRENCY: count(512).describe('Endpoints served at once by one worker process'),
} as const;

const schema = z.object(variables).refine(({ SMTP_URL, MAIL_FROM }) => SMTP_URL === '' || MAIL_FROM !== '', {
  path: ['MAIL_FROM'],
  message: 'expected with SMTP_URL',
});
type RawConfig = z.infer<typeof schema>;

/** Variables that hold lists of words. */
const wordLists = [
  'PAY_PAGE_METHODS',
  'ONBOARDING_METHOD_CODES',
  'ONBOARDING_METHOD_PROVIDERS',
  'ONBOARDING_FEE_CODES',
  'ONBOARDING_REFERENCE_SYSTEMS',
] as const;
type WordLists = Record<(typeof wordLists)[number], string[]>;

export interface Config
  extends Omit<
      RawConfig,
      | 'RATE_LIMIT_FACTOR'
      | 'GRAPHIQL'
      | 'SUBGRAPH_URLS'
      | 'INTERNAL_PUBLIC_KEYS'
      | 'ROLES'
      | keyof SignInConfig
      | keyof WordLists
    >,
    SignInConfig,
    WordLists {
  /** Same word as MODE: every record carries it, and nothing crosses it. */
  environment: 'sandbox' | 'production';
  isSandbox: boolean;
  RATE_LIMIT_FACTOR: number;
  GRAPHIQL: 'on' | 'off';
  SUBGRAPH_URLS: Record<string, string>;
  INTERNAL_PUBLIC_KEYS: Record<string, string[]>;
  ROLES: string[];
}

/** Keys in use; a former one may be what it was. */
const keyNames = [
  ...(['VAULT_KEY_CARDS', 'VAULT_KEY_SECRETS', 'VAULT_KEY_CREDENTIALS', 'VAULT_KEY_RESULTS'] as const),
  ...(['CURSOR_KEY', 'AUDIT_KEY'] as const),
];

/** Of the environment as a whole: keys that production does not take, and what a sign-in lacks. */
function assertFit(raw: RawConfig): void {
  const given = keyNames.flatMap((name) => (raw[name] ? [[name, raw[name]]] : []));
  const weak = raw.MODE === 'production' ? keyFaults(Object.fromEntries(given)) : [];
  const faults = [...weak, ...signInFaults(raw)].map((each) => `  ${each}`);
  if (faults.length > 0) throw new Error(`The configuration is wrong:\n${faults.join('\n')}`);
}

/** Reads and checks the whole environment; throws one Error that lists everything that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv): Readonly<Config> {
  const present = readFiles(env, variables);
  const result = schema.safeParse(present);
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${inWords(message)}`);
    throw new Error(`The configuration is wrong:\n${lines.join('\n')}`);
  }
  const raw = result.data;
  const isSandbox = raw.MODE === 'sandbox';
  assertFit(raw);
  return Object.freeze({
    ...raw,
    environment: raw.MODE,
    isSandbox,
    RATE_LIMIT_FACTOR: raw.RATE_LIMIT_FACTOR ?? (isSandbox ? 50 : 1),
    GRAPHIQL: raw.GRAPHIQL ?? (isSandbox ? 'on' : 'off'),
    PAY_URL: raw.PAY_URL || ownOrigin(raw.HOST, raw.PAY_PORT),
    ACS_URL: raw.ACS_URL || ownOrigin(raw.HOST, raw.ACS_PORT),
    ...signInOf(raw, ownOrigin(raw.HOST, raw.GRAPH_PORT)),
    SUBGRAPH_URLS: raw.SUBGRAPH_URLS ? (JSON.parse(raw.SUBGRAPH_URLS) as Record<string, string>) : {},
    INTERNAL_PUBLIC_KEYS: parseKeyMap(raw.INTERNAL_PUBLIC_KEYS),
    ...(Object.fromEntries(wordLists.map((list) => [list, raw[list].split(',')])) as WordLists),
    ROLES: raw.ROLES.split(',').map((role) => role.trim()),
  });
}
