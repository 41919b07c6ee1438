// The other lists that live: of each a new row comes in by itself, a changed one changes where it stands, and while one is open what is new waits, counted.
import { accessibilityFaults } from '../browser/looks';
import { openInbox } from '../support/checkout';
import { accountExpiry } from '../support/expiry';
import { freshCardNumber, type Partner, partnerOf, sandboxCall } from '../support/partner';
import { askGraph, bookEntry, paidOutDeposit } from '../support/reports';
import { eventually } from '../support/stores';
import { startReceiver } from '../workers/receiver';
import { atDashboard, cutConnections, openLiveList, paid } from './visit';

let partner: Partner;

const visit = atDashboard({ person: 'ada' });
const { act } = visit;

beforeAll(async () => {
  partner = await partnerOf(visit.world, 'beta');
});

const main = () => visit.page.getByRole('main');
const beta = () => visit.world.credentials.tenants.beta.merchantId;
/** By where it leads to: ids stand in no cell. */
const row = (id: string) =>
  visit.page.getByRole('row').filter({ has: visit.page.locator(`a[href*="${encodeURIComponent(id)}"]`) });

const openList = (path: string) => openLiveList(visit, path);

interface Living {
  path(): string;
  /** Makes something new; the id of its row. */
  make(): Promise<string>;
  /** What is open follows events of its own. */
  followed?: true;
  /** Changes it, and says what its row has then. */
  change?(id: string): Promise<string>;
}

async function notified(notificationUrl = openInbox(visit.world).url): Promise<string> {
  const { paymentId } = await paid(visit.world, 'explicit', { notificationUrl }, 'beta');
  const callbacks = 'operations(first: 1) { edges { node { callbacks(first: 1) { edges { node { callbackId } } } } } }';
  return eventually(async () => {
    const { payment } = await askGraph(visit.world, `query ($id: ID!) { payment(paymentId: $id) { ${callbacks} } }`, {
      id: paymentId,
    });
    return payment.operations.edges[0].node.callbacks.edges[0]?.node.callbackId as string | undefined;
  });
}

async function addressed(accountId: string, word: string): Promise<string> {
  const { setCallbackAddress } = await askGraph(
    visit.world,
    `mutation ($accountId: ID!, $address: String!) {
       setCallbackAddress(accountId: $accountId, kind: NOTIFY_UPDATE, address: $address) { endpointId } }`,
    { accountId, address: `${visit.world.urls.rest}/sandbox/receiver/${word}` },
  );
  return setCallbackAddress.endpointId;
}

/** The newest hundred. */
async function payoutsOf(merchantId: string): Promise<string[]> {
  const { payouts } = await askGraph(
    visit.world,
    'query ($id: ID!) { payouts(merchantId: $id, first: 100) { edges { node { payoutId } } } }',
    { id: merchantId },
  );
  return payouts.edges.map(({ node }: { node: { payoutId: string } }) => node.payoutId);
}

/** Deposits in a currency that little else is booked in, the newest hundred. */
async function depositsOf(merchantId: string): Promise<string[]> {
  const { ledgerEntries } = await askGraph(
    visit.world,
    'query ($f: LedgerEntryFilter) { ledgerEntries(filter: $f, first: 100) { edges { node { entryId } } } }',
    { f: { merchantIds: [merchantId], currencies: ['CHF'], actions: ['DEPOSIT'] } },
  );
  return ledgerEntries.edges.map(({ node }: { node: { entryId: string } }) => node.entryId);
}

const deposit = (currency = 'CHF') =>
  bookEntry(visit.world, { tenant: 'beta', action: 'DEPOSIT', amount: 1_000, currency });

const newAccountId = () => `acc-${freshCardNumber().slice(-10)}`;

async function createAccount(accountId: string): Promise<void> {
  await askGraph(visit.world, 'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { accountId } }', {
    input: { accountId, name: 'Newly here' },
  });
}

const accounts = new Map<string, string>();

const lists: Record<string, Living> = {
  callbacks: {
    path: () => `/callbacks?merchantId=${beta()}`,
    followed: true,
    make: () => notified(),
    async change(callbackId) {
      // One that is under way is not sent again.
      await row(callbackId).getByText('HTTP 204').waitFor();
      await askGraph(visit.world, 'mutation ($id: ID!) { redeliverCallback(callbackId: $id) { callbackId } }', {
        id: callbackId,
      });
      return '· 2×';
    },
  },
  endpoints: {
    path: () => '/callbacks/endpoints',
    async make() {
      const accountId = newAccountId();
      await createAccount(accountId);
      const endpointId = await addressed(accountId, 'first');
      accounts.set(endpointId, accountId);
      return endpointId;
    },
    async change(endpointId) {
      await addressed(accounts.get(endpointId) ?? '', 'second');
      return `${visit.world.urls.rest}/sandbox/receiver/second`;
    },
  },
  payouts: {
    path: () => `/payouts?merchantId=${beta()}`,
    async make() {
      const before = await payoutsOf(beta());
      await paidOutDeposit(visit.world, 'beta');
      return (await payoutsOf(beta())).find((id) => !before.includes(id)) ?? 'none';
    },
  },
  entries: {
    path: () => `/payouts/entries?merchantId=${beta()}&currency=CHF&action=DEPOSIT`,
    async make() {
      const before = await depositsOf(beta());
      await deposit();
      return eventually(async () => (await depositsOf(beta())).find((id) => !before.includes(id)));
    },
  },
  proposals: {
    path: () => '/proposals',
    async make() {
      const input = { family: 'GRAPH', label: 'Lists', scopes: ['graph:viewer'] };
      const { createClient } = await askGraph(
        visit.world,
        'mutation ($input: CreateClientInput!) { createClient(input: $input) { client { clientId } } }',
        { input },
      );
      const { proposeClientScopes } = await askGraph(
        visit.world,
        'mutation ($id: ID!) { proposeClientScopes(clientId: $id, scopes: ["graph:operator"]) { proposal { proposalId } } }',
        { id: createClient.client.clientId },
      );
      return proposeClientScopes.proposal.proposalId;
    },
    async change(proposalId) {
      await askGraph(
        visit.world,
        'mutation ($id: ID!) { rejectProposal(proposalId: $id, reason: "Not now") { proposal { proposalId } } }',
        { id: proposalId },
      );
      return 'Rejected';
    },
  },
  tokens: {
    path: () => `/tokens?merchantId=${beta()}`,
    async make() {
      const { status, body } = await partner.createToken({
        account: freshCardNumber(),
        accountExpiry,
        cvv: '123',
        name: 'Ada Lovelace',
      });
      expect(status).toBe(201);
      return body.virtualAccountId;
    },
    async change(virtualAccountId) {
      await sandboxCall(visit.world, 'POST', `/sandbox/virtual-accounts/${virtualAccountId}/events`, {
        event: 'SUSPEND',
      });
      return 'Suspended';
    },
  },
};

for (const [name, { path, make, change, followed }] of Object.entries(lists)) {
  act(`${name}: new ones come in by themselves, and change where they stand`, async () => {
    await openList(path());
    const id = await make();
    await row(id).waitFor();
    if (!change) return;
    const told = await change(id);
    await row(id).getByText(told, { exact: true }).first().waitFor();
  });

  act(
    `${name}: beside an open one nothing moves; what is new waits, counted, and comes when it is asked for`,
    async () => {
      const { page } = visit;
      const first = await make();
      await openList(path());
      await row(first).waitFor();
      // Anew, before anything was heard: that what is open follows events of its own is nothing new in the list.
      const [socket] = await Promise.all([page.waitForEvent('websocket'), openList(path())]);
      const stands =
        followed && socket.waitForEvent('framereceived', ({ payload }) => `${payload}`.includes('complete'));
      const link = row(first).getByRole('link');
      await link.click();
      await page.getByRole('complementary').waitFor();
      await stands;
      const before = await row(first).boundingBox();
      const next = await make();
      const newer = page.getByRole('button', { name: /^\d+ new$/ });
      await newer.waitFor();
      expect(await row(next).count()).toBe(0);
      expect(await row(first).boundingBox()).toEqual(before);
      // A link that has the focus scrolls no cell aside.
      expect(await link.evaluate((own) => own.parentElement?.scrollLeft)).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      await newer.click();
      await row(next).waitFor();
    },
  );
}

act(
  'callbacks: attempts that fail, and the one that does not, are seen as they happen, in the row and beside it',
  async () => {
    const receiver = await startReceiver();
    try {
      receiver.answer((_request, response) => void response.writeHead(500).end('not now'));
      await openList(`/callbacks?merchantId=${beta()}`);
      const id = await notified(`${receiver.url}/fails`);
      await row(id).getByText('HTTP 500').waitFor();
      await row(id).getByRole('link').click();
      const beside = visit.page.getByRole('complementary');
      await beside.getByText('HTTP 500').first().waitFor();
      receiver.answer((_request, response) => void response.writeHead(204).end());
      await beside.getByText('HTTP 204').waitFor();
      await row(id).getByText('HTTP 204').waitFor();
    } finally {
      await receiver.close();
    }
  },
);

act('balances: what is owed changes where it stands, and so does what all of it adds up to', async () => {
  const { page } = visit;
  await deposit();
  await openList(`/payouts/balances?merchantId=${beta()}&currency=CHF`);
  const balance = page.getByRole('row').nth(1);
  const before = await balance.textContent();
  await deposit();
  await eventually(async () => (await balance.textContent()) !== before);
  const total = page.getByRole('region', { name: 'Totals' }).getByRole('definition');
  const owed = balance.getByRole('cell').last();
  await eventually(async () => (await total.textContent()) === (await owed.textContent()));
});

act('balances: a new one takes its place in the order', async () => {
  const rows = visit.page.getByRole('row');
  await deposit();
  await openList(`/payouts/balances?merchantId=${beta()}`);
  await rows.filter({ hasText: 'CHF' }).waitFor();
  await deposit('CZK');
  await rows.filter({ hasText: 'CZK' }).waitFor();
  const currencies = (await rows.allTextContents()).flatMap((text) => /[A-Z]{3}(?=\s*\d)/.exec(text)?.[0] ?? []);
  expect(currencies).toContain('CZK');
  expect(currencies).toEqual([...currencies].sort());
});

act('audit: what is done to somebody is there by itself, the first as well as the next', async () => {
  const accountId = newAccountId();
  await openList(`/audit?subject=${accountId}`);
  await main().getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  await createAccount(accountId);
  await visit.page.getByRole('row').filter({ hasText: 'Account created' }).waitFor();
});

act('a break is told on each, and what happened meanwhile is there after it', async () => {
  const { page } = visit;
  const connections = await cutConnections(page);
  for (const [, { path, make }] of Object.entries(lists)) {
    await openList(path());
    await connections.cut();
    await main().getByText('Reconnecting', { exact: true }).waitFor();
    await main()
      .getByText(/^Not up to date: read at /)
      .waitFor();
    const away = await make();
    connections.mend();
    await row(away).waitFor();
    await main().getByText('Live', { exact: true }).waitFor();
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
