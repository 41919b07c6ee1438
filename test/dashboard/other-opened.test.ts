// What is open becomes another thing of the same list: nothing of the first one stands there under the name of the second, neither an answer nor a refusal.
import { openInbox } from '../support/checkout';
import { onboardingOf } from '../support/onboarding';
import { accessTokenOf, graph } from '../support/partner';
import { askGraph, paidOutDeposit } from '../support/reports';
import { eventually } from '../support/stores';
import { atDashboard, bookedCharge, hold, paid } from './visit';

const visit = atDashboard({ person: 'ada' });
const { act, drawer, dialog } = visit;
afterEach(() => visit.page.unrouteAll({ behavior: 'ignoreErrors' }));

const merchant = (tenant: 'alpha' | 'beta') => visit.world.credentials.tenants[tenant].merchantId;
const listed = (id: string) => visit.page.locator(`main a[href*="${id}"]`).first();
/** No call of an operation is answered until it is let go on. */
async function withhold(operation: string): Promise<{ asked: Promise<unknown>; goOn(): void }> {
  let goOn: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const asked = visit.page.waitForRequest((request) => Boolean(request.postData()?.includes(operation)));
  await visit.page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(operation)) await released;
    await route.fallback();
  });
  return { asked, goOn: () => goOn() };
}

const shown = async () => (await drawer().getByRole('region', { name: 'Details', exact: true }).textContent()) ?? '';

/** One proposes, another confirms; the entry. */
async function bookedByHand(reason: string): Promise<string> {
  const { world } = visit;
  const { proposal } = (
    await askGraph(
      world,
      'mutation ($input: LedgerEntryInput!) { bookDeposit(input: $input) { proposal { proposalId } } }',
      { input: { merchantId: merchant('alpha'), amount: '700', currency: 'EUR', reason } },
    )
  ).bookDeposit;
  const { data } = await graph(
    world,
    'mutation ($id: ID!) { confirmProposal(proposalId: $id) { proposal { status resultId } } }',
    { id: proposal.proposalId },
    await accessTokenOf(world, world.credentials.graph.operator),
  );
  const { status, resultId } = data.confirmProposal.proposal;
  expect(status).toBe('CONFIRMED');
  const query = 'query ($f: LedgerEntryFilter) { ledgerEntries(filter: $f) { edges { node { entryId actionId } } } }';
  const filter = { merchantIds: [merchant('alpha')], actions: ['DEPOSIT'] };
  return eventually(async () => {
    const edges: { node: { entryId: string; actionId: string } }[] = (await askGraph(world, query, { f: filter }))
      .ledgerEntries.edges;
    return edges.find(({ node }) => node.actionId === resultId)?.node.entryId;
  });
}

act('an entry that nobody booked by hand has no approval, whatever was open before', async () => {
  const { orderId } = await paid(visit.world, 'implicit');
  const automatic = await bookedCharge(visit.world, { orderId, merchantId: merchant('alpha') });
  const reason = `Paid in at the counter ${orderId}`;
  const entryId = await bookedByHand(reason);
  await visit.go(`/payouts/entries?merchantId=${merchant('alpha')}&entry=${entryId}`);
  await drawer().getByText(reason).waitFor();
  await listed(automatic).click();
  await drawer().getByRole('link', { name: orderId }).waitFor();
  expect(await drawer().getByText(reason).count()).toBe(0);
});

const application = async () =>
  (
    await onboardingOf(visit.world).create({
      company: { organizationNumber: '25313763', companyName: 'Another ApS' },
    })
  ).body.id as string;

async function proposal(tenant: 'alpha' | 'beta'): Promise<string> {
  const { bookDeposit } = await askGraph(
    visit.world,
    'mutation ($input: LedgerEntryInput!) { bookDeposit(input: $input) { proposal { proposalId } } }',
    { input: { merchantId: merchant(tenant), amount: '900', currency: 'EUR', reason: 'paid in' } },
  );
  return bookDeposit.proposal.proposalId;
}

const drawers: readonly (readonly [
  list: string,
  operation: string,
  made: (of: 'alpha' | 'beta') => Promise<string>,
])[] = [
  ['/payments', 'PaymentLife', async (tenant) => (await paid(visit.world, 'explicit', {}, tenant)).paymentId],
  ['/merchants', 'MerchantLife', async (tenant) => merchant(tenant)],
  ['/payouts', 'PayoutLife', (tenant) => paidOutDeposit(visit.world, tenant)],
  ['/onboarding', 'ApplicationLife', application],
  ['/proposals', 'ProposalLife', proposal],
];

test.each(drawers)('%s: what is open becomes another one as soon as it is chosen', async (list, operation, made) => {
  const [first, second] = [await made('alpha'), await made('beta')];
  await visit.go(`${list}/${first}`);
  await drawer().locator('dl').first().waitFor();
  const held = await withhold(operation);
  await listed(second).click();
  await held.asked;
  expect([list, await shown()]).toEqual([list, '']);
  held.goOn();
  await drawer().locator('dl').first().waitFor();
  // Gone back to, it is there at once.
  const again = await withhold(operation);
  await listed(first).click();
  await again.asked;
  expect(await shown()).not.toBe('');
  again.goOn();
});

act('what is read again stands as it is meanwhile', async () => {
  await visit.go(`/proposals/${await proposal('alpha')}`);
  await drawer().getByText('Proposed by').waitFor();
  // One that waits is looked at every few seconds.
  const held = await withhold('ProposalLife');
  await held.asked;
  await drawer().getByText('Proposed by').waitFor();
  held.goOn();
});

act('the days of a merchant are of nobody else', async () => {
  const { page } = visit;
  await paid(visit.world, 'implicit');
  await visit.go(`/payouts/days?merchantId=${merchant('alpha')}`);
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  const held = await withhold('BalanceDays');
  await page.getByRole('search', { name: 'Filters' }).getByRole('button', { name: /Alpha/ }).first().click();
  await page.getByRole('menuitemradio', { name: /^Beta/ }).click();
  await held.asked;
  expect(await page.locator('main table').count()).toBe(0);
  held.goOn();
});

/** A callback that may be sent again. */
async function callback(): Promise<string> {
  const inbox = openInbox(visit.world);
  await paid(visit.world, 'implicit', { notificationUrl: inbox.url });
  await inbox.atLeast(1);
  const query = '{ callbacks(first: 20) { edges { node { callbackId actions { action allowed } } } } }';
  type Edge = { node: { callbackId: string; actions: { action: string; allowed: boolean }[] } };
  return eventually(async () => {
    const edges: Edge[] = (await askGraph(visit.world, query)).callbacks.edges;
    const may = ({ node }: Edge) => node.actions.some(({ action, allowed }) => action === 'REDELIVER' && allowed);
    return edges.find(may)?.node.callbackId;
  });
}

async function endpoint(): Promise<string> {
  const query = '{ callbackEndpoints(first: 50) { edges { node { endpointId secrets { secretId } } } } }';
  const { edges } = (await askGraph(visit.world, query)).callbackEndpoints;
  return edges.find(({ node }: { node: { secrets: unknown[] } }) => node.secrets.length > 0).node.endpointId;
}

test.each<[list: string, operation: string, button: string, made: () => Promise<string>]>([
  ['/merchants', 'SetMerchantStatus', 'Deactivate', async () => merchant('beta')],
  ['/callbacks', 'RedeliverCallback', 'Send again', callback],
  ['/callbacks/endpoints', 'RotateCallbackSecret', 'Rotate the secret', endpoint],
])('%s: a refusal goes with the dialog that it stood in', async (list, operation, button, made) => {
  const opens = drawer().getByRole('button', { name: button, exact: true }).first();
  await visit.go(`${list}/${await made()}`);
  await opens.click();
  await dialog().getByLabel('Reason').fill('A drill');
  const held = await hold(visit.page, operation);
  await dialog().getByRole('button', { name: button, exact: true }).click();
  await held.refuse();
  await dialog().getByRole('alert').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await opens.click();
  await dialog().getByLabel('Reason').waitFor();
  expect([list, await dialog().getByRole('alert').count()]).toEqual([list, 0]);
  await dialog().getByRole('button', { name: 'Cancel' }).click();
});
