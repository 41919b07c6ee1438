// What the palette finds, on the real platform: each kind of thing by what a person has of it, and its screen opened at it, by keys alone.
import { accessibilityFaults, contrastFaults } from '../browser/looks';
import { newOrderId } from '../support/checkout';
import { onboardingOf } from '../support/onboarding';
import { askGraph, paidOutDeposit } from '../support/reports';
import { atDashboard, paid } from './visit';

const visit = atDashboard({ person: 'olga' });
const { act, drawer, dialog } = visit;

/** What is typed, the line that is waited for, and where it leads. */
type Row = readonly [text: string, line: RegExp, address: string];

async function expectFound(rows: readonly Row[]): Promise<void> {
  const { page } = visit;
  for (const [text, line, address] of rows) {
    await page.keyboard.press('Control+k');
    await dialog().getByRole('combobox').fill(text);
    await dialog().getByRole('option', { name: line }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname + url.search === address);
    await drawer().waitFor();
    await page.keyboard.press('Escape');
    await drawer().waitFor({ state: 'detached' });
  }
}

async function noLineFor(text: string): Promise<void> {
  await visit.page.keyboard.press('Control+k');
  await dialog().getByRole('combobox').fill(text);
  await dialog().getByText('Nothing found').waitFor();
  await dialog()
    .getByText(/by a card’s last four digits and its expiry: 1111\s12\/28$/)
    .waitFor();
  await visit.page.keyboard.press('Escape');
}

act('whatever it is, it is found by what is known of it, by keys alone', async () => {
  const { orderId, paymentId } = await paid(visit.world, 'implicit');
  const { merchantId } = visit.world.credentials.tenants.beta;
  const companyName = `Sought ${newOrderId()}`;
  const { body } = await onboardingOf(visit.world).create({ company: { organizationNumber: '25313763', companyName } });
  await visit.as('olga', '/');
  await expectFound([
    [orderId, new RegExp(`${orderId}.*Payment$`), `/payments/${paymentId}`],
    [orderId.slice(0, -1), new RegExp(`${orderId}.*Payment$`), `/payments/${paymentId}`],
    [paymentId, new RegExp(`${orderId}.*Payment$`), `/payments/${paymentId}`],
    [String(body.id), new RegExp(`${companyName}.*Application$`), `/onboarding/${body.id}`],
    ['Beta Bo', /Beta Books Merchant$/, `/merchants/${merchantId}`],
  ]);
  await noLineFor('nothing is called so');
});

act('so are the things of the books, of control and of callbacks', async () => {
  const payoutId = await paidOutDeposit(visit.world, 'alpha');
  const made = await askGraph(
    visit.world,
    `mutation ($booking: LedgerEntryInput!, $job: StartJobInput!) {
      bookDeposit(input: $booking) { proposal { proposalId } } startJob(input: $job) { jobId } }`,
    {
      booking: {
        merchantId: visit.world.credentials.tenants.alpha.merchantId,
        amount: '1700',
        currency: 'EUR',
        reason: 'x',
      },
      job: { act: 'REDELIVER_CALLBACK', ids: ['none'], reason: 'x', dryRun: true },
    },
  );
  const { payout, ledgerEntries, callbackEndpoints, people } = await askGraph(
    visit.world,
    `query ($payoutId: ID!) {
      payout(payoutId: $payoutId) { reference }
      ledgerEntries(filter: { actions: [DEPOSIT], currencies: ["CHF"] }, first: 1) { edges { node { entryId } } }
      callbackEndpoints(first: 1) { edges { node { endpointId } } }
      people(first: 50) { edges { node { personId name email } } } }`,
    { payoutId },
  );
  const { proposalId } = made.bookDeposit.proposal;
  const { jobId } = made.startJob;
  const { entryId } = ledgerEntries.edges[0].node;
  const { endpointId } = callbackEndpoints.edges[0].node;
  const olga = people.edges
    .map((edge: { node: object }) => edge.node)
    .find(({ name }: { name: string }) => name === 'Olga Operator');
  await visit.as('olga', '/');
  await expectFound([
    [payoutId, /^CHF.10\.00 · Alpha Outfitters · .*Payout$/, `/payouts/${payoutId}`],
    [payout.reference, /^CHF.10\.00 · Alpha Outfitters · .*Payout$/, `/payouts/${payoutId}`],
    [entryId, /^CHF.10\.00 · Deposit · Alpha Outfitters Ledger entry$/, `/payouts/entries?entry=${entryId}`],
    [proposalId, /^Deposit · EUR.17\.00 · Waiting Proposal$/, `/proposals/${proposalId}`],
    [jobId, /^Dry run · .* Job$/, `/jobs/${jobId}`],
    [endpointId, / Endpoint$/, `/callbacks/endpoints/${endpointId}`],
    [olga.email, /^Olga Operator · .* Person$/, `/people?person=${olga.personId}`],
    ['olga op', /^Olga Operator · .* Person$/, `/people?person=${olga.personId}`],
  ]);
});

act('a terminal leads to its merchant, and stands out there', async () => {
  const { page } = visit;
  const { merchantId } = visit.world.credentials.tenants.alpha;
  const { merchant } = await askGraph(
    visit.world,
    'query ($id: ID!) { merchant(merchantId: $id) { terminals { terminalId label } } }',
    { id: merchantId },
  );
  const { terminalId, label } = merchant.terminals.at(-1);
  await visit.as('olga', '/');
  await page.keyboard.press('Control+k');
  await dialog().getByRole('combobox').fill(terminalId);
  const line = dialog().getByRole('option', { name: `${label} · Alpha Outfitters Terminal` });
  await line.waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await contrastFaults(page)]).toEqual([colorScheme, []]);
  }
  await page.keyboard.press('Enter');
  const sought = drawer().locator('[aria-current="true"]');
  await sought.getByText(label, { exact: true }).waitFor();
  const place = await sought.boundingBox();
  expect(place?.y).toBeGreaterThan(0);
  expect(place?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => url.pathname + url.search === '/merchants');
});

act("a tenant's person finds its own, and nothing of others", async () => {
  const payoutId = await paidOutDeposit(visit.world, 'beta');
  await visit.as('tom', '/');
  await noLineFor(payoutId);
  await noLineFor('olga op');
});

act('a screen whose name begins so stays the first line when something is found', async () => {
  await visit.as('olga', '/');
  await visit.page.keyboard.press('Control+k');
  await dialog().getByRole('combobox').fill('to');
  await dialog()
    .getByRole('option', { name: /^Tom .* Person$/ })
    .waitFor();
  const lines = dialog().getByRole('option');
  expect(await lines.first().textContent()).toMatch(/^Tokens/);
  expect(await lines.first().getAttribute('aria-selected')).toBe('true');
  // Letters that a name has somewhere are no beginning: Approvals.
  await dialog().getByRole('combobox').fill('al');
  await dialog().getByRole('option', { name: 'Alpha Outfitters Merchant', selected: true }).waitFor();
  expect(await lines.first().textContent()).toMatch(/^Alpha Outfitters/);
  await visit.page.keyboard.press('Escape');
});
