// A merchant's way into a whole program: the partner creates, the mail's link is opened without a script, completed, failed, completed, signed,
// approved; the partner's server hears each status, by webhook and by subscription, under one event id (onboarding interface and Events).
import { createHmac } from 'node:crypto';
import { createClient } from 'graphql-ws';
import type { BrowserContext, Page } from 'playwright-core';
import WebSocket from 'ws';
import { signingStrings } from '../../pages/sign/signing-strings';
import { onboardingOf } from '../support/onboarding';
import { accessTokenOf, graph, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { type Received, type Receiver, startReceiver } from '../workers/receiver';
import { openBrowser } from './page-world';

let world: World;
let browser: BrowserContext;
let receiver: Receiver;
beforeAll(async () => {
  [world, browser, receiver] = await Promise.all([
    sharedWorld(),
    openBrowser({ javaScriptEnabled: false, locale: 'en' }),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await receiver?.close();
  await world?.stop();
});

const said = signingStrings.da;
const names = ['initiated', 'awaiting_signature', 'signature_failed', 'processing', 'approved', 'abandoned'];
/** What happens below, in order; a form sent again is a second request for the signature. */
const life = ['initiated', 'awaiting_signature', 'signature_failed', 'awaiting_signature', 'processing', 'approved'];
const authorization = 'Partner0Webhook1';

interface Item {
  eventId: string;
  sequence: number;
  cursor: string;
  type: string;
  application: { id: string; status: string } | null;
}

const document = `subscription ($id: ID!, $after: String) { onboardingEvents(applicationId: $id, after: $after) {
  eventId sequence cursor occurredAt type application { id status } } }`;

/** The events of an application since a cursor. */
async function follow(id: string, after: string | null) {
  const token = await accessTokenOf(world, world.credentials.graph.viewer);
  const connectionParams = { authorization: `Bearer ${token}` };
  const client = createClient({ url: world.urls.subscriptions, webSocketImpl: WebSocket, connectionParams });
  const items: Item[] = [];
  const faults: unknown[] = [];
  client.subscribe<{ onboardingEvents: Item }>(
    { query: document, variables: { id, after } },
    {
      next: ({ data }) => data && items.push(data.onboardingEvents),
      error: (fault) => faults.push(fault),
      complete() {},
    },
  );
  return { items, faults, stop: () => client.dispose() };
}

/** As a receiver without a library would do it. */
function isGenuine({ headers, body }: Received): boolean {
  const key = Buffer.from(world.credentials.tenants.alpha.partner.webhookSecret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

async function completeAndSend(page: Page): Promise<void> {
  await page.check('#terms');
  await page.click('form.stack button');
  await page.waitForSelector('#signatory');
}

/** An application that tells each status, and the mail about it. */
async function apply() {
  const partner = onboardingOf(world, 'alpha');
  const to = `aase-${crypto.randomUUID().slice(0, 8)}@nordlys.example`;
  const hook = { url: `${receiver.url}/hook`, authorization };
  const webhooks = names.map((name) => ({ eventName: `onboarding.${name}`, ...hook }));
  const company = { organizationNumber: '25313763', companyName: 'Nordlys ApS' };
  const adminUser = { email: to, language: 'DA_DK', sendActivationEmail: true };
  const created = await partner.create({ company, notifications: { webhooks } }, { adminUser });
  expect(created.status).toBe(200);
  const { id, merchantId, verificationLink } = created.body;
  const { body: mails } = await sandboxCall(world, 'GET', '/sandbox/mails');
  const mail = mails.find((each: { to: string }) => each.to === to);
  expect(mail).toMatchObject({ language: 'DA_DK', link: verificationLink });
  expect([mail.subject, mail.text]).toEqual([
    expect.stringContaining('Nordlys ApS'),
    expect.stringContaining(verificationLink),
  ]);
  return { partner, to, id: id as number, merchantId: merchantId as string };
}

/** What the merchant does, from the outbox to the signature. */
async function signIn(page: Page, to: string): Promise<void> {
  const pages = String(world.urls.pay).replace('://', `://tester:${world.credentials.sandboxKey}@`);
  await page.goto(`${pages}/mails`);
  await page.click(`article:has-text("${to}") a`);
  expect(await page.textContent('h1')).toBe(said.reviewTitle);
  await page.fill('#iban', 'DK50 0040 0440 1162 43');
  await page.fill('#swift', 'NDEADKKK');
  await completeAndSend(page);
  expect(await page.textContent('.review')).not.toContain('0040 0440 1162');
  await page.click(`text=${said.testFail}`);
  await page.waitForSelector('.notice');
  expect(await page.textContent('.notice')).toContain('4');
  await completeAndSend(page);
  await page.fill('#signatory', 'Aase Lund');
  await page.click('form.stack button');
  await page.waitForSelector('.facts');
  expect(await page.textContent('h1')).toBe(said.processingTitle);
}

/** An event may be delivered more than once. */
function isFirst({ eventId }: Received, index: number, all: readonly Received[]): boolean {
  return all.findIndex((each) => each.eventId === eventId) === index;
}

/** What the partner's server was told once the first attempt, which it refused, was repeated. */
async function toldOf(id: number, merchantId: string): Promise<string[]> {
  const told = await eventually(() => {
    const [first, ...later] = receiver.received;
    const rest = later.filter(isFirst);
    return first && rest.length >= life.length ? [first, ...rest] : null;
  });
  const [first, ...rest] = told;
  const bodies = rest.map(({ body }) => JSON.parse(body));
  expect(first?.body).toBe(rest[0]?.body);
  expect(bodies.map(({ event }) => event)).toEqual(life.map((name) => `onboarding.${name}`));
  for (const body of bodies) expect(body).toMatchObject({ merchantId, data: { onboardingId: id } });
  expect(bodies.map(({ merchantNumber }) => typeof merchantNumber)).toEqual([
    ...Array.from({ length: 5 }, () => 'undefined'),
    'number',
  ]);
  expect(told.every((call) => isGenuine(call) && call.headers.authorization === authorization)).toBe(true);
  expect(rest.map(({ eventId }) => eventId)).toEqual(bodies.map((body) => body.id));
  return bodies.map((body) => body.id);
}

const read = `query ($id: ID!) { onboardingApplication(id: $id) { id status timeline { edges { node { eventId sequence cursor } } }
  callbacks { edges { node { eventId kind status attempts { status } } } } } }`;

test('from the partner’s call to the approved merchant', async () => {
  receiver.answer((_request, response) => void response.writeHead(receiver.received.length === 1 ? 503 : 200).end());
  const { partner, to, id, merchantId } = await apply();
  await eventually(() => receiver.received.length >= 1);
  await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 6_000 });
  const page = await browser.newPage();
  await signIn(page, to);
  expect((await partner.read(id)).body.status).toBe('PROCESSING');
  await partner.lever(id, 'APPROVE');
  await eventually(async () => (await partner.read(id)).body.status === 'APPROVED');
  await page.reload();
  expect(await page.textContent('h1')).toBe(said.approvedTitle);
  await page.close();

  const ids = await toldOf(id, merchantId);
  const { data } = await graph(world, read, { id: String(id) });
  const { timeline, callbacks } = data.onboardingApplication;
  const events: Item[] = timeline.edges.map(({ node }: { node: Item }) => node);
  expect(events.map(({ eventId, sequence }) => [eventId, sequence])).toEqual(
    ids.map((each, index) => [each, index + 1]),
  );
  expect(callbacks.edges.map(({ node }: { node: Item }) => node.eventId)).toEqual([...ids].reverse());
  expect(callbacks.edges.at(-1).node).toMatchObject({
    kind: 'ONBOARDING_WEBHOOK',
    status: 'DELIVERED',
    attempts: [{ status: 503 }, { status: 200 }],
  });
  expect(JSON.stringify(data)).not.toContain(authorization);

  const followed = await follow(String(id), events[1]?.cursor ?? null);
  await eventually(() => followed.items.length === 4);
  expect(followed.items.map(({ eventId }) => eventId)).toEqual(ids.slice(2));
  expect(followed.items[0]?.application).toEqual({ id: String(id), status: 'APPROVED' });
  await followed.stop();
});
