// Menus by keys and by the pointer, also before what draws them was fetched, and when that or a dialog cannot be.
import type { Page } from 'playwright-core';
import { eventually } from '../support/stores';
import { atDashboard, paid } from './visit';

const visit = atDashboard({ person: 'ada', path: '/payments' });
const { act } = visit;

const button = (page: Page) => page.getByRole('button', { name: 'State', exact: true });
const focused = (page: Page) => page.evaluate<string>("document.activeElement?.textContent ?? ''");
const isFocused = (page: Page, word: string) =>
  eventually(async () => {
    const found = await focused(page);
    return found === word ? found : undefined;
  });

// Twice: the first time what draws it is fetched for it.
for (const time of ['first', 'second'])
  act(`opens by keys, moves, closes and gives the focus back, the ${time} time`, async () => {
    const { page } = visit;
    await button(page).focus();
    await page.keyboard.press('Enter');
    const first = (await page.getByRole('menuitemcheckbox').first().textContent()) ?? '';
    await isFocused(page, first);
    await page.keyboard.press('ArrowDown');
    await isFocused(page, (await page.getByRole('menuitemcheckbox').nth(1).textContent()) ?? '');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await isFocused(page, 'State');
    await page.keyboard.press('ArrowDown');
    await isFocused(page, first);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });

act('a second press on the button closes it, and one somewhere else keeps the focus there', async () => {
  const { page } = visit;
  await button(page).click();
  await page.getByRole('menu', { name: 'State' }).waitFor();
  expect(await button(page).getAttribute('aria-expanded')).toBe('true');
  await button(page).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await button(page).getAttribute('aria-expanded')).toBe('false');
  await button(page).click();
  await page.getByRole('menu').waitFor();
  await page.getByRole('textbox', { name: 'Order id' }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await page.evaluate<string>("document.activeElement?.ariaLabel ?? ''")).toBe('Order id');
});

act('what cannot be fetched is told, and is there at the next press', async () => {
  const { page } = visit;
  await page.route('**/assets/menu-list-*.js', (route) => route.abort());
  await visit.go('/payments');
  await button(page).click();
  await page.getByRole('status').getByText('The platform cannot be reached.').waitFor();
  await page.unroute('**/assets/menu-list-*.js');
  visit.complaints.length = 0;
  await eventually(async () => {
    await button(page).click();
    return (await page.getByRole('menu').count()) > 0 ? true : undefined;
  });
  await page.keyboard.press('Escape');
});

act('a dialog that cannot be fetched says so where it would be, and is tried again there', async () => {
  const { page } = visit;
  const { orderId } = await paid(visit.world, 'implicit');
  await page.route('**/assets/bulk-dialog-*.js', (route) => route.abort());
  await visit.go(`/payments?orderId=${orderId}`);
  await page.getByRole('row').filter({ hasText: orderId }).getByRole('checkbox').check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Refund' }).click();
  await page.getByRole('dialog').getByText('This could not be loaded').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('toolbar').getByRole('button', { name: 'Refund' }).click();
  await page.getByRole('dialog').getByText('This could not be loaded').waitFor();
  expect(await page.getByRole('row').filter({ hasText: orderId }).count()).toBe(1);
  await page.unroute('**/assets/bulk-dialog-*.js');
  visit.complaints.length = 0;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('dialog').getByLabel('Reason').waitFor();
});
