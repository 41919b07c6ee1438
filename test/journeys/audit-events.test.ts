// What comes into the audit is a live event like any other: of merchants, terminals, keys, clients, people, proposals, exports and looks, to whoever may read the audit, and resumed behind its cursor.
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { StreamClient } from '../gateway/stream-client';
import { accessTokenOf, graph } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { acts, type Done, newClient, newKey, newMerchant } from './audit-acts';

interface Item {
  eventId: string;
  cursor: string;
  type: string;
  requestId: string | null;
  merchant: { merchantId: string } | null;
  action?: string;
  subjectType?: string;
  subjectId?: string;
  record?: { auditId: string; actor: string; action: string; accountId: string | null };
}

const document = `subscription ($filter: EventFilter, $after: String) { events(filter: $filter, after: $after) {
  eventId cursor type requestId merchant { merchantId }
  ... on AuditEvent { action subjectType subjectId record { auditId actor action accountId } } } }`;
const ofAudit = { filter: { types: ['audit.recorded'] } };

let world: World;
let tokens: Record<'admin' | 'beta' | 'alpha' | 'listener', string>;
let staff: Item[];
let beta: Item[];
let alpha: Item[];
const clients: Client[] = [];
const streams: StreamClient[] = [];

function follow(token: string, variables: object = ofAudit) {
  const connectionParams = { authorization: `Bearer ${token}` };
  const client = createClient({ url: world.urls.subscriptions, webSocketImpl: WebSocket, connectionParams });
  clients.push(client);
  const items: Item[] = [];
  const faults: unknown[] = [];
  client.subscribe<{ events: Item }>(
    { query: document, variables: { ...variables } },
    {
      next: ({ data }) => data && items.push(data.events),
      error: (fault) => faults.push(fault),
      complete: () => undefined,
    },
  );
  return { items, faults };
}

async function stream(token: string, search: string, headers: Record<string, string> = {}): Promise<StreamClient> {
  const client = await StreamClient.open(world.urls.subscriptions, token, { search, headers });
  streams.push(client);
  return client;
}

beforeAll(async () => {
  world = await sharedWorld();
  const [admin, ...own] = await Promise.all([
    accessTokenOf(world, world.credentials.graph.admin),
    ...(
      [
        ['beta', ['graph:read']],
        ['alpha', ['graph:read']],
        ['beta', ['graph:events:read', 'graph:merchants:read']],
      ] as const
    ).map(async ([accountId, scopes]) => accessTokenOf(world, await newClient(world, { accountId, scopes }))),
  ]);
  tokens = { admin, beta: own[0] ?? '', alpha: own[1] ?? '', listener: own[2] ?? '' };
  const followed = [follow(tokens.admin), follow(tokens.beta), follow(tokens.alpha)];
  [staff, beta, alpha] = followed.map(({ items }) => items) as [Item[], Item[], Item[]];
  await eventually(async () => {
    await Promise.all([newMerchant(world, 'alpha'), newMerchant(world, 'beta')]);
    return followed.every(({ items }) => items.length > 0);
  });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()));
  for (const one of streams) one.close();
  await world?.stop();
});

const about =
  ({ action, subjectId }: Done, from = 0) =>
  (item: Item, index: number) =>
    index >= from && item.action === action && item.subjectId === subjectId;

test.each(Object.entries(acts))('%s', async (_what, run) => {
  const from = staff.length;
  const done = await run(world);
  const item = await eventually(() => staff.find(about(done, from)));
  expect(item).toMatchObject({
    type: 'audit.recorded',
    cursor: expect.any(String),
    merchant: done.merchantId ? { merchantId: done.merchantId } : null,
    record: { action: done.action, accountId: done.accountId },
  });
  // What it tells of the record is what the record has.
  const records = 'query ($s: ID!) { auditRecords(subjectId: $s, first: 20) { edges { node { auditId requestId } } } }';
  const { data } = await graph(world, records, { s: done.subjectId }, tokens.admin);
  const own = (data.auditRecords.edges as { node: object }[]).map(({ node }) => node);
  expect(own).toContainEqual({ auditId: item.record?.auditId, requestId: item.requestId });

  if (done.accountId === 'beta') await eventually(() => beta.some(({ eventId }) => eventId === item.eventId));
  // Behind what is somebody else's comes what is alpha's: that is told, and nothing else was.
  const marker = await newMerchant(world, 'alpha');
  await eventually(() => alpha.some(({ subjectId }) => subjectId === marker));
  await eventually(() => staff.some(({ subjectId }) => subjectId === marker));
  const foreign = done.accountId === 'beta' ? alpha : [...alpha, ...beta];
  expect(foreign.filter(({ eventId }) => eventId === item.eventId)).toEqual([]);
});

test('a cursor goes on with the next: over WebSocket, and by Last-Event-ID', async () => {
  for (let count = 0; count < 4; count += 1) await newMerchant(world);
  const last = await newMerchant(world);
  await eventually(() => staff.some(({ subjectId }) => subjectId === last));
  const known = [...staff];
  const at = known.length - 4;
  const missed = known.slice(at + 1).map(({ eventId }) => eventId);
  const cursor = String(known[at]?.cursor);
  const socket = follow(tokens.admin, { ...ofAudit, after: cursor });
  const streamed = await stream(tokens.admin, '?types=audit.recorded', { 'last-event-id': cursor });
  await eventually(() => socket.items.length >= missed.length && streamed.events().length >= missed.length);
  expect(socket.items.slice(0, missed.length).map(({ eventId }) => eventId)).toEqual(missed);
  const told = streamed.events().map(({ data }) => data?.['eventId']);
  expect(told.slice(0, missed.length)).toEqual(missed);
});

test('narrowed to acts, and to a merchant', async () => {
  const cursor = String(staff.at(-1)?.cursor);
  const { keyId, merchantId } = await newKey(world);
  const ofKeys = await stream(tokens.beta, `?actions=apiKey.issued,apiKey.revoked&after=${cursor}`);
  const ofMerchant = await stream(tokens.admin, `?merchantIds=${merchantId}&after=${cursor}`);
  await eventually(() => ofKeys.events().some(({ data }) => data?.['subjectId'] === keyId));
  expect(new Set(ofKeys.events().map(({ data }) => String(data?.['action']).split('.')[0]))).toEqual(
    new Set(['apiKey']),
  );
  await eventually(() => ofMerchant.events().length >= 2);
  expect(ofMerchant.events().map(({ data }) => data?.['action'])).toEqual(['merchant.created', 'apiKey.issued']);
});

test('without the right to read the audit nothing of it is told, and asking for it is refused', async () => {
  const cursor = String(staff.at(-1)?.cursor);
  const key = await newKey(world);
  await eventually(() => staff.some(({ subjectId }) => subjectId === key.keyId));
  const all = await stream(tokens.listener, `?merchantIds=${key.merchantId}&after=${cursor}`);
  expect(all.status).toBe(200);
  for (const search of ['?types=audit.recorded', '?actions=apiKey.issued'])
    expect((await stream(tokens.listener, search)).status).toBe(403);
  for (const filter of [{ types: ['audit.recorded'] }, { actions: ['apiKey.issued'] }]) {
    const { faults } = follow(tokens.listener, { filter });
    await eventually(() => faults.length > 0);
    expect(JSON.stringify(faults)).toContain('forbidden');
  }
  const eventId = staff.find(({ subjectId }) => subjectId === key.keyId)?.eventId;
  const one = 'query ($ids: [ID!]!) { eventsById(eventIds: $ids) { type } }';
  const { data, errors } = await graph(world, one, { ids: [eventId] }, tokens.listener);
  expect([data, errors]).toEqual([{ eventsById: [null] }, undefined]);
  const seen = await stream(tokens.beta, `?merchantIds=${key.merchantId}&after=${cursor}`);
  await eventually(() => seen.events().length === 2);
  expect(all.events()).toEqual([]);
});
