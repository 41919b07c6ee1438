// Credentials of every kind while they are good, each with the way that the product offers to end it (docs/administration.md, Keys; docs/security.md, The vault).
import { randomBytes } from 'node:crypto';
import { consumerHeader } from '../support/administration';
import { type Answer, send } from '../support/client';
import { accessTokenOf, graph } from '../support/partner';
import type { ClientCredentials, World } from '../support/world';
import type { Family } from './documented-requests';

export type BearerFamily = 'tokenization' | 'payments' | 'graph';

export interface Spendable {
  who: string;
  /** Where it is taken. */
  families: readonly (Family | 'graph')[];
  headers: Readonly<Record<string, string>>;
  /** The same by somebody who does not know its secret half; an access token has no halves. */
  guessed?: Readonly<Record<string, string>>;
  /** `wordless`: like one that never was. `told`: its holder is told, where the family has a word for it. `narrowed`: it is known, and may nothing. */
  end: 'wordless' | 'told' | 'narrowed';
  spend(): Promise<unknown>;
}

export interface Staff {
  accessToken: string;
  ask(query: string, variables?: object): Promise<Answer['body']>;
}

export async function staffOf(world: World): Promise<Staff> {
  const accessToken = await accessTokenOf(world, world.credentials.graph.admin);
  return {
    accessToken,
    async ask(query, variables) {
      const { data, errors } = await graph(world, query, variables, accessToken);
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    },
  };
}

export const bearer = (accessToken: string) => ({ Authorization: `Bearer ${accessToken}` });

/** A call of the authorization server with the id and secret of a client. */
export function callAuthorization(
  world: World,
  { clientId, clientSecret }: ClientCredentials,
  { path, form }: { path: '/token' | '/revoke'; form: Record<string, string> },
): Promise<Answer> {
  const pair = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const headers = { authorization: `Basic ${pair}`, 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  return send(world.urls.auth, { method: 'POST', path, options: { headers, body } });
}

/** A new client of alpha's with everything that its family may have; one of the payment service acts for the named merchant, or for alpha's. */
export async function newClient(
  world: World,
  { ask }: Staff,
  family: BearerFamily,
  merchantId = world.credentials.tenants.alpha.merchantId,
): Promise<ClientCredentials> {
  const { acquirerId, providerId, pspId, privateJwk } = world.credentials.tenants.alpha.tokenization;
  const wanted = {
    tokenization: { identifiers: [{ acquirerId, providerId, pspId }] },
    payments: { merchantId },
    graph: { scopes: ['graph:read', 'graph:callbacks:write'] },
  };
  const input = { family: family.toUpperCase(), accountId: 'alpha', label: 'to be spent', ...wanted[family] };
  const create =
    'mutation ($input: CreateClientInput!) { createClient(input: $input) { client { clientId } clientSecret } }';
  const { client, clientSecret } = (await ask(create, { input })).createClient;
  const { clientId } = client;
  if (family === 'tokenization') {
    const { kid, n, e } = privateJwk;
    const register =
      'mutation ($id: ID!, $key: RecipientJwkInput!) { registerEncryptionKey(clientId: $id, key: $key) { clientId } }';
    await ask(register, { id: clientId, key: { kty: 'RSA', use: 'enc', kid, n, e } });
  }
  return { clientId, clientSecret };
}

interface TokenWay {
  end: Spendable['end'];
  /** Said about the access token of a client. */
  spend(world: World, staff: Staff, token: { client: ClientCredentials; accessToken: string }): Promise<unknown>;
}

/** Fields of the graph that take the id of a client, one after the other. */
const byStaff =
  (...fields: string[]): TokenWay['spend'] =>
  async (_, { ask }, { client }) => {
    for (const field of fields) await ask(`mutation ($id: ID!) { ${field} { clientId } }`, { id: client.clientId });
  };

const tokenWays: Readonly<Record<string, TokenWay>> = {
  'that its client revoked': {
    end: 'wordless',
    spend: (world, _, { client, accessToken }) =>
      callAuthorization(world, client, { path: '/revoke', form: { token: accessToken } }),
  },
  'that staff revoked': { end: 'wordless', spend: byStaff('revokeAccessTokens(clientId: $id)') },
  'of a disabled client': { end: 'wordless', spend: byStaff('disableClient(clientId: $id)') },
  'of a client that was disabled and enabled again': {
    end: 'wordless',
    spend: byStaff('disableClient(clientId: $id)', 'enableClient(clientId: $id)'),
  },
  'whose scopes were withdrawn': { end: 'narrowed', spend: byStaff('setClientScopes(clientId: $id, scopes: [])') },
};

const bearerFamilies: readonly BearerFamily[] = ['tokenization', 'payments', 'graph'];

/** One access token for each family and way. */
export function spendableTokens(world: World, staff: Staff): Promise<Spendable[]> {
  const made = bearerFamilies.flatMap((family) =>
    Object.entries(tokenWays).map(async ([way, { end, spend }]) => {
      const client = await newClient(world, staff, family);
      const accessToken = await accessTokenOf(world, client);
      const about = { who: `an access token ${way}`, families: [family], headers: bearer(accessToken), end };
      return { ...about, spend: () => spend(world, staff, { client, accessToken }) };
    }),
  );
  return Promise.all(made);
}

/** One access token for each family, to be left alone until it has expired. */
export function expiringTokens(world: World, staff: Staff): Promise<Spendable[]> {
  const made = bearerFamilies.map(async (family): Promise<Spendable> => {
    const accessToken = await accessTokenOf(world, await newClient(world, staff, family));
    const about = { who: 'an access token that has expired', families: [family], headers: bearer(accessToken) };
    return { ...about, end: 'wordless', spend: async () => undefined };
  });
  return Promise.all(made);
}

type KeyKind = 'CHECKOUT' | 'CONSUMER' | 'PARTNER' | 'MERCHANT';

const familiesOf: Readonly<Record<KeyKind, readonly Family[]>> = {
  CHECKOUT: ['checkout'],
  CONSUMER: ['administration'],
  PARTNER: ['partner', 'reporting'],
  MERCHANT: ['reporting'],
};

interface MadeKey {
  keyId: string;
  headers: Record<string, string>;
  guessed: Record<string, string>;
}

const createKey = `mutation ($merchantId: ID!, $terminalId: ID, $kind: ApiKeyKind!, $mode: ApiKeyMode!) {
  createApiKey(merchantId: $merchantId, terminalId: $terminalId, kind: $kind, mode: $mode, label: "to be spent") {
    keyId apiKey consumerKey consumerSecret } }`;

async function newKey({ ask }: Staff, kind: KeyKind, place: Place, mode = 'LIVE'): Promise<MadeKey> {
  const { merchantId, terminalId } = place;
  const variables = { merchantId, kind, mode, terminalId: kind === 'CHECKOUT' ? terminalId : undefined };
  const { keyId, apiKey, consumerKey, consumerSecret } = (await ask(createKey, variables)).createApiKey;
  const secret: string = consumerSecret ?? apiKey.split('.')[1];
  return { keyId, headers: keyHeaders(kind, consumerKey ?? keyId, secret), guessed: guess(kind, keyId) };
}

/** As a key of that kind is sent. */
function keyHeaders(kind: KeyKind, keyId: string, secret: string): Record<string, string> {
  if (kind === 'CONSUMER') return { Authorization: consumerHeader({ consumerKey: keyId, consumerSecret: secret }) };
  return { [kind === 'CHECKOUT' ? 'X-API-KEY' : 'Authorization']: `${keyId}.${secret}` };
}

const guess = (kind: KeyKind, keyId: string) => keyHeaders(kind, keyId, randomBytes(32).toString('base64url'));

/** A credential of the form that the family takes, which nobody was ever given. */
export function unknownCredential(family: Family | 'graph'): Record<string, string> {
  const kind = (Object.keys(familiesOf) as KeyKind[]).find((candidate) =>
    (familiesOf[candidate] as readonly string[]).includes(family),
  );
  if (!kind) return bearer(`at_sandbox_${randomBytes(32).toString('base64url')}`);
  return guess(kind, `${kind.toLowerCase()}_sandbox_test_${randomBytes(12).toString('hex')}`);
}

export interface Place {
  merchantId: string;
  terminalId: string;
}

/** A new merchant of alpha's with a terminal for the demo shop. */
export async function newPlace(world: World, { ask }: Staff): Promise<Place> {
  const tail = randomBytes(6).toString('hex');
  const place = { merchantId: `m-${tail}`, terminalId: `t-${tail}` };
  const make = `mutation ($merchantId: ID!, $terminalId: ID!, $shop: String!) {
    createMerchant(input: { accountId: "alpha", merchantId: $merchantId, name: "Nordlys" }) { merchantId }
    createTerminal(input: { merchantId: $merchantId, terminalId: $terminalId, label: "Web", origins: [$shop] }) { terminalId } }`;
  await ask(make, { ...place, shop: world.urls.shop });
  return place;
}

/** Keys of every kind and mode, to be revoked by staff. */
export async function spendableKeys(world: World, staff: Staff): Promise<Spendable[]> {
  const place = await newPlace(world, staff);
  const kinds = Object.keys(familiesOf) as KeyKind[];
  const modes = kinds.flatMap((kind) =>
    ['LIVE', ...(kind === 'CHECKOUT' ? [] : ['LIVE_TEST'])].map((mode) => ({ kind, mode })),
  );
  const made = modes.map(async ({ kind, mode }): Promise<Spendable[]> => {
    const { keyId, headers, guessed } = await newKey(staff, kind, place, mode);
    const who = `a ${kind} key of mode ${mode} that was revoked`;
    const spend = () => staff.ask('mutation ($id: ID!) { revokeApiKey(keyId: $id) { keyId } }', { id: keyId });
    const key: Spendable = { who, families: familiesOf[kind], headers, guessed, end: 'told', spend };
    return kind === 'CONSUMER' ? [key, asBasic(key)] : [key];
  });
  return (await Promise.all(made)).flat();
}

/** The other spelling of a consumer key; it ends with the first. */
function asBasic({ who, headers, ...key }: Spendable): Spendable {
  const Authorization = String(headers['Authorization']).replace(/^Bearer/, 'Basic');
  return { ...key, who: `${who}, as Basic`, headers: { Authorization }, spend: async () => undefined };
}

/** What belongs to a merchant and ends with it: keys of its own and of its terminal, tokens of its client. */
export async function credentialsOfMerchant(world: World, staff: Staff, place: Place): Promise<Spendable[]> {
  const spend = async () => undefined;
  const keys = (['CHECKOUT', 'MERCHANT'] as const).map(async (kind): Promise<Spendable> => {
    const { headers, guessed } = await newKey(staff, kind, place);
    const families = familiesOf[kind];
    return { who: `a ${kind} key of a deleted merchant`, families, headers, guessed, end: 'told', spend };
  });
  const client = await newClient(world, staff, 'payments', place.merchantId);
  const headers = bearer(await accessTokenOf(world, client));
  const who = 'an access token of the client of a deleted merchant';
  return [...(await Promise.all(keys)), { who, families: ['payments'], headers, end: 'wordless', spend }];
}
