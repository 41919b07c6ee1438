// An application that is no merchant yet, told of by webhooks: whatever in the graph leads to a merchant is null there, and nothing beside it is lost.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OnboardingPartner, onboardingOf } from '../support/onboarding';
import { graph } from '../support/partner';
import { askGraph, today } from '../support/reports';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { type Receiver, startReceiver } from '../workers/receiver';

let world: World;
let receiver: Receiver;
let partner: OnboardingPartner;
/** The application, its callbacks and where they go. */
let id: string;
let heldId: string;
let endpointId: string;
let callbackId: string;

beforeAll(async () => {
  [world, receiver] = await Promise.all([sharedWorld(), startReceiver()]);
  receiver.answer((_request, response) => void response.writeHead(200).end());
  partner = onboardingOf(world);
  const webhook = (eventName: string) => ({ eventName, authorization: 'secret12', url: `${receiver.url}/${name}` });
  const webhooks = ['onboarding.initiated', 'onboarding.awaiting_signature'].map(webhook);
  const { body } = await partner.create({ notifications: { webhooks } });
  id = String(body.id);
  heldId = body.merchantId;
  await partner.lever(id, 'OPEN');
  const query = `query ($id: ID!) { callbacks(filter: { applicationId: $id }, first: 5) { edges { node {
    callbackId status endpoint { endpointId } } } } }`;
  const edges = await eventually(async () => {
    const { callbacks } = await askGraph(world, query, { id });
    const isTold = ({ node }: { node: { status: string } }) => node.status === 'DELIVERED';
    return callbacks.edges.length === 2 && callbacks.edges.every(isTold) ? callbacks.edges : null;
  });
  ({ callbackId } = edges[0].node);
  ({ endpointId } = edges[0].node.endpoint);
});
afterAll(async () => {
  await receiver?.close();
  await world?.stop();
});

const name = 'no-merchant-yet';
const merchant = 'merchant { merchantId name }';
const { documents } = JSON.parse(readFileSync(join(__dirname, '../../schema/trusted/dashboard.json'), 'utf8')) as {
  documents: Record<string, { name: string; text: string }>;
};
const trusted = (wanted: string) => Object.values(documents).find((document) => document.name === wanted)?.text ?? '';

test.each<[string, string, () => object, object]>([
  [
    'an endpoint by its id',
    `query ($endpointId: ID!) { callbackEndpoint(endpointId: $endpointId) { kind merchants { merchantId name } } }`,
    () => ({ endpointId }),
    { callbackEndpoint: { kind: 'ONBOARDING_WEBHOOK', merchants: [] } },
  ],
  [
    "the dashboard's endpoint",
    trusted('EndpointLife'),
    () => ({ endpointId, filter: { endpointId } }),
    { callbackEndpoint: { kind: 'ONBOARDING_WEBHOOK', merchants: [] } },
  ],
  [
    'a callback',
    `query ($callbackId: ID!) { callback(callbackId: $callbackId) { ${merchant} application { id } } }`,
    () => ({ callbackId }),
    { callback: { merchant: null, application: { id: expect.any(String) } } },
  ],
  [
    'a callback, of whose merchant nothing but the id is asked',
    `query ($callbackId: ID!) { callback(callbackId: $callbackId) { merchant { merchantId } } }`,
    () => ({ callbackId }),
    { callback: { merchant: null } },
  ],
  [
    'the application and its timeline',
    `query ($id: ID!) { onboardingApplication(id: $id) { ${merchant} timeline { edges { node { type ${merchant} } } } } }`,
    () => ({ id }),
    {
      onboardingApplication: {
        merchant: null,
        timeline: {
          edges: ['onboarding.initiated', 'onboarding.awaiting_signature'].map((type) => ({
            node: { type, merchant: null },
          })),
        },
      },
    },
  ],
])('%s', async (_what, query, variables, expected) => {
  const { data, errors, extensions } = await graph(world, query, variables());
  expect({ errors, extensions }).toEqual({});
  expect(data).toMatchObject(expected);
});

test('the list of endpoints is whole', async () => {
  const query = '{ callbackEndpoints(first: 50) { edges { node { endpointId merchants { merchantId name } } } } }';
  const { data, errors } = await graph(world, query);
  expect(errors).toBeUndefined();
  const nodes = data.callbackEndpoints.edges.map(({ node }: { node: object }) => node);
  expect(nodes).toContainEqual({ endpointId, merchants: [] });
});

test('figures of applications stand under the id that is held, without a merchant', async () => {
  const hourMs = 3_600_000;
  const at = Date.parse(`${await today(world)}T12:00:00Z`);
  const range = { from: new Date(at - 12 * hourMs), to: new Date(at + 12 * hourMs) };
  const query = `query ($range: MetricRange!, $ids: [ID!]) { metrics(range: $range, interval: WHOLE, groupBy: [MERCHANT], filter: { merchantIds: $ids }) {
    rows { group { merchantId ${merchant} } onboarding { created } } } }`;
  const row = await eventually(async () => {
    const { metrics } = await askGraph(world, query, { range, ids: [heldId] });
    // The callbacks of the same merchant are counted apart, and may be there before.
    return metrics.rows.find(({ onboarding }: { onboarding: { created: number } }) => onboarding.created > 0) ?? null;
  });
  expect(row).toEqual({ group: { merchantId: heldId, merchant: null }, onboarding: { created: 1 } });
});

test('an approved application leads to its merchant, and so does the event of its approval', async () => {
  const { id: approved, merchantId } = (await partner.create()).body;
  await partner.lever(approved, 'OPEN', 'SIGN', 'APPROVE');
  const query = `query ($id: ID!) { onboardingApplication(id: $id) { ${merchant} timeline { edges { node { type ${merchant} } } } } }`;
  const { onboardingApplication: found } = await askGraph(world, query, { id: String(approved) });
  expect(found.merchant).toMatchObject({ merchantId });
  const told = found.timeline.edges.map(({ node }: { node: { type: string; merchant: object | null } }) => node);
  expect(told.at(-1)).toMatchObject({ type: 'onboarding.approved', merchant: { merchantId } });
  expect(told.slice(0, -1).map((event: { merchant: object | null }) => event.merchant)).toEqual([null, null, null]);
});
