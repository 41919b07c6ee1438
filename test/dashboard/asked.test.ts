// What the pages ask of the graph: nothing unmasked until somebody asks for it, nothing heavy more often than it can have changed, and when nobody is there they say so.
import type { Request } from 'playwright-core';
import { askGraph, paidOutDeposit } from '../support/reports';
import { eventually } from '../support/stores';
import { atDashboard, hold, openLiveList } from './visit';

const visit = atDashboard({ person: 'vera' });
const { act, drawer } = visit;

/** Questions of the page from now on: by name, and whether somebody was there. */
function questions(): { name: string; attended: string }[] {
  const asked: { name: string; attended: string }[] = [];
  visit.page.on('request', (request: Request) => {
    const name = /"operationName":"(\w+)"/.exec(request.postData() ?? '')?.[1];
    if (name) asked.push({ name, attended: request.headers()['x-attended'] ?? '' });
  });
  return asked;
}
afterEach(() => void visit.page.removeAllListeners('request'));

async function looksAt(payoutId: string): Promise<number> {
  const query =
    'query ($id: ID) { auditRecords(subjectId: $id, filter: { action: "payout.shown" }) { edges { node { action } } } }';
  const { auditRecords } = await askGraph(visit.world, query, { id: payoutId });
  return auditRecords.edges.length;
}

act('a bank account is masked until somebody asks for it, which the audit knows', async () => {
  const { page } = visit;
  const payoutId = await paidOutDeposit(visit.world, 'beta');
  const {
    payout: { iban },
  } = await askGraph(visit.world, 'query ($id: ID!) { payout(payoutId: $id) { iban } }', { id: payoutId });
  const before = await looksAt(payoutId);
  await visit.go(`/payouts/${payoutId}`);
  await drawer()
    .getByText(`${iban.slice(0, 4)} •••• ${iban.slice(-4)}`, { exact: true })
    .waitFor();
  expect(await page.content()).not.toContain(iban);
  expect(await looksAt(payoutId)).toBe(before);
  await drawer()
    .getByRole('button', { name: /^Show: / })
    .click();
  await drawer().getByText(iban, { exact: true }).waitFor();
  expect(await looksAt(payoutId)).toBe(before + 1);
  await drawer()
    .getByRole('button', { name: /^Hide: / })
    .click();
  await drawer().getByText(iban, { exact: true }).waitFor({ state: 'detached' });
});

act('a bank account that was shown uncovers no other one', async () => {
  const { page } = visit;
  const [first, second] = [await paidOutDeposit(visit.world, 'alpha'), await paidOutDeposit(visit.world, 'beta')];
  const ibanOf = async (id: string): Promise<string> =>
    (await askGraph(visit.world, 'query ($id: ID!) { payout(payoutId: $id) { iban } }', { id })).payout.iban;
  const [own, other] = [await ibanOf(first), await ibanOf(second)];
  const show = drawer().getByRole('button', { name: /^Show: / });
  const row = (id: string) => page.locator(`main a[href^="/payouts/${id}"]`).first();
  const masked = (iban: string) => drawer().getByText(`${iban.slice(0, 4)} •••• ${iban.slice(-4)}`, { exact: true });
  await visit.go(`/payouts/${first}`);
  await show.click();
  await drawer().getByText(own, { exact: true }).waitFor();
  const asked = questions();
  await row(second).click();
  await masked(other).waitFor();
  await show.waitFor();
  expect(asked.filter(({ name }) => name === 'PayoutAccount')).toEqual([]);
  const held = await hold(page, 'PayoutAccount');
  await show.click();
  await held.asked;
  expect(await page.content()).not.toContain(own);
  await held.goOn();
  await drawer().getByText(other, { exact: true }).waitFor();
  expect(asked.filter(({ name }) => name === 'PayoutAccount')).toHaveLength(1);
  // Gone back to, it is covered as it was.
  await row(first).click();
  await masked(own).waitFor();
  await show.waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the actions of a payout that is opened are asked once, and never with what is read again', async () => {
  const payoutId = await paidOutDeposit(visit.world, 'beta');
  await visit.go('/live');
  const asked = questions();
  await visit.go(`/payouts/${payoutId}`);
  await drawer().getByText('What it is made of').waitFor();
  await eventually(() => asked.some(({ name }) => name === 'PayoutActionRows'));
  await visit.page.waitForTimeout(4_000);
  expect(asked.filter(({ name }) => name === 'PayoutActionRows')).toHaveLength(1);
});

act('what a page asks by itself keeps no session alive, what a person does keeps it', async () => {
  const { page } = visit;
  await openLiveList(visit, '/callbacks');
  const asked = questions();
  const attended = () => asked.filter((one) => one.attended === 'yes').length;
  const look = () => page.waitForRequest((request) => Boolean(request.postData()?.includes('CallbackRows')));
  await look();
  expect(attended()).toBe(0);
  await page.keyboard.press('Shift');
  await eventually(() => attended() === 1);
  await look();
  await look();
  expect(attended()).toBe(1);
});
