// What stands around lists: the title of the tab, which column the rows are in the order of, what is printed, how keys are called, and colours that are forced.
import { eventually } from '../support/stores';
import { atDashboard } from './at-dashboard';
import { paid } from './visit';

const visit = atDashboard({ person: 'ada' });
const { act } = visit;

const isTitled = (title: string) => eventually(async () => (await visit.page.title()) === title);

act('the tab is called after what is open beside a list, and after the list again', async () => {
  const { page } = visit;
  const { orderId, path } = await paid(visit.world, 'implicit');
  await visit.go(path);
  await isTitled(`${orderId} · Payments · Payments`);
  await page.keyboard.press('Escape');
  await isTitled('Payments · Payments');
  await visit.go(`/merchants/${visit.world.credentials.tenants.alpha.merchantId}`);
  await isTitled('Alpha Outfitters · Merchants · Payments');
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await isTitled('Jobs · Payments');
});

for (const [path, column, order] of [
  ['/payments', 'Created', 'descending'],
  ['/payments?order=OLDEST', 'Created', 'ascending'],
  ['/audit', 'When', 'descending'],
  ['/payouts/balances?order=AMOUNT', 'Balance', 'descending'],
  ['/payouts/entries?order=LARGEST', 'Amount', 'descending'],
] as const)
  act(`${path} says which column its rows are in the order of`, async () => {
    const { page } = visit;
    await visit.go(path);
    const head = page.getByRole('columnheader', { name: column });
    await head.waitFor();
    expect(await head.getAttribute('aria-sort')).toBe(order);
    expect(await page.locator('th[aria-sort]').count()).toBe(1);
  });

act('boxes, tabs and buttons are not printed', async () => {
  const { page } = visit;
  await visit.go('/payments');
  await page.getByRole('checkbox').first().waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  await page.emulateMedia({ media: 'screen' });
  await visit.go('/callbacks');
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').count()).toBe(0);
  await page.emulateMedia({ media: 'screen' });
});

act('keys are called as they are on the machine', async () => {
  const { page } = visit;
  await visit.go('/payments');
  const opener = page.getByRole('button', { name: /^Search/ });
  expect(await opener.textContent()).toContain('Ctrl K');
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Ctrl', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
});

act('where colours are forced, what is chosen and what has the focus have a line around them', async () => {
  const { page } = visit;
  await visit.go('/payments');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.getByRole('row').nth(1).waitFor();
  await page.keyboard.press('j');
  const lineOf = (selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).outlineStyle`);
  await page.locator('tr[data-walked="true"]').waitFor();
  expect(await lineOf('tr[data-walked="true"]')).toBe('solid');
  await page.emulateMedia({ forcedColors: 'none' });
});
