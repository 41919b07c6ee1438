// Which role's database user may do what with which collection, as one table; what it does not name is refused by MongoDB.
import type { DomainName } from './domain-names';

/** Letters: find, insert, update, remove, follow by a change stream. */
type DatabaseActions = string;

export type Grants = Readonly<Record<string, DatabaseActions>>;

const everybody: Grants = { platform_settings: 'f' };
/** A record and its mark: to add one is all that anybody may who writes to the audit. */
const audited: Grants = { audit: 'i', audit_waiting: 'i' };
const idempotent: Grants = { idempotency_keys: 'fiur' };
const leading: Grants = { leases: 'fiu' };
const keysOf = (family: string): Grants => ({ [`data_keys_${family}`]: 'fiu' });
const readOf = (...names: string[]): Grants => Object.fromEntries(names.map((name) => [name, 'f']));
/** Whoever reads the log on. */
const followed: Grants = { event_lanes: 'f', event_segments: 'f' };
/** Who calls, by an access token or a key. */
const callers: Grants = { clients: 'f', access_tokens: 'f', api_keys: 'f', api_key_uses: 'fiu' };
/** The same where they are issued. */
const issued: Grants = { clients: 'fiu', access_tokens: 'fiu', api_keys: 'fiu', api_key_uses: 'f' };
/** Who signs in, where that is served: in the gateways. */
const signingIn: Grants = { people: 'fiu', person_sessions: 'fiu' };
/** Acts in bulk: of whoever begins them, and of whoever carries them out. */
const begun: Grants = { jobs: 'fiu', job_rows: 'fiu' };
const acting: Grants = { ...begun, events: 'fi' };
const books: Grants = {
  journal_entries: 'fi',
  journal_books: 'fiu',
  journal_days: 'fiu',
  journal_state: 'fiu',
  journal_terms: 'fiu',
  payouts: 'fiu',
  payout_books: 'fiu',
  settlement_schedule: 'fiu',
};
const figures: Grants = { metric_sums: 'fiu', metric_state: 'fiu' };
const figuresRead: Grants = { metric_sums: 'f', metric_callbacks: 'f' };
const ofTokens: Grants = {
  virtual_accounts: 'fiu',
  card_transactions: 'fiu',
  provisioning_intents: 'fiur',
  decryption_keys: 'fiu',
  sandbox_token_service_tokens: 'fiu',
};

const ofPayments: Grants = {
  payments: 'fiu',
  operations: 'fiu',
  acquirer_calls: 'fiu',
  checkout_sessions: 'fiu',
  card_entries: 'fiur',
  contracts: 'fiu',
  sandbox_acquirer_cards: 'fiu',
  sandbox_acquirer_orders: 'fiu',
  sandbox_method_visits: 'fiu',
  sandbox_challenges: 'fiu',
};
const ofMerchants: Grants = {
  accounts: 'fiu',
  merchants: 'fiu',
  agreements: 'fiu',
  terminals: 'fiu',
  counters: 'fiu',
};

/** By the word of ROLES. */
const running: Readonly<Record<`subgraph:${DomainName}`, Grants> & Record<string, Grants>> = {
  'subgraph:access': {
    ...audited,
    ...idempotent,
    ...keysOf('credentials'),
    ...issued,
    ...ofMerchants,
    audit: 'fi',
    events: 'fi',
    proposals: 'fiu',
    ...begun,
    people: 'fiu',
    person_sessions: 'f',
    saved_views: 'fiur',
    // What a second person confirms is carried out there: bookings, payout accounts, approvals.
    onboarding_applications: 'fu',
    onboarding_counters: 'fiu',
    ...readOf('journal_days', 'journal_books', 'journal_terms', 'payments'),
    mails: 'fi',
  },
  'subgraph:merchants': { ...audited, ...idempotent, ...keysOf('results'), ...ofMerchants, events: 'i' },
  'subgraph:tokenization': {
    ...audited,
    ...idempotent,
    ...leading,
    ...keysOf('cards'),
    ...ofTokens,
    event_lanes: 'f',
    events: 'i',
    agreements: 'f',
    merchants: 'f',
    clients: 'f',
  },
  'subgraph:payments': {
    ...audited,
    ...idempotent,
    ...leading,
    event_lanes: 'f',
    ...keysOf('cards'),
    ...keysOf('secrets'),
    ...ofPayments,
    events: 'i',
    sandbox_token_service_tokens: 'f',
    virtual_accounts: 'fiu',
    card_transactions: 'fiu',
    agreements: 'f',
    terminals: 'f',
    // Deleted merchants are ended there: their keys, clients and sessions with them.
    merchants: 'fu',
    clients: 'fu',
    api_keys: 'fu',
    callback_endpoints: 'f',
  },
  'subgraph:notifications': {
    ...audited,
    ...idempotent,
    ...keysOf('secrets'),
    callback_endpoints: 'fiu',
    deliveries: 'fiu',
    events: 'fi',
    accounts: 'f',
    received_callbacks: 'fi',
    platform_settings: 'fiu',
  },
  'subgraph:onboarding': {
    ...audited,
    ...idempotent,
    ...keysOf('secrets'),
    onboarding_applications: 'fiu',
    onboarding_counters: 'fiu',
    ...ofMerchants,
    mails: 'fiu',
    events: 'i',
    proposals: 'fi',
  },
  'subgraph:reporting': {
    ...audited,
    ...idempotent,
    ...keysOf('results'),
    ...books,
    ...followed,
    ...figuresRead,
    events: 'fi',
    merchants: 'f',
    proposals: 'fi',
    // No day is closed while the journal is made again.
    leases: 'f',
    // The search of the graph looks there for ids and order numbers, and bookings for their payments.
    ...readOf('payments', 'operations', 'virtual_accounts', 'onboarding_applications', 'deliveries'),
    ...readOf('terminals', 'callback_endpoints', 'jobs', 'people'),
  },
  authorization: { ...audited, ...keysOf('credentials'), clients: 'f', access_tokens: 'fiu' },
  'rest-facade': {
    ...audited,
    ...keysOf('credentials'),
    ...callers,
    // The sandbox: its clock and its receiver of callbacks.
    platform_settings: 'fiu',
    received_callbacks: 'fi',
  },
  gateway: { ...audited, ...callers, ...signingIn, ...followed, ...acting, deliveries: 'f' },
  pages: {},
  'worker:outbox': {
    ...leading,
    event_lanes: 'fiu',
    event_segments: 'fi',
    events: 'fuc',
    deliveries: 'fi',
    callback_endpoints: 'fiu',
    platform_settings: 'fiu',
  },
  'worker:callback': {
    ...keysOf('secrets'),
    callback_endpoints: 'fu',
    deliveries: 'fu',
    events: 'fi',
    metric_callbacks: 'fiu',
  },
  'worker:janitor': {
    ...audited,
    ...leading,
    ...keysOf('secrets'),
    ...ofMerchants,
    onboarding_applications: 'fu',
    mails: 'fu',
    onboarding_counters: 'fiu',
    events: 'i',
  },
  'worker:journal': {
    ...books,
    ...figures,
    ...leading,
    ...followed,
    events: 'fi',
    merchants: 'f',
    audit: 'f',
    audit_waiting: 'fr',
    audit_chain: 'fi',
    audit_heads: 'fi',
  },
};

const everyCollection = [...new Set(Object.values(running).flatMap((grants) => Object.keys(grants)))];
const keyCollections = ['cards', 'secrets', 'credentials', 'results'].map((family) => `data_keys_${family}`);
/** What is made anew from the log, and what it is meanwhile (`npm run journal:rebuild`, `figures:rebuild`). */
const made = [...Object.keys(books), ...Object.keys(figures)];
const rebuilt = made.map((name) => `${name}_rebuilt`);

function each(names: readonly string[], actions: DatabaseActions): Grants {
  return Object.fromEntries(names.map((name) => [name, actions]));
}

/** Endpoints of releases before become those of now, with their callbacks. */
const merged = each(['callback_endpoints', 'deliveries'], 'fiur');
const unchangeable: Grants = { audit: 'fi', audit_waiting: 'fiu', audit_chain: 'f', audit_heads: 'f' };

/** What each user may, by the name of its role; beside the roles `prepare`, `operator` (commands of operators) and `auditor` (`pay audit verify`). */
export const databaseGrants: Readonly<Record<string, Grants>> = {
  all: { ...each(everyCollection, 'fiurc'), audit: 'fi', audit_waiting: 'fir', audit_chain: 'fi', audit_heads: 'fi' },
  prepare: { ...each(everyCollection, 'fiu'), data_keys: 'fr', ...merged, ...unchangeable },
  ...Object.fromEntries(Object.entries(running).map(([role, grants]) => [role, { ...everybody, ...grants }])),
  operator: {
    ...each([...everyCollection, ...rebuilt], 'fiu'),
    ...each([...keyCollections, ...made, ...rebuilt], 'fiur'),
    ...unchangeable,
  },
  auditor: { ...everybody, ...each(['audit', 'audit_waiting', 'audit_chain', 'audit_heads'], 'f') },
};

/** The name of a role's user: `subgraph:access` is `subgraph-access`. */
export function userNameOf(role: string): string {
  return role.replace(':', '-');
}

interface Privilege {
  resource: { db: string; collection: string };
  actions: string[];
}

const actionsOfLetter: Readonly<Record<string, readonly string[]>> = {
  f: ['find'],
  i: ['insert'],
  u: ['update'],
  r: ['remove'],
  c: ['changeStream'],
};

const maintenance = 'collMod convertToCapped createCollection createIndex dropIndex listCollections listIndexes'.split(
  ' ',
);
const swapping = 'collMod createCollection createIndex dropCollection listIndexes renameCollectionSameDB'.split(' ');

/** The privileges of a role's user in the database of that name. */
export function privilegesOf(role: string, db: string): Privilege[] {
  const grants = Object.entries(databaseGrants[role] ?? {}).map(([collection, letters]) => ({
    resource: { db, collection },
    actions: [...letters].flatMap((letter) => actionsOfLetter[letter] ?? []),
  }));
  if (role === 'prepare' || role === 'all') grants.push({ resource: { db, collection: '' }, actions: maintenance });
  if (role !== 'operator') return grants;
  const swapped = [...made, ...rebuilt].map((collection) => ({ resource: { db, collection }, actions: swapping }));
  return [...grants, ...swapped, { resource: { db, collection: '' }, actions: ['listCollections'] }];
}

const mongoAddress = /^(mongodb(?:\+srv)?:\/\/)(?:[^@/?]*@)?([^/?]+)\/([^?]+)(?:\?(.*))?$/;

/** The name of the database in an address; throws when it names none. */
export function databaseOf(address: string): string {
  const [, , , name] = mongoAddress.exec(address) ?? [];
  if (!name) throw new Error('the address of MongoDB names no database: mongodb://host:port/<database>');
  return name;
}

/** The address under which the user of that role connects. */
export function addressOfUser(address: string, role: string, password: string): string {
  const [, scheme = '', hosts = '', name = '', options = ''] = mongoAddress.exec(address) ?? [];
  const kept = new URLSearchParams(options);
  kept.set('authSource', name);
  return `${scheme}${userNameOf(role)}:${encodeURIComponent(password)}@${hosts}/${name}?${kept}`;
}

/** MONGODB_URI as that role is told it: under its own user where MONGODB_PASSWORDS has one. */
export function ownAddress(role: string, given: Readonly<NodeJS.ProcessEnv>): string {
  const { MONGODB_URI: address = '', MONGODB_PASSWORDS: passwords = '' } = given;
  if (!passwords) return address;
  const password = (JSON.parse(passwords) as Record<string, string>)[role];
  if (!password) throw new Error(`MONGODB_PASSWORDS has no password for ${role}`);
  return addressOfUser(address, role, password);
}
