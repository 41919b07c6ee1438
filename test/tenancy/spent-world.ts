// A world in which credentials of every kind have come to their end in every way, each tried at its doors while it was good; and everything of alpha's that they might still be aimed at.
import { Client as Socket } from '../gateway/subscription-client';
import { administrationOf, merchantBody } from '../support/administration';
import { type Answer, send } from '../support/client';
import { databasePrint } from '../support/database-print';
import { accessTokenOf, sandboxCall } from '../support/partner';
import { eventually, openStores, type Stores } from '../support/stores';
import { type TwoTenants, twoTenants } from '../support/two-tenants';
import { type ClientCredentials, startWorld, type World } from '../support/world';
import { absent, askWith, documentedRoutes, requestsOf } from './documented-requests';
import {
  callAuthorization,
  credentialsOfMerchant,
  expiringTokens,
  newClient,
  newPlace,
  type Place,
  type Spendable,
  type Staff,
  spendableKeys,
  spendableTokens,
  staffOf,
} from './spendable-credentials';

type Requests = Awaited<ReturnType<typeof requestsOf>>;
type Headers = Readonly<Record<string, string>>;

/** A credential after its end, with what it did while it was good. */
export interface Spent extends Spendable {
  former: Requests;
  /** How those requests were answered, by route or question. */
  answered: Record<string, number>;
  /** Of a credential of the graph: a socket from then. */
  socket?: Socket;
}

/** What somebody logs in with in vain now, and an access token that was issued for it before. */
interface SpentLogin {
  login: ClientCredentials;
  accessToken: string;
}

export const spentLogins = [
  'a secret a day after its rotation',
  'a secret that was rotated twice',
  'a disabled client',
  'the client of a deleted merchant',
] as const;

export interface SpentWorld {
  world: World;
  tenants: TwoTenants;
  spent: Spent[];
  logins: Record<(typeof spentLogins)[number], SpentLogin>;
  /** Requests about what alpha really has. */
  aimed: Requests;
  /** Alpha as it looks from outside, and the whole database: equal before and after means that nothing was changed. */
  everything(): Promise<object>;
  close(): Promise<void>;
}

const secretOverlapMs = 24 * 3_600_000;
/** How long a credential may go on working after its end, anywhere. */
const promiseMs = 1_000;
/** So long after the deletion of a merchant the janitor is done with it. */
const lateCallsMs = 20_000;

export async function openSpentWorld(): Promise<SpentWorld> {
  const stores = await openStores();
  const world = await startWorld({ env: { MONGODB_URI: stores.mongoUri, REDIS_URL: stores.redisUrl } });
  const { early, expired } = await letExpire(world);
  const { revoked, logins, spentMs } = await revokeAll(world, stores);
  const tenants = await twoTenants(world);
  const { merchantId } = merchantBody();
  await administrationOf(world, 'alpha').create(merchantBody({ merchantId }));
  const aimed = await requestsOf(world, { ...tenants.ids, merchantId });
  await eventually(() => performance.now() - spentMs >= promiseMs);
  await quiet(stores);
  const spent = [...expired, ...revoked];
  return {
    world,
    tenants,
    spent,
    aimed,
    logins: { 'a secret a day after its rotation': early, ...logins },
    everything: async () => ({ alpha: await tenants.fingerprint(), database: await databasePrint(stores.connection) }),
    async close() {
      for (const { socket } of spent) socket?.close();
      await world.stop();
      await stores.close();
    },
  };
}

const advance = (world: World, advanceMs: number) => sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs });

/** What ends by itself: the secret before a rotation, and access tokens. Both end with the last move of the clock. */
async function letExpire(world: World): Promise<{ early: SpentLogin; expired: Spent[] }> {
  const early = await rotatedLogin(world, await staffOf(world), 1);
  const { expires_in } = (
    await callAuthorization(world, early.login, { path: '/token', form: { grant_type: 'client_credentials' } })
  ).body as { expires_in: number };
  await advance(world, secretOverlapMs - expires_in * 1_000);
  const expired = await whileGood(world, await expiringTokens(world, await staffOf(world)));
  await advance(world, expires_in * 1_000);
  return { early, expired };
}

/** What is ended by somebody; `spentMs` is when the last of it was. */
async function revokeAll(world: World, stores: Stores) {
  const staff = await staffOf(world);
  const place = await newPlace(world, staff);
  const disabled = await loginOf(world, await newClient(world, staff, 'tokenization'));
  const logins = {
    'a secret that was rotated twice': await rotatedLogin(world, staff, 2),
    'a disabled client': disabled,
    'the client of a deleted merchant': await loginOf(
      world,
      await newClient(world, staff, 'payments', place.merchantId),
    ),
  };
  const revoked = await whileGood(world, [
    ...(await spendableTokens(world, staff)),
    ...(await spendableKeys(world, staff)),
    ...(await credentialsOfMerchant(world, staff, place)),
  ]);
  for (const { spend } of revoked) await spend();
  const { clientId } = disabled.login;
  await staff.ask('mutation ($id: ID!) { disableClient(clientId: $id) { clientId } }', { id: clientId });
  await deleteMerchant(world, stores, staff, place);
  return { revoked, logins, spentMs: performance.now() };
}

async function deleteMerchant(world: World, { connection }: Stores, { ask }: Staff, { merchantId }: Place) {
  const remove = 'mutation ($id: ID!) { deleteMerchant(merchantId: $id, userId: "a test") { merchantId } }';
  await ask(remove, { id: merchantId });
  await advance(world, lateCallsMs);
  await eventually(() => connection.collection('merchants').findOne({ merchantId, 'deletion.isDone': true }));
}

async function loginOf(world: World, login: ClientCredentials): Promise<SpentLogin> {
  return { login, accessToken: await accessTokenOf(world, login) };
}

async function rotatedLogin(world: World, staff: Staff, times: number): Promise<SpentLogin> {
  const former = await loginOf(world, await newClient(world, staff, 'payments'));
  const rotate = 'mutation ($id: ID!) { rotateClientSecret(clientId: $id) { clientSecret } }';
  for (let time = 0; time < times; time += 1) await staff.ask(rotate, { id: former.login.clientId });
  return former;
}

/** Tries each credential at every door that takes it, about nothing that is there: what makes something new succeeds. */
function whileGood(world: World, credentials: readonly Spendable[]): Promise<Spent[]> {
  return Promise.all(
    credentials.map(async (credential) => {
      const { families, headers } = credential;
      const own = documentedRoutes.filter(({ family, isOpen }) => !isOpen && families.includes(family));
      const former = await requestsOf(world, absent(), own);
      const answered: Record<string, number> = {};
      for (const [{ method, path }, request] of former)
        answered[`${method} ${path}`] = await statusOf(() => askWith(world, request, headers));
      if (!families.includes('graph')) return { ...credential, former, answered };
      for (const [name, question] of Object.entries(graphQuestions))
        answered[name] = await statusOf(() => askGraph(world, question, headers));
      return { ...credential, former, answered, socket: await openSocket(world, headers) };
    }),
  );
}

/** Of an answer that is not "come again": a busy machine may tell anybody so. */
function statusOf(ask: () => Promise<Answer>): Promise<number> {
  return eventually(async () => {
    const { status } = await ask();
    return status === 503 ? null : status;
  });
}

export interface GraphQuestion {
  method: string;
  path: string;
  body?: object;
}

const asked = (query: string): GraphQuestion => ({ method: 'POST', path: '/graphql', body: { query } });

/** Alpha's own merchant is there from the start. */
const merchant = 'merchantId: "merchant-alpha-1"';

const graphMutation = `mutation { updateMerchant(${merchant}, input: { merchantCity: "Oslo" }) { merchantId } }`;

export const graphQuestions: Readonly<Record<string, GraphQuestion>> = {
  'a query': asked(`{ merchant(${merchant}) { name } }`),
  'a query by GET': { method: 'GET', path: `/graphql?query=${encodeURIComponent('{ __typename }')}` },
  'a mutation': asked(graphMutation),
  'a field that is not there': asked('{ nothing }'),
};

export function askGraph(world: World, { method, path, body }: GraphQuestion, headers: Headers): Promise<Answer> {
  const preflight = { 'apollo-require-preflight': 'true' };
  return send(world.urls.graph, { method, path, options: { headers: { ...preflight, ...headers }, body } });
}

/** A socket that was told the credential; it is acknowledged or closed. */
export function openSocket(world: World, { Authorization }: Headers): Promise<Socket> {
  return Socket.open(world.urls.subscriptions, Authorization?.replace(/^Bearer /, ''));
}

/** Waits until what was set going before has come to its end. */
async function quiet({ connection }: Stores): Promise<void> {
  let last = '';
  const isSame = async () => {
    const before = last;
    last = JSON.stringify(await databasePrint(connection));
    return last === before;
  };
  await eventually(isSame, { everyMs: 1_000 });
}
