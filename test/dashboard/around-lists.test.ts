// What stands around lists: the title of the tab, which column the rows are in the order of, what there is room for, what is printed, how keys are called, and colours that are forced.
import { fitting } from '../../dashboard/lists/fit';
import { newOrderId, openInbox, payWithFields, shopOf } from '../support/checkout';
import { eventually } from '../support/stores';
import { atDashboard, desktop, paid } from './visit';

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
  const lines = await page.getByRole('dialog').getByRole('listitem').allInnerTexts();
  const palette = lines.filter((line) => line.startsWith('Search, or jump to a screen'));
  expect(palette.map((line) => line.replace(/\s+/g, ' '))).toEqual(['Search, or jump to a screen Ctrl K · /']);
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

test.each([
  [600, 'a b c d'],
  [500, 'a b c d'],
  [499, 'a b c'],
  [400, 'a b c'],
  [389, 'a c'],
  [240, 'a c'],
  [239, null],
])('of four columns, two of which may go, %d pixels have room for %s', (room, ids) => {
  const columns = [
    { id: 'a', width: 100 },
    { id: 'b', least: 150, isWide: true },
    { id: 'c', width: 140 },
    { id: 'd', isWide: true },
  ].map((column) => ({ title: '', cell: () => null, ...column }));
  expect(
    fitting(columns, room)
      ?.map(({ id }) => id)
      .join(' ') ?? null,
  ).toBe(ids);
});

/** Of every row: whether it is wider than what it stands in, and what of amounts is cut. */
const seenOfRows = `(() => {
  const table = document.querySelector('main table');
  const cut = [...table.querySelectorAll('tbody .number')].filter((each) => {
    const cell = each.closest('td').getBoundingClientRect();
    const { left, right } = each.getBoundingClientRect();
    return left < cell.left || right > cell.right;
  });
  const cells = [...(table.querySelector('tbody tr:has(a)')?.children ?? [])].map((cell) => cell.getBoundingClientRect().width);
  return {
    isWider: table.scrollWidth > table.parentElement.clientWidth,
    cut: cut.map((each) => each.textContent),
    least: Math.min(...cells.slice(1)),
  };
})()`;

act('whatever the width, amounts are whole and no column is a sliver', async () => {
  const { page } = visit;
  const inbox = openInbox(visit.world);
  const [order, amount] = [{ orderId: newOrderId(), amount: '1234567890' }, '1234567890'];
  await payWithFields(visit.world, shopOf(visit.world, 'alpha', 'explicit'), {
    order,
    paymentSession: { amount, notificationUrl: inbox.url },
  });
  await inbox.atLeast(1);
  for (const width of [1440, 1280, 1024, 900, 760]) {
    await page.setViewportSize({ ...desktop, width });
    for (const path of ['/payments', '/callbacks', '/audit']) {
      await visit.go(path);
      await page.locator('tbody a').first().waitFor();
      const seen = await page.evaluate<{ isWider: boolean; cut: string[]; least: number }>(seenOfRows);
      expect({ path, width, ...seen, least: seen.least >= 90 }).toEqual({
        path,
        width,
        isWider: false,
        cut: [],
        least: true,
      });
    }
  }
  await page.setViewportSize(desktop);
});

act('each hour of a day is told to who points at it', async () => {
  const { page } = visit;
  await visit.go('/');
  const chart = page.getByRole('main').locator('svg[viewBox="0 0 240 48"]').last();
  await chart.hover({ position: { x: 2, y: 20 } });
  await chart
    .locator('..')
    .getByText(/: \d+ · .+: \S+$/)
    .waitFor();
});
