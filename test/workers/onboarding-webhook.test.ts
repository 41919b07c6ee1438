// What an application's webhooks are told, how they authenticate, and what their answers mean (administration interface, Events; 2.3-B and 2.4-A of the decision register).
import { createHmac } from 'node:crypto';
import { type Callback, callbackDefinitions, newSigningSecret } from '../../subgraphs/notifications';
import type { Sealed } from '../../subgraphs/shared/crypto/vault';
import { newId } from '../../subgraphs/shared/ids';
import type { EventRecord, NewEvent } from '../../subgraphs/shared/store/unit-of-work';
import { waitsMs } from '../../workers/retry';
import { eventually } from '../support/stores';
import { executeInSubgraph } from './graph';
import { type Received, type Receiver, startReceiver } from './receiver';
import { account, openWorld, type World } from './world';

let world: World;
let receiver: Receiver;
let sealed: Sealed;
const secret = newSigningSecret();
const authorization = 'Abcdef0123456789';

beforeAll(async () => {
  world = await openWorld();
  receiver = await startReceiver();
  sealed = await world.vault.seal({ owner: account, field: 'callback.authorization' }, authorization);
  await world.notifications.seedEndpoint({ accountId: account, kind: 'onboarding-webhook', secret });
  world.startOutbox();
  world.startCallbacks();
});
beforeEach(() => answer(200));
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const answer = (status: number, headers: Record<string, string> = {}) =>
  receiver.answer((_request, response) => void response.writeHead(status, headers).end('said'));
let applications = 1_000;
const hook = (path = '/hook', authorizationSealed: unknown = sealed) => ({
  url: `${receiver.url}${path}`,
  authorizationSealed,
});
function applicationEvent(partial: Partial<NewEvent> = {}): Partial<NewEvent> {
  applications += 1;
  const onboardingId = applications;
  return {
    type: 'onboarding.initiated',
    aggregateType: 'application',
    aggregateId: String(onboardingId),
    merchantId: 'a'.repeat(32),
    occurredAt: new Date('2026-11-21T11:00:01Z'),
    ...partial,
    data: {
      onboardingId,
      status: 'INITIATED',
      previousStatus: null,
      merchantId: 'a'.repeat(32),
      webhooks: [hook()],
      ...partial.data,
    },
  };
}
const build = (partial: Partial<NewEvent>) =>
  callbackDefinitions['onboarding-webhook'].build({
    ...applicationEvent(partial),
    _id: 'event-1',
    position: null,
  } as EventRecord);
const callsOf = (eventId: string | undefined) => receiver.received.filter((call) => call.eventId === eventId);
const rowsOf = async (eventId: string | undefined) =>
  (await world.callbacks()).filter((one) => one.eventId === eventId);
const until = (eventId: string | undefined, reached: (callback: Callback) => boolean) =>
  eventually(async () => (await rowsOf(eventId)).find(reached) ?? null);

/** As a receiver without a library would do it. */
function isGenuine({ headers, body }: Received): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

describe('what is told', () => {
  test('the envelope, signed, with the Authorization value exactly as configured', async () => {
    const [event] = await world.happen(applicationEvent());
    const call = await eventually(() => callsOf(event?._id)[0]);
    expect(JSON.parse(call.body)).toEqual({
      id: event?._id,
      merchantId: 'a'.repeat(32),
      timestamp: '2026-11-21T11:00:01.000Z',
      event: 'onboarding.initiated',
      data: { onboardingId: event?.data['onboardingId'], status: 'INITIATED' },
    });
    expect(call.rawHeaders[call.rawHeaders.indexOf('Authorization') + 1]).toBe(authorization);
    expect(isGenuine(call)).toBe(true);
    const kept = await until(event?._id, ({ status }) => status === 'DELIVERED');
    expect(JSON.stringify(kept)).not.toContain(authorization);
  });

  test("in the graph it is about the application, and names no merchant: the id that it holds may never be anybody's", async () => {
    const [event] = await world.happen(applicationEvent({ data: { webhooks: [hook('/of-nobody')] } }));
    const { callbackId, endpointId } = await until(event?._id, ({ status }) => status === 'DELIVERED');
    const source = `query ($callbackId: ID!, $endpointId: ID!) {
      callback(callbackId: $callbackId) { kind merchant { merchantId } application { id } }
      callbackEndpoint(endpointId: $endpointId) { kind lastOutcomes { delivered } merchants { merchantId } } }`;
    expect(await executeInSubgraph(world, source, { callbackId, endpointId })).toMatchObject({
      callback: { kind: 'ONBOARDING_WEBHOOK', merchant: null, application: { id: event?.aggregateId } },
      callbackEndpoint: { kind: 'ONBOARDING_WEBHOOK', lastOutcomes: { delivered: 1 }, merchants: [] },
    });
  });

  test('an approval carries the merchant number, an abandonment its reason', () => {
    const told = (partial: Partial<NewEvent>) => JSON.parse(build(partial)?.[0]?.body ?? '{}');
    const approved = { type: 'onboarding.approved', data: { status: 'APPROVED', merchantNumber: 100_007 } };
    expect(told(approved)).toMatchObject({ merchantNumber: 100_007, data: { status: 'APPROVED' } });
    const abandoned = { type: 'onboarding.abandoned', data: { status: 'ABANDONED', reason: 'expired' } };
    expect(told(abandoned).data).toEqual({ onboardingId: expect.any(Number), status: 'ABANDONED', reason: 'expired' });
    expect(told(abandoned)).not.toHaveProperty('merchantNumber');
  });

  test('each address of the event is told once, with its own Authorization value', async () => {
    const other = await world.vault.seal({ owner: account, field: 'callback.authorization' }, 'Other123456');
    const webhooks = [hook('/a'), hook('/b', other), hook('/a', other)];
    const [event] = await world.happen(applicationEvent({ data: { webhooks } }));
    await eventually(
      async () => (await rowsOf(event?._id)).filter(({ status }) => status === 'DELIVERED').length === 2,
    );
    const calls = callsOf(event?._id).map(({ path, headers }) => [path, headers.authorization]);
    expect(calls.sort()).toEqual([
      ['/a', authorization],
      ['/b', 'Other123456'],
    ]);
    expect(await rowsOf(event?._id)).toHaveLength(2);
  });

  test.each([
    ['an event that nobody asked for', { data: { webhooks: [] } }],
    ['an application without notifications', { data: { webhooks: undefined } }],
    ['an event of another type', { type: 'onboarding.linkSent' }],
    ['a type that is also a property of every object', { type: 'constructor' }],
  ])('nothing about %s', (_what, partial) => expect(build(partial)).toBeNull());

  test.each([
    ['without its status', () => ({ status: undefined }), 1],
    ['without its id', () => ({ onboardingId: undefined }), 1],
    ['with a webhook that is none', () => ({ webhooks: [hook('/c'), null, { url: 7 }] }), 1],
    ['whose webhooks are no list', () => ({ webhooks: 'https://example.com' }), 0],
  ])('an event %s is a defect that is kept, and holds up nothing', async (_what, data, rows) => {
    const [broken, next] = await world.happen(applicationEvent({ data: data() }), applicationEvent());
    await eventually(() => callsOf(next?._id)[0]);
    const kept = await rowsOf(broken?._id);
    expect(kept.map(({ status, reason }) => ({ status, reason }))).toEqual(
      Array.from({ length: rows }, () => ({ status: 'ENDED', reason: 'notBuildable' })),
    );
    expect(callsOf(broken?._id)).toEqual([]);
  });

  test('a value that cannot be opened now is not sent as anything else, and is tried again', async () => {
    const broken = { ...sealed, tag: Buffer.alloc(16).toString('base64') };
    const [event] = await world.happen(applicationEvent({ data: { webhooks: [hook('/d', broken)] } }));
    const failed = await until(event?._id, ({ tries }) => tries === 1);
    expect(failed).toMatchObject({ status: 'PENDING', attempts: [{ result: 'notOpened', status: null }] });
    expect(callsOf(event?._id)).toHaveLength(0);
  });

  test('the events of one application go in their order, those of another do not wait', async () => {
    // A pause longer than this test: the retry comes when the clock is moved, not before.
    answer(500, { 'Retry-After': '600' });
    const first = applicationEvent({ data: { webhooks: [hook('/order')] } });
    const second = { ...first, type: 'onboarding.awaiting_signature' };
    const other = applicationEvent({ data: { webhooks: [hook('/order')] } });
    const [one, two, three] = await world.happen(first, second, other);
    await until(one?._id, ({ tries }) => tries === 1);
    await until(three?._id, ({ tries }) => tries === 1);
    expect(callsOf(two?._id)).toEqual([]);
    answer(200);
    world.clock.advance(601_000);
    await until(two?._id, ({ status }) => status === 'DELIVERED');
    const order = receiver.received.filter(({ eventId }) => [one?._id, two?._id].includes(eventId));
    expect(order.map(({ eventId }) => eventId)).toEqual([one?._id, one?._id, two?._id]);
  });
});

describe('what an answer means', () => {
  test.each([404])('a %d is tried on after the third attempt, then any 2xx is good', async (status) => {
    answer(status);
    const path = `/retry-${status}`;
    const [event] = await world.happen(applicationEvent({ data: { webhooks: [hook(path)] } }));
    for (const tries of [1, 2, 3]) {
      await until(event?._id, (callback) => callback.tries === tries && callback.status === 'PENDING');
      if (tries === 3) answer(202);
      world.clock.advance((waitsMs[tries] ?? 0) * 1.1 + 1_000);
    }
    await until(event?._id, (callback) => callback.status === 'DELIVERED');
    const calls = callsOf(event?._id);
    expect(calls).toHaveLength(4);
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
    expect(calls.every(isGenuine)).toBe(true);
  });

  test('a 410 switches that one address off until it is enabled; then it can be sent again, the same event', async () => {
    answer(410);
    const webhooks = [hook('/gone')];
    const [gone] = await world.happen(applicationEvent({ data: { webhooks } }));
    const ended = await until(gone?._id, ({ open }) => !open);
    expect(ended).toMatchObject({ status: 'ENDED', reason: 'endpointGone' });
    answer(200);
    const [later, elsewhere] = await world.happen(applicationEvent({ data: { webhooks } }), applicationEvent());
    expect(await until(later?._id, ({ open }) => !open)).toMatchObject({ reason: 'endpointDisabled' });
    await until(elsewhere?._id, ({ status }) => status === 'DELIVERED');
    const enable = `mutation ($id: ID!) { enableCallbackEndpoint(endpointId: $id) { kind health { state } secrets { secretId } } }`;
    const { enableCallbackEndpoint } = await executeInSubgraph(world, enable, { id: ended.endpointId });
    expect(enableCallbackEndpoint).toEqual({ kind: 'ONBOARDING_WEBHOOK', health: { state: 'HEALTHY' }, secrets: [] });
    const resend = `mutation ($id: ID!) { redeliverCallback(callbackId: $id) { status } }`;
    await executeInSubgraph(world, resend, { id: ended.callbackId });
    await until(gone?._id, ({ status }) => status === 'DELIVERED');
    expect(callsOf(gone?._id).map(({ headers }) => headers.authorization)).toEqual([authorization, authorization]);
  });

  test.each([
    ['the case of one application', ['/boarding/4711', '/boarding/4712'], '/boarding/{id}'],
    ['one query of one application', ['/hook?case=4711', '/hook?case=4712'], '/hook?case={id}'],
  ])('a 410 for %s ends that callback alone', async (_what, [gone = '', there = ''], template) => {
    answer(410);
    const [first] = await world.happen(applicationEvent({ data: { webhooks: [hook(gone)] } }));
    const ended = await until(first?._id, ({ open }) => !open);
    expect(ended).toMatchObject({ status: 'ENDED', reason: 'endpointGone', address: `${receiver.url}${gone}` });
    answer(200);
    const [second] = await world.happen(applicationEvent({ data: { webhooks: [hook(there)] } }));
    const told = await until(second?._id, ({ open }) => !open);
    expect(told).toMatchObject({ status: 'DELIVERED', endpointId: ended.endpointId });
    const endpoint = await world.notifications.stores.endpoints.load(ended.endpointId);
    expect(endpoint).toMatchObject({ address: `${receiver.url}${template}`, health: { state: 'HEALTHY' } });
  });
});

describe('in the graph', () => {
  const read = `query ($id: ID!, $application: ID!) {
    onboardingEvent(eventId: $id) { eventId sequence type status previousStatus reason merchant { merchantId }
      application { id callbacks { edges { node { eventId kind status application { id } onboardingEvent { eventId } operation { operationId }
        endpoint { address } attempts { status } } } } timeline { edges { node { eventId sequence type } } } } }
    callbacks(filter: { applicationId: $application, kind: ONBOARDING_WEBHOOK }) { edges { node { eventId } } } }`;

  test('an event, its application with callbacks and timeline; foreign ones look absent', async () => {
    const first = applicationEvent({ data: { webhooks: [hook('/graph')] } });
    const data = { ...first.data, status: 'AWAITING_SIGNATURE', previousStatus: 'INITIATED' };
    const [created, completed] = await world.happen(first, { ...first, type: 'onboarding.awaiting_signature', data });
    await until(completed?._id, ({ status }) => status === 'DELIVERED');
    const variables = { id: completed?._id, application: first.aggregateId };
    const { onboardingEvent, callbacks } = await executeInSubgraph(world, read, variables, {
      ...world.staff,
      accountId: account,
    });
    expect(onboardingEvent).toMatchObject({
      eventId: completed?._id,
      sequence: 2,
      type: 'onboarding.awaiting_signature',
      status: 'AWAITING_SIGNATURE',
      previousStatus: 'INITIATED',
      reason: null,
      merchant: null,
      application: {
        id: first.aggregateId,
        callbacks: {
          edges: [completed, created].map((event) => ({
            node: {
              eventId: event?._id,
              kind: 'ONBOARDING_WEBHOOK',
              application: { id: first.aggregateId },
              onboardingEvent: { eventId: event?._id },
              operation: null,
              attempts: [{ status: 200 }],
              endpoint: { address: `${receiver.url}/graph` },
            },
          })),
        },
        timeline: {
          edges: [created, completed].map((event, index) => ({ node: { eventId: event?._id, sequence: index + 1 } })),
        },
      },
    });
    expect(callbacks).toMatchObject({
      edges: [{ node: { eventId: completed?._id } }, { node: { eventId: created?._id } }],
    });
    const foreign = await executeInSubgraph(world, read, variables, { ...world.staff, accountId: 'beta' });
    expect(foreign).toEqual({ onboardingEvent: null, callbacks: { edges: [] } });
    const absent = await executeInSubgraph(world, read, { ...variables, id: newId() });
    expect(absent['onboardingEvent']).toBeNull();
  });
});
