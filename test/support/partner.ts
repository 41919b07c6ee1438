// A partner's client of the tokenization interface as a test needs it: gets access tokens, seals card data with jose, calls the documented paths, opens results.
import { CompactEncrypt, type CryptoKey, compactDecrypt, importJWK } from 'jose';
import { newId } from '../../subgraphs/shared/ids';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { type Answer, rest, send } from './client';
import { eventually } from './stores';
import type { TokenizationCredentials, World } from './world';

export interface Card {
  account: string;
  accountExpiry: string;
  cvv?: string;
  name?: string;
}

export interface Partner {
  credentials: TokenizationCredentials;
  accessToken: string;
  /** The five documented headers; a fresh X-Request-ID each time. */
  headers(more?: Record<string, string>): Record<string, string>;
  seal(payload: unknown): Promise<string>;
  /** Opens what the platform sealed to this partner. */
  open(encryptedData: string): Promise<Record<string, string>>;
  createToken(card: Card, headers?: Record<string, string>): Promise<Answer>;
  createTransaction(
    virtualAccountId: string,
    info?: Partial<TransactionInfo>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  deleteToken(virtualAccountId: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  read(virtualAccountId: string): Promise<Answer>;
  /** Any documented call with this partner's headers. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

interface TransactionInfo {
  transactionId: string;
  transactionDateTime: string;
  amount: string;
  currencyCode: string;
}

/** A partner of the named tenant with a fresh access token. */
export async function partnerOf(world: World, tenant: 'alpha' | 'beta', scope?: string): Promise<Partner> {
  const credentials = world.credentials.tenants[tenant].tokenization;
  const accessToken = await accessTokenOf(world, credentials, scope);
  const client = rest(world.urls.rest);
  const headers = (more: Record<string, string> = {}) => ({
    Authorization: `Bearer ${accessToken}`,
    'X-Acquirer-ID': credentials.acquirerId,
    'X-Provider-ID': credentials.providerId,
    'X-PSP-ID': credentials.pspId,
    'X-Request-ID': newId(),
    ...more,
  });
  const call: Partner['call'] = (method, path, body, more) =>
    client.call(method, path, { headers: headers(more), body });
  const { merchantId } = credentials;
  const seal: Partner['seal'] = async (payload) => sealWith(await currentKey(world), payload);

  return {
    credentials,
    accessToken,
    headers,
    seal,
    open: (encryptedData) => openWith(credentials.privateJwk, encryptedData),
    createToken: async (card, more) =>
      call(
        'POST',
        '/virtual-accounts/token',
        { merchantInfo: { merchantId }, accountInfo: { encryptedData: await seal(card) } },
        more,
      ),
    createTransaction: async (virtualAccountId, info = {}, more = {}) =>
      call(
        'POST',
        `/virtual-accounts/${virtualAccountId}/transaction`,
        { merchantInfo: { merchantId }, transactionInfo: { ...(await transactionInfo(world)), ...info } },
        more,
      ),
    deleteToken: (virtualAccountId, body = { tokenState: 'DELETE', reasonCode: '1023' }, more = {}) =>
      call('PUT', `/virtual-accounts/${virtualAccountId}/tokenState`, body, more),
    read: (virtualAccountId) => call('GET', `/virtual-accounts/${virtualAccountId}`),
    call,
  };
}

/** An access token for any client of the credentials file. */
export async function accessTokenOf(
  world: World,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  scope?: string,
): Promise<string> {
  const answer = await send(world.urls.auth, {
    method: 'POST',
    path: '/token',
    options: {
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...withoutUndefined({ scope: scope || undefined }),
      }).toString(),
    },
  });
  if (answer.status !== 200) throw new Error(`no access token: ${answer.status} ${answer.text}`);
  return answer.body.access_token;
}

/** A move of a shared clock that no open visit of another test file notices: a challenge waits ten minutes. */
const sharedMoveMsMax = 6 * 60_000;

/** A control call of the sandbox, checked against OpenAPI. Throws when it would move the clock of the shared program far. */
export function sandboxCall(world: World, method: string, path: string, body?: unknown): Promise<Answer> {
  const { advanceMs = 0 } = (body ?? {}) as { advanceMs?: number };
  if (world.isShared && advanceMs > sharedMoveMsMax)
    throw new Error(
      'the clock of the shared program is not moved that far: use startWorld() for a program of your own',
    );
  return rest(world.urls.rest, { 'X-Sandbox-Key': world.credentials.sandboxKey }).call(method, path, { body });
}

export interface ReceivedRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** What came to the built-in receiver, oldest first; of a callback that came again, which is allowed, the first only. */
export async function receivedBy(world: World): Promise<ReceivedRequest[]> {
  const { body } = await sandboxCall(world, 'GET', '/sandbox/receiver/requests');
  const known = new Set<string>();
  return (body as ReceivedRequest[]).filter(({ path, headers }) => {
    const callback = `${path} ${headers['webhook-id']}`;
    const isNew = !known.has(callback);
    known.add(callback);
    return isNew;
  });
}

/** A query or mutation on the graph, as `graph.admin` unless another access token is given. */
export async function graph(
  world: World,
  query: string,
  variables: object = {},
  accessToken?: string,
): Promise<Answer['body']> {
  const bearer = accessToken ?? (await accessTokenOf(world, world.credentials.graph.admin));
  const answer = await send(world.urls.graph, {
    method: 'POST',
    path: '/graphql',
    options: { headers: { authorization: `Bearer ${bearer}` }, body: { query, variables } },
  });
  return answer.body;
}

/** A Luhn-valid VISA number that no table names, different at every call. */
export function freshCardNumber(prefix = '4'): string {
  const digits = `${prefix}${String(process.hrtime.bigint()).slice(-9)}${Math.floor(Math.random() * 1e9)}`
    .padEnd(15, '0')
    .slice(0, 15);
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

async function transactionInfo(world: World): Promise<TransactionInfo> {
  const { body } = await sandboxCall(world, 'GET', '/sandbox/clock');
  return {
    transactionId: newId(),
    transactionDateTime: new Date(body.now).toISOString().replace(/\D/g, '').slice(0, 14),
    amount: '000000001999',
    currencyCode: '978',
  };
}

async function currentKey(world: World): Promise<{ key: CryptoKey | Uint8Array; kid: string }> {
  const { body } = await eventually(async () => {
    const answer = await rest(world.urls.rest).call('GET', '/.well-known/jwks.json');
    if (answer.status !== 200) throw new Error(`the key set answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer;
  });
  const jwk = body.keys.find(
    (candidate: { kty: string; use: string }) => candidate.kty === 'RSA' && candidate.use === 'enc',
  );
  return { key: await importJWK(jwk, 'RSA-OAEP-256'), kid: jwk.kid };
}

function sealWith({ key, kid }: { key: CryptoKey | Uint8Array; kid: string }, payload: unknown): Promise<string> {
  return new CompactEncrypt(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid })
    .encrypt(key);
}

async function openWith(
  jwk: TokenizationCredentials['privateJwk'],
  encryptedData: string,
): Promise<Record<string, string>> {
  const { plaintext } = await compactDecrypt(encryptedData, await importJWK(jwk, 'RSA-OAEP-256'));
  return JSON.parse(Buffer.from(plaintext).toString('utf8'));
}
