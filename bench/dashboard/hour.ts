// An hour of events, in minutes unless BENCH_HOUR_SECONDS says otherwise: an open screen is told as many as an hour at 200 a second has, each as the graph has told a real one, and what its scripts hold is looked at on the way.
import type { BrowserContext, CDPSession } from 'playwright-core';
import { visitDashboard } from '../../test/dashboard/visit';
import { eventually } from '../../test/support/stores';
import { storePayments } from '../replay/stored-payments';
import type { Case, Sample } from '../support/benchmark';
import type { Product } from '../support/product';
import { listenIn, tell } from './told';

export const hourEvents = Number(process.env['BENCH_HOUR_EVENTS'] ?? 720_000);
/** As many seconds as the hour is to take; absent: it is told as fast as the page draws. */
const hourSeconds = Number(process.env['BENCH_HOUR_SECONDS'] ?? 0);
const perSecond = hourSeconds > 0 ? Math.ceil(hourEvents / hourSeconds) : undefined;
/** Until whatever the screen keeps is full. */
const warmUpEvents = 20_000;

export async function hourCase(
  product: Product,
  browser: BrowserContext,
  { name, path }: { name: string; path: string },
): Promise<Case> {
  return {
    name,
    kind: 'product',
    pids: product.pids,
    warmsUpItself: true,
    async measure(): Promise<Sample> {
      const { page } = await visitDashboard(browser, product.world, { person: 'ada' });
      await listenIn(page);
      await page.goto(new URL(path, page.url()).href);
      await page.locator('#content').getByText('Live', { exact: true }).waitFor();
      await storePayments(product, 1);
      await eventually(() => page.evaluate<boolean>('window.heard !== null'));
      const devtools = await browser.newCDPSession(page);
      await tell(page, 0, warmUpEvents);
      const startKb = await heapKb(devtools);
      const startedAt = performance.now();
      await tell(page, warmUpEvents, hourEvents / 2, perSecond);
      const middleKb = await heapKb(devtools);
      await tell(page, warmUpEvents + hourEvents / 2, hourEvents / 2, perSecond);
      const seconds = (performance.now() - startedAt) / 1_000;
      const endKb = await heapKb(devtools);
      // Had they not been taken for events of the page's own, nothing would have been held.
      const rows = await page.locator('#content table').getAttribute('aria-rowcount');
      await page.close();
      const grownKb = endKb - Math.max(startKb, middleKb);
      return { rate: hourEvents / seconds, extra: { startKb, middleKb, endKb, grownKb, rows: Number(rows) - 1 } };
    },
  };
}

/** What the page's scripts hold, once nothing is left to collect. */
export async function heapKb(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1_000;
}
