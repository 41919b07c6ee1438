// The dashboard in a browser: its first look from a cold cache, a long list scrolled, and the live feed under many events a second.
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../test/browser/page-world';
import { visitDashboard } from '../../test/dashboard/visit';
import { storePayments } from '../replay/stored-payments';
import type { Benchmark, Case, Sample } from '../support/benchmark';
import { type Product, startProduct } from '../support/product';
import { framesWhile } from './frames';
import { heapKb, hourCase, hourEvents } from './hour';
import { repeatPages } from './told';

const rows = Number(process.env['BENCH_ROWS'] ?? 100_000);
const eventsPerSecond = 200;
const ticksPerSecond = 5;
const overview = 'first look at the overview, cold cache';
const list = `list of ${rows.toLocaleString('en')} payments, scrolled`;
const feed = `live feed, ${eventsPerSecond} events a second`;
const hours = [
  { name: `live feed, ${hourEvents.toLocaleString('en')} events`, path: '/live' },
  { name: `list of payments, ${hourEvents.toLocaleString('en')} events`, path: '/payments' },
];

export const benchmark: Benchmark = {
  title: 'The dashboard in Chromium, 1,280 by 860',
  async open({ only }) {
    const isWanted = (name: string) => only.length === 0 || only.includes(name);
    const { findChromium } = (await import('../../tools/chromium.mjs' as string)) as { findChromium(): string };
    process.env['CHROMIUM_PATH'] ??= findChromium();
    const product = await startProduct({ processes: 1 });
    const browser = await openBrowser({ locale: 'en-GB' });
    const cases = [
      await overviewCase(product, browser),
      // Told page by page, which takes a while.
      ...(isWanted(list) ? [await listCase(product, browser)] : []),
      ...(isWanted(feed) ? [await feedCase(product, browser)] : []),
      ...(await Promise.all(hours.map((hour) => hourCase(product, browser, hour)))),
    ];
    return {
      cases,
      reference: overview,
      goals: [
        { metric: 'extra.paintMs', of: overview, atMost: 1_000 },
        { metric: 'extra.scriptKb', of: overview, atMost: 180 },
        { metric: 'rate', of: list, atLeast: 50 },
        { metric: 'extra.longestMs', of: feed, atMost: 100 },
        ...hours.map(({ name }) => ({ metric: 'extra.grownKb' as const, of: name, atMost: 1_000 })),
      ],
      facts: ['rates are frames a second, of the overview 1,000 / milliseconds until nothing is loading any more'],
      async close() {
        await browser.close();
        await product.stop();
      },
    };
  },
};

async function overviewCase({ world, pids }: Product, browser: BrowserContext): Promise<Case> {
  const { page, go } = await visitDashboard(browser, world, { person: 'ada' });
  const devtools = await browser.newCDPSession(page);
  return {
    name: overview,
    kind: 'product',
    pids,
    async measure(): Promise<Sample> {
      await page.bringToFront();
      await devtools.send('Network.clearBrowserCache');
      await go('/');
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
      const seen = await page.evaluate<{ paintMs: number; doneMs: number; scriptKb: number }>(`(() => {
        const scripts = performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.endsWith('.js'));
        return {
          paintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
          doneMs: performance.now(),
          scriptKb: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000,
        };
      })()`);
      return { rate: 1_000 / seen.doneMs, extra: { paintMs: seen.paintMs, scriptKb: seen.scriptKb } };
    },
  };
}

async function listCase(product: Product, browser: BrowserContext): Promise<Case> {
  const { world, pids } = product;
  // A first page, one that is repeated, and one that it says there is more of.
  await storePayments(product, 500);
  const { page, go } = await visitDashboard(browser, world, { person: 'ada' });
  await repeatPages(page, { operation: 'PaymentRows', list: 'payments' });
  await go('/payments');
  await page.getByRole('table').waitFor();
  await loadAll(page);
  const devtools = await browser.newCDPSession(page);
  return {
    name: list,
    kind: 'product',
    pids,
    async measure(seconds): Promise<Sample> {
      await page.bringToFront();
      const scroll = `(() => {
        const scroller = document.querySelector('section[aria-label]:has(table)');
        scroller.scrollTop = Math.random() * scroller.scrollHeight / 2;
        return () => { scroller.scrollTop += 90; };
      })()`;
      const { perSecond, ...others } = await framesWhile({ page, devtools }, seconds, { each: scroll });
      return { rate: perSecond, extra: { ...others } };
    },
  };
}

/** Stays at the end of the list until every row has come. */
async function loadAll(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const table = document.querySelector('section[aria-label] table');
      if (Number(table.getAttribute('aria-rowcount')) > ${rows}) return resolve();
      table.parentElement.scrollTop = table.parentElement.scrollHeight;
      setTimeout(look, 10);
    };
    look();
  })`);
}

async function feedCase(product: Product, browser: BrowserContext): Promise<Case> {
  const { page } = await visitDashboard(browser, product.world, { person: 'ada', path: '/live' });
  await page.locator('#content').getByText('Live', { exact: true }).waitFor();
  const devtools = await browser.newCDPSession(page);
  return {
    name: feed,
    kind: 'product',
    pids: product.pids,
    async measure(seconds): Promise<Sample> {
      await page.bringToFront();
      const before = await heapKb(devtools);
      const drawn = framesWhile({ page, devtools }, seconds);
      const [{ perSecond, ...others }] = await Promise.all([drawn, happen(product, seconds)]);
      return { rate: perSecond, extra: { ...others, heapGrownKb: (await heapKb(devtools)) - before } };
    },
  };
}

/** Events of payments, evenly over the time. */
async function happen(product: Product, seconds: number): Promise<void> {
  const startedAt = performance.now();
  for (let tick = 1; tick <= seconds * ticksPerSecond; tick += 1) {
    await storePayments(product, eventsPerSecond / ticksPerSecond);
    const nextAt = startedAt + (tick * 1_000) / ticksPerSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextAt - performance.now())));
  }
}
