// The authorization server on a socket, and a client that sends it exactly what a test says and shows what stood on the wire.
import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthorizationServer } from '../../rest-facade/authorization/authorization';
import { createAddressOf } from '../../subgraphs/shared/callers/caller-address';
import { createRateLimiter } from '../../subgraphs/shared/callers/rate-limit';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { createLog } from '../../subgraphs/shared/log/log';
import { openRedis } from '../../subgraphs/shared/store/redis';
import { eventually } from '../support/stores';
import { openWorld, type World } from './world';

/** Opened before the tests of the file that calls `withAuthorizationServer`. */
export let world: World;
export let server: Server;
let origin: string;
export const logged: string[] = [];
export const observed: [string, number][] = [];
const closers: (() => unknown)[] = [];

type Access = World['access'];
export type Credentials = { clientId: string; clientSecret: string };

/** One more authorization server, over another instance or without Redis. */
export async function serve(
  access: Access,
  { factor = 1, redisUrl = world.redisUrl, isSandbox = true, trustedProxies = '' } = {},
) {
  const redis = openRedis(redisUrl, 'requests');
  if (redisUrl === world.redisUrl) await eventually(() => redis.status === 'ready');
  const made = createAuthorizationServer({
    authenticateClient: access.authenticateClient,
    issueAccessToken: access.issueAccessToken,
    revokeAccessToken: access.revokeAccessToken,
    // Counts however slow Redis is: a call that was not counted in time would pass.
    limiter: createRateLimiter({ redis, factor, answerMsMax: 30_000 }),
    addressOf: createAddressOf(trustedProxies),
    refusalOf,
    isSandbox,
    log: createLog('trace', 'test', (line) => logged.push(line)),
    observe: (route, status) => observed.push([route, status]),
  });
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  closers.push(
    () => new Promise((resolve) => made.close(resolve)),
    () => redis.disconnect(),
    () => made.closeAllConnections(),
  );
  return { made, origin: `http://127.0.0.1:${(made.address() as AddressInfo).port}` };
}

/** Opens a world with an authorization server for this test file, and closes both. */
export function withAuthorizationServer(): void {
  beforeAll(async () => {
    world = await openWorld();
    ({ made: server, origin } = await serve(world.access));
  });

  afterAll(async () => {
    for (const close of closers.reverse()) await close();
    await world.closeAll();
  });
}

interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  to?: string;
}

export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Names and values as they stood on the wire. */
  rawHeaders: string[];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests know what they asked for
  json: any;
}

export function send({
  path = '/token',
  method = 'POST',
  headers = {},
  body = '',
  to = origin,
}: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${to}${path}`, { method, headers, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('end', () => {
        const isJson = incoming.headers['content-type'] === 'application/json' && text !== '';
        const { statusCode: status = 0, rawHeaders } = incoming;
        resolve({ status, headers: incoming.headers, rawHeaders, text, json: isJson ? JSON.parse(text) : undefined });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export const form = { 'content-type': 'application/x-www-form-urlencoded' };

export function basic({ clientId, clientSecret }: Credentials): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
}

export function askToken(credentials: Credentials, body = 'grant_type=client_credentials', rest: Sent = {}) {
  return send({ ...rest, headers: { ...form, ...basic(credentials), ...rest.headers }, body });
}

export function askRevocation(credentials: Credentials, body: string, rest: Sent = {}) {
  return askToken(credentials, body, { ...rest, path: '/revoke' });
}

export async function tokenOf(credentials: Credentials, to = origin): Promise<string> {
  const { json } = await askToken(credentials, 'grant_type=client_credentials', { to });
  return json.access_token;
}
