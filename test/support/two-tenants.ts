// Two tenants and everything of alpha's that somebody else could ask for, for tests of who may not see or change it.

import { Browser, isBack } from '../people/browser';
import {
  cards,
  enterCard,
  type PaymentService,
  paymentServiceOf,
  payOnPage,
  payWithFields,
  type Shop,
  shopOf,
} from './checkout';
import { accountExpiry } from './expiry';
import { onboardingOf } from './onboarding';
import { accessTokenOf, freshCardNumber, graph, type Partner, partnerOf, sandboxCall } from './partner';
import { askGraph, paidOutDeposit } from './reports';
import { eventually } from './stores';
import type { World } from './world';

/**
 * Everything of alpha that somebody else could ask for by id, by the name of the argument that would carry it: `id` is that of
 * an onboarding application, `eventId` that of a token event; the events of the other kinds have names of their own.
 */
export type AlphaIds = Record<
  | 'virtualAccountId'
  | 'merchantId'
  | 'agreementId'
  | 'auditId'
  | 'clientId'
  | 'callbackId'
  | 'endpointId'
  | 'entryId'
  | 'eventId'
  | 'keyId'
  | 'accountId'
  | 'id'
  | 'jobId'
  | 'linkToken'
  | 'onboardingEventId'
  | 'operationEventId'
  | 'operationId'
  | 'orderId'
  | 'paymentId'
  | 'payoutId'
  | 'personId'
  | 'proposalId'
  | 'sessionId'
  | 'terminalId',
  string
>;

export interface TwoTenants {
  alpha: Partner;
  beta: Partner;
  shops: Record<'alpha' | 'beta', Shop>;
  services: Record<'alpha' | 'beta', PaymentService>;
  adminToken: string;
  ids: AlphaIds;
  /** What alpha's account looks like from inside: equal before and after means that nothing was changed. */
  fingerprint(): Promise<string>;
}

export async function twoTenants(world: World): Promise<TwoTenants> {
  const [alpha, beta] = await Promise.all([partnerOf(world, 'alpha'), partnerOf(world, 'beta')]);
  const shops = { alpha: shopOf(world, 'alpha', 'explicit'), beta: shopOf(world, 'beta', 'explicit') };
  const services = { alpha: await paymentServiceOf(world, 'alpha'), beta: await paymentServiceOf(world, 'beta') };
  const adminToken = await accessTokenOf(world, world.credentials.graph.admin);
  await sandboxCall(world, 'PUT', '/sandbox/tra', {
    tenant: 'alpha',
    notifyBaseUrl: `${world.urls.rest}/sandbox/receiver`,
  });
  const created = await alpha.createToken({ account: freshCardNumber(), accountExpiry });
  const { virtualAccountId } = created.body;
  await alpha.createTransaction(virtualAccountId);
  await sandboxCall(world, 'POST', `/sandbox/virtual-accounts/${virtualAccountId}/events`, { event: 'EXTEND_EXPIRY' });
  const paid = await payments(world, shops.alpha, services.alpha);
  const application = await onboarding(world);
  const ids = {
    ...(await eventually(() => readIds(world, alpha, { virtualAccountId, adminToken }))),
    ...paid,
    ...application,
    payoutId: await paidOutDeposit(world, 'alpha'),
    proposalId: await proposedBooking(world, alpha.credentials.merchantId),
    personId: await personOfAlpha(world),
    ...(await eventually(() => eventsOf(world, paid.operationId, application.id))),
  };
  const auditId = await recordOf(world, ids.personId);
  const entryId = await entryOf(world, alpha.credentials.merchantId);
  const all = { ...ids, auditId, entryId, jobId: await jobOfAlpha(world, ids.callbackId) };
  const view = async () =>
    (await accountView(world, all, adminToken)) + (await moneyView(shops.alpha, services.alpha, all));
  return { alpha, beta, shops, services, adminToken, ids: all, fingerprint: view };
}

/** The deposit that was paid out. */
async function entryOf(world: World, merchantId: string): Promise<string> {
  const query = 'query ($f: LedgerEntryFilter) { ledgerEntries(filter: $f) { edges { node { entryId } } } }';
  const filter = { merchantIds: [merchantId], actions: ['DEPOSIT'] };
  return (await askGraph(world, query, { f: filter })).ledgerEntries.edges[0].node.entryId;
}

/** An authorized order, a session that waits for its card, and an authorized payment of the payment service. */
async function payments(world: World, shop: Shop, service: PaymentService) {
  const { finalized, orderId } = await payWithFields(world, shop);
  const { sessionId } = (await shop.build()).body;
  await enterCard(world, sessionId, cards.visa);
  const { paymentId } = (await service.create({ processing: 'Authorize' })).body;
  await payOnPage(world, paymentId, cards.visa);
  const { operationId } = finalized.body.operation;
  return { operationId, orderId, sessionId, paymentId, terminalId: shop.terminalId };
}

/** An application that nobody has opened yet. */
async function onboarding(world: World) {
  const { status, text, body } = await onboardingOf(world).create();
  if (status !== 200) throw new Error(`the application was answered with ${status} ${text}`);
  return { id: String(body.id), linkToken: new URL(body.verificationLink).pathname.split('/').at(-1) ?? '' };
}

/** A booking that waits for a second person. */
async function proposedBooking(world: World, merchantId: string): Promise<string> {
  const input = { merchantId, amount: '1000', currency: 'EUR', reason: 'paid in' };
  const propose =
    'mutation ($input: LedgerEntryInput!) { bookDeposit(input: $input) { proposal { proposalId status } } }';
  return (await askGraph(world, propose, { input })).bookDeposit.proposal.proposalId;
}

/** A job of its own that tells what sending a callback again would do. */
async function jobOfAlpha(world: World, callbackId: string): Promise<string> {
  const make = `mutation ($input: CreateClientInput!) { createClient(input: $input) { client { clientId } clientSecret } }`;
  const scopes = ['graph:read', 'graph:callbacks:write'];
  const made = await askGraph(world, make, { input: { family: 'GRAPH', accountId: 'alpha', label: 'jobs', scopes } });
  const { client, clientSecret } = made.createClient;
  const token = await accessTokenOf(world, { clientId: client.clientId, clientSecret });
  const start = 'mutation ($input: StartJobInput!) { startJob(input: $input) { jobId } }';
  const input = { act: 'REDELIVER_CALLBACK', ids: [callbackId], reason: 'a look', dryRun: true };
  const { data, errors } = await graph(world, start, { input }, token);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.startJob.jobId;
}

/** Its one person, who has signed in. */
async function personOfAlpha(world: World): Promise<string> {
  const { signIn = '' } = world.credentials.people.find(({ tenant }) => tenant === 'alpha') ?? {};
  const browser = new Browser(new URL(world.urls.dashboard).origin);
  await browser.open(signIn, isBack);
  return (await browser.call('GET', '/sign-in/session')).body.person.id;
}

/** A record of the audit about the person. */
async function recordOf(world: World, personId: string): Promise<string> {
  const records = 'query ($id: ID) { auditRecords(subjectId: $id, first: 1) { edges { node { auditId } } } }';
  return (await askGraph(world, records, { id: personId })).auditRecords.edges[0].node.auditId;
}

/** The first event of an operation and of an application, once they are in the log. */
async function eventsOf(world: World, operationId: string, id: string) {
  const first = 'timeline(first: 1) { edges { node { eventId } } }';
  const { operation, onboardingApplication } = await askGraph(
    world,
    `query ($o: ID!, $a: ID!) { operation(operationId: $o) { ${first} } onboardingApplication(id: $a) { ${first} } }`,
    { o: operationId, a: id },
  );
  const [ofOperation, ofApplication] = [operation, onboardingApplication].map(({ timeline }) => timeline.edges[0]);
  if (!ofOperation || !ofApplication) return null;
  return { operationEventId: ofOperation.node.eventId, onboardingEventId: ofApplication.node.eventId };
}

async function moneyView(shop: Shop, service: PaymentService, ids: AlphaIds): Promise<string> {
  const answers = [await shop.order(ids.orderId), await shop.state(ids.sessionId), await service.read(ids.paymentId)];
  return answers.map(({ status, text }) => `${status} ${text}`).join('\n');
}

async function readIds(
  world: World,
  alpha: Partner,
  { virtualAccountId, adminToken }: { virtualAccountId: string; adminToken: string },
) {
  const { data } = await graph(
    world,
    `query Ids($id: ID!, $terminal: ID!) { virtualAccount(virtualAccountId: $id) {
      agreement { agreementId }
      callbacks(first: 1) { edges { node { callbackId eventId endpoint { endpointId } } } } }
      apiKeys(first: 1, terminalId: $terminal) { edges { node { keyId } } } }`,
    { id: virtualAccountId, terminal: world.credentials.tenants.alpha.checkout.explicit.terminalId },
    adminToken,
  );
  const callback = data.virtualAccount.callbacks.edges[0].node;
  return {
    virtualAccountId,
    merchantId: alpha.credentials.merchantId,
    agreementId: data.virtualAccount.agreement.agreementId,
    clientId: alpha.credentials.clientId,
    callbackId: callback.callbackId,
    endpointId: callback.endpoint.endpointId,
    eventId: callback.eventId,
    keyId: data.apiKeys.edges[0].node.keyId,
    accountId: 'alpha',
  };
}

async function accountView(world: World, ids: AlphaIds, adminToken: string): Promise<string> {
  const { data, errors } = await graph(
    world,
    `query State($id: ID!, $merchant: ID!, $client: ID!, $endpoint: ID!, $terminal: ID!, $application: ID!, $payout: ID!) {
      onboardingApplication(id: $application) { status reason updatedAt linkExpiresAt signatureFailures approval { by } document }
      payout(payoutId: $payout) { amount reference actions(first: 5) { edges { cursor } } }
      virtualAccount(virtualAccountId: $id) { state tokenExpiry timeline(first: 50) { edges { node { eventId } } } callbacks(first: 50) { edges { node { callbackId } } } }
      merchant(merchantId: $merchant) { name status agreements { agreementId status } terminals { terminalId status origins methods captureType } }
      apiKeys(first: 50, terminalId: $terminal) { edges { node { keyId status } } }
      client(clientId: $client) { status scopes }
      callbackEndpoint(endpointId: $endpoint) { address secrets { createdAt } }
    }`,
    {
      id: ids.virtualAccountId,
      merchant: ids.merchantId,
      client: ids.clientId,
      endpoint: ids.endpointId,
      terminal: ids.terminalId,
      application: ids.id,
      payout: ids.payoutId,
    },
    adminToken,
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return JSON.stringify(data);
}
