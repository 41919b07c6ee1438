// What stands in the address is what is asked: the order of a list, and its filters.
import type { BrowserContext } from 'playwright-core';
import { openBrowser } from '../browser/page-world';
import { sharedWorld, type World } from '../support/world';
import { actsOf, paid, type Visit, visitDashboard } from './visit';

let world: World;
let browser: BrowserContext;
let visit: Visit;

beforeAll(async () => {
  world = await sharedWorld();
  browser = await openBrowser({ locale: 'en-GB', reducedMotion: 'reduce' });
  visit = await visitDashboard(browser, world, { person: 'olga' });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const act = actsOf(() => visit);
const nothing = (name: string) => visit.page.getByRole('heading', { name });
const cell = (name: string) => visit.page.getByRole('cell', { name, exact: true });

act('payments are ordered by when their reservation ends, and narrowed to those that end soon', async () => {
  const { page } = visit;
  const [held, captured] = [await paid(world, 'explicit'), await paid(world, 'implicit')];
  await visit.go(`/payments?orderId=${held.orderId}`);
  await cell(held.orderId).waitFor();
  await page.getByRole('button', { name: 'Sorted by' }).click();
  await page.getByRole('menuitemradio', { name: 'Authorization ends soonest' }).click();
  await page.getByRole('columnheader', { name: 'Authorized until' }).waitFor();
  await cell(held.orderId).waitFor();
  expect(new URL(page.url()).searchParams.get('order')).toBe('EXPIRING_SOONEST');
  await page.getByRole('button', { name: 'Authorized until' }).click();
  await page.getByRole('menuitemradio', { name: 'Within 24 hours' }).click();
  await nothing('No payments here').waitFor();
  await visit.go(`/payments?orderId=${captured.orderId}&order=OLDEST`);
  await cell(captured.orderId).waitFor();
  await visit.go(`/payments?orderId=${captured.orderId}&order=EXPIRING_SOONEST`);
  await nothing('No payments here').waitFor();
});
