// What looks alike is told apart: the notifications of one payment, the proposals about applications, and endpoints of one address.
import { openInbox } from '../support/checkout';
import { onboardingOf } from '../support/onboarding';
import { askGraph, settleDay, today } from '../support/reports';
import { atDashboard, bookedCharge, desktop, paid, phone } from './visit';

const visit = atDashboard({ person: 'ada' });
const { act, drawer, dialog } = visit;

const timeline = () => drawer().getByRole('list').first();
const notified = () => drawer().getByRole('link', { name: /^Payment notification/ });

/** Texts of the notifications' links that are not seen whole. */
const cutNotes = `[...document.querySelectorAll('aside a[href*="/callbacks/"]')].flatMap((link) =>
  [link, ...link.querySelectorAll('*')].filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== 'visible')
    .map((part) => part.textContent))`;

act('a payment tells its notifications apart, and when and in which payout it was paid out', async () => {
  const { page } = visit;
  const inbox = openInbox(visit.world);
  const { merchantId } = visit.world.credentials.tenants.alpha;
  const { orderId, path } = await paid(visit.world, 'implicit', { notificationUrl: inbox.url });
  await inbox.atLeast(2);
  await visit.go(path);
  await notified().nth(1).waitFor();
  await timeline().getByText('Merchant notified').nth(1).waitFor();
  const ofTypes = (texts: string[]) =>
    texts.map((text) => /Authorization|Capture/.exec(text)?.[0] ?? 'neither').toSorted();
  expect(ofTypes(await notified().allTextContents())).toEqual(['Authorization', 'Capture']);
  // What is captured with its authorization has no call of its own.
  for (const [told, types] of [
    ['Merchant notified', ['Authorization', 'Capture']],
    ['Acquirer called', ['Authorization']],
  ] as const) {
    const lines = timeline().getByRole('listitem').filter({ hasText: told });
    expect([told, ofTypes(await lines.allTextContents())]).toEqual([told, types]);
  }
  await page.setViewportSize(phone);
  expect(await page.evaluate<string[]>(cutNotes)).toEqual([]);
  await page.setViewportSize(desktop);

  await bookedCharge(visit.world, { orderId, merchantId });
  await settleDay(visit.world, await today(visit.world));
  await visit.go(path);
  const line = timeline().getByRole('listitem').filter({ hasText: 'Paid out' });
  await line.waitFor();
  expect(await line.count()).toBe(1);
  await line.getByText('Capture').waitFor();
  await line.getByRole('link').click();
  await drawer().getByText('What it is made of').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/payouts\//);
});

act('a payment that is not captured is in no payout', async () => {
  const { path } = await paid(visit.world, 'explicit');
  await visit.go(path);
  await timeline().getByText('Authorization').first().waitFor();
  expect(await timeline().getByText('Paid out').count()).toBe(0);
});

act('a proposal about an application names the company wherever it is shown', async () => {
  const { page } = visit;
  const partner = onboardingOf(visit.world);
  const companyName = `Named ${Date.now()} ApS`;
  const { body } = await partner.create({ company: { organizationNumber: '25313763', companyName } });
  await partner.lever(body.id, 'OPEN', 'SIGN');
  const { approveOnboarding } = await askGraph(
    visit.world,
    'mutation ($id: ID!) { approveOnboarding(id: $id, reason: "All papers") { proposal { proposalId } } }',
    { id: body.id },
  );
  const { proposalId } = approveOnboarding.proposal;
  const named = `${companyName} · ${body.id}`;
  await visit.go('/proposals');
  await page.getByRole('row').filter({ hasText: named }).waitFor();
  await visit.go('/');
  await page
    .getByRole('link', { name: new RegExp(named) })
    .first()
    .waitFor();
  await visit.go(`/proposals/${proposalId}`);
  await drawer().getByRole('link', { name: named, exact: true }).waitFor();
  await drawer().getByRole('button', { name: 'Confirm' }).click();
  await dialog().getByRole('link', { name: named, exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.setViewportSize(phone);
  await visit.go('/proposals');
  await page.getByText(new RegExp(companyName)).first().waitFor();
  await page.setViewportSize(desktop);
});

act('endpoints of one address say whose they are, and what was not delivered yet', async () => {
  const { page } = visit;
  const address = `http://127.0.0.1:9/none-told-apart`;
  for (const tenant of ['alpha', 'beta'] as const)
    await paid(visit.world, 'explicit', { notificationUrl: address }, tenant);
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit.go('/callbacks/endpoints?origin=http%3A%2F%2F127.0.0.1%3A9');
  const rows = page.getByRole('row').filter({ hasText: 'none-told-apart' });
  await rows.nth(1).waitFor();
  for (const name of ['Alpha Outfitters', 'Beta'])
    await rows.filter({ hasText: name }).getByText('1 not delivered yet', { exact: true }).waitFor();
  await page.setViewportSize(desktop);
});
