// A platform in miniature for the command line's tests: token endpoint, key set, cards, health, graph over HTTP and WebSocket.
import { createPublicKey } from 'node:crypto';
import { WebSocketServer } from 'ws';
import { nextRsaKey } from '../support/rsa-keys';
import { openServer, type Reply, type SeenRequest, type SmallServer, temporaryFile } from './running';

const privateKey = nextRsaKey();
export const privateJwk = { ...privateKey.export({ format: 'jwk' }), kid: 'key-of-the-test', use: 'enc' };
const publicJwk = {
  ...createPublicKey(privateKey).export({ format: 'jwk' }),
  kid: privateJwk.kid,
  use: 'enc',
  alg: 'RSA-OAEP-256',
};

export const apiKey = 'api-key-that-must-not-show';
export const clientSecret = 'client-secret-that-must-not-show';
const bearerPair = `Bearer ${Buffer.from(`consumer:${clientSecret}`).toString('base64')}`;
export const accessToken = 'at_issued-by-the-test';
export const cursorOf = (position: number) => Buffer.from(`position ${position}`).toString('base64url');

export interface Item {
  eventId: string;
  sequence: number;
  cursor: string;
  occurredAt: string;
  type: string;
  virtualAccount?: { virtualAccountId: string; state: string } | null;
  operationType?: string | null;
  operationResult?: string | null;
  operation?: {
    operationId: string;
    orderId: string | null;
    operationAmount: string;
    operationCurrency: string;
  } | null;
}

export interface MiniaturePlatform extends SmallServer {
  credentialsPath: string;
  /** What the log holds, in commit order. */
  log: Item[];
  /** `variables.after` of each subscription, in order. */
  resumedAfter: (string | undefined)[];
  /** Close the socket with that code after this many items; used once. */
  cutAfter: { items: number; code: number } | null;
  /** Codes with which the next subscriptions are refused, one each. */
  refusals: string[];
  /** Answers instead of the usual ones. */
  override: (request: SeenRequest) => Reply | null;
}

export async function openPlatform(): Promise<MiniaturePlatform> {
  const server = await openServer((request) => platform.override(request) ?? usualReply(request));
  const platform: MiniaturePlatform = Object.assign(server, {
    credentialsPath: temporaryFile('sandbox-credentials.json', JSON.stringify(credentialsFor(server.origin))),
    log: [],
    resumedAfter: [],
    cutAfter: null,
    refusals: [],
    override: () => null,
  });
  serveSubscriptions(platform);
  return platform;
}

function credentialsFor(origin: string) {
  const client = (clientId: string) => ({ clientId, clientSecret });
  return {
    urls: {
      rest: origin,
      auth: origin,
      graph: `${origin}/graphql`,
      subscriptions: `${origin.replace('http', 'ws')}/graphql`,
      metrics: `${origin}/metrics`,
      pay: origin,
      shop: origin,
      acs: origin,
    },
    sandboxKey: 'sandbox-key',
    graph: { admin: client('graph-admin'), viewer: client('graph-viewer') },
    tenants: {
      alpha: {
        merchantId: 'merchant-alpha-1',
        tokenization: { ...client('tokenization-alpha'), privateJwk },
        payments: client('payments-alpha'),
        merchantNumber: 100_001,
        checkout: { implicit: { apiKey }, explicit: { apiKey } },
        admin: { consumerKey: 'consumer', consumerSecret: clientSecret },
        partner: { secretApiKey: apiKey },
        reporting: { merchantApiKey: apiKey, partnerApiKey: apiKey },
      },
    },
  };
}

function usualReply({ method, path, body, headers }: SeenRequest): Reply {
  if (method === 'POST' && path === '/token') {
    return { json: { token_type: 'Bearer', expires_in: 3600, access_token: accessToken } };
  }
  if (path === '/.well-known/jwks.json') return { json: { keys: [publicJwk] } };
  if (path === '/api/v1/payment_methods' && headers['x-api-key'] === apiKey)
    return { json: { paymentMethods: [{ paymentService: 'CARDS' }, { paymentService: 'PAYPAL' }] } };
  const isKnown = headers.authorization === apiKey;
  if (method === 'PUT') return { status: headers.authorization === bearerPair ? 400 : 401, json: {} };
  if (path === '/partner/v1/onboarding/0') return { status: isKnown ? 404 : 401, json: {} };
  if (path.startsWith('/report/v1/payouts?')) return { status: isKnown ? 200 : 401, json: {} };
  if (path === '/sandbox/cards') return { json: [{ number: '4242424242424242', outcome: 'accepted' }] };
  if (path === '/graphql' && body.includes('redeliverCallback')) {
    const { callbackId } = (JSON.parse(body) as { variables: { callbackId: string } }).variables;
    return { json: { data: { redeliverCallback: { callbackId, eventId: 'event-1' } } } };
  }
  if (path === '/graphql') return { json: { data: { __typename: 'Query' } } };
  return ['/healthz', '/readyz', '/metrics'].includes(path)
    ? { text: 'ok' }
    : { status: 404, json: { message: 'absent' } };
}

/** graphql-transport-ws as far as one subscription needs it. */
function serveSubscriptions(platform: MiniaturePlatform): void {
  const sockets = new WebSocketServer({ server: platform.server, handleProtocols: () => 'graphql-transport-ws' });
  sockets.on('connection', (socket) => {
    socket.on('message', (raw) => {
      const message = JSON.parse(String(raw)) as { id: string; type: string; payload?: Record<string, unknown> };
      if (message.type === 'connection_init') {
        if (message.payload?.['authorization'] !== `Bearer ${accessToken}`) return socket.close(4403, 'Forbidden');
        return socket.send(JSON.stringify({ type: 'connection_ack' }));
      }
      if (message.type !== 'subscribe') return;
      const { after } = (message.payload?.['variables'] ?? {}) as { after?: string };
      const field = /(tokenEvents|operationEvents)\(/.exec(String(message.payload?.['query']))?.[1] ?? '';
      platform.resumedAfter.push(after);
      const code = platform.refusals.shift();
      if (code) {
        const payload = [{ message: `refused as ${code}`, extensions: { code } }];
        return socket.send(JSON.stringify({ id: message.id, type: 'error', payload }));
      }
      const seen = platform.log.findIndex((item) => item.cursor === after);
      let sent = 0;
      for (const item of platform.log.slice(seen + 1)) {
        const { cutAfter } = platform;
        if (cutAfter && sent === cutAfter.items) {
          platform.cutAfter = null;
          return socket.close(cutAfter.code, 'cut by the test');
        }
        socket.send(JSON.stringify({ id: message.id, type: 'next', payload: { data: { [field]: item } } }));
        sent += 1;
      }
    });
  });
}
