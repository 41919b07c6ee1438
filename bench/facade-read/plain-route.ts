// GET /virtual-accounts/{id} in plain code, for the comparison cases: same credential check (1 s cache), same validation, same read, same answer as the product's.
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type Document, MongoClient } from 'mongodb';

interface PlainAnswer {
  status: number;
  body: Record<string, unknown>;
}

export type PlainRoute = (headers: IncomingHttpHeaders, virtualAccountId: string) => Promise<PlainAnswer>;

const cachedMs = 1_000;
const identifier = { type: 'string', pattern: '^[A-Za-z0-9-]{1,36}$' } as const;
const uuid = { type: 'string', format: 'uuid' } as const;
const ajv = new Ajv2020();
addFormats(ajv);
const areHeadersValid = ajv.compile({
  type: 'object',
  required: ['x-acquirer-id', 'x-provider-id', 'x-psp-id', 'x-request-id'],
  properties: {
    'x-acquirer-id': identifier,
    'x-provider-id': identifier,
    'x-psp-id': identifier,
    'x-request-id': uuid,
  },
});
const isId = ajv.compile(uuid);
const refused = (status: number): PlainAnswer => ({ status, body: { message: 'refused' } });

type Records = Document & { _id: string };

/** Connects to the product's database, so that all cases read the same documents. */
export async function createPlainRoute(mongoUri: string): Promise<PlainRoute> {
  const database = (await MongoClient.connect(mongoUri, { readConcern: { level: 'majority' }, maxPoolSize: 32 })).db();
  const tokens = database.collection<Records>('access_tokens');
  const clients = database.collection<Records>('clients');
  const accounts = database.collection<Records>('virtual_accounts');
  const cache = new Map<string, { askedAt: number; client: Promise<Document | null> }>();

  async function findClient(hash: string): Promise<Document | null> {
    const token = await tokens.findOne({ _id: hash, environment: 'sandbox' });
    if (!token || token['revokedAt'] !== null || token['expiresAt'] <= new Date()) return null;
    return clients.findOne({ _id: token['clientId'], environment: 'sandbox' });
  }

  function authenticate(authorization: string | undefined): Promise<Document | null> {
    if (!authorization?.startsWith('Bearer ')) return Promise.resolve(null);
    const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest('base64url');
    const cached = cache.get(hash);
    if (cached && performance.now() - cached.askedAt < cachedMs) return cached.client;
    const client = findClient(hash);
    cache.set(hash, { askedAt: performance.now(), client });
    return client;
  }

  return async (headers, virtualAccountId) => {
    const client = await authenticate(headers.authorization);
    if (client?.['status'] !== 'ACTIVE') return refused(401);
    if (!areHeadersValid(headers)) return refused(400);
    const isOwn = (client['identifiers'] as Document[]).some(
      (own) =>
        own['acquirerId'] === headers['x-acquirer-id'] &&
        own['providerId'] === headers['x-provider-id'] &&
        own['pspId'] === headers['x-psp-id'],
    );
    if (!isOwn) return refused(403);
    if (!isId(virtualAccountId)) return refused(404);
    const filter = { environment: 'sandbox', accountId: client['accountId'], _id: virtualAccountId };
    const account = await accounts.findOne(filter);
    if (!account) return refused(404);
    const { state, par } = account;
    return { status: 200, body: { virtualAccountId, virtualAccountState: state, par: par ?? undefined } };
  };
}
