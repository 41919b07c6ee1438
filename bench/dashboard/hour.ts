// An hour of events in minutes: an open screen is told as many as an hour at 200 a second has, each as the graph has told a real one, and what its scripts hold is looked at on the way.
import type { BrowserContext, CDPSession, Page, WebSocketRoute } from 'playwright-core';
import { visitDashboard } from '../../test/dashboard/visit';
import { eventually } from '../../test/support/stores';
import { storePayments } from '../replay/stored-payments';
import type { Case, Sample } from '../support/benchmark';
import type { Product } from '../support/product';

export const hourEvents = Number(process.env['BENCH_HOUR_EVENTS'] ?? 720_000);
/** Until whatever the screen keeps is full. */
const warmUpEvents = 20_000;
const batch = 500;
const uuid = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)[0-9a-f]{12}/g;

export async function hourCase(
  product: Product,
  browser: BrowserContext,
  { name, path }: { name: string; path: string },
): Promise<Case> {
  return {
    name,
    kind: 'product',
    pids: product.pids,
    async measure(): Promise<Sample> {
      const { page } = await visitDashboard(browser, product.world, { person: 'ada' });
      const told = await listenIn(page);
      await page.goto(new URL(path, page.url()).href);
      await page.locator('#content').getByText('Live', { exact: true }).waitFor();
      await storePayments(product, 1);
      const { socket, text } = await eventually(() => told.event());
      const devtools = await browser.newCDPSession(page);
      let count = 0;
      const tell = async (events: number) => {
        for (const until = count + events; count < until; ) {
          for (let each = 0; each < batch; each += 1, count += 1)
            socket.send(text.replace(uuid, `$1${count.toString(16).padStart(12, '0')}`));
          // Not faster than the page takes them.
          await page.evaluate('new Promise((done) => requestAnimationFrame(done))');
        }
      };
      await tell(warmUpEvents);
      const startKb = await heapKb(devtools);
      const startedAt = performance.now();
      await tell(hourEvents / 2);
      const middleKb = await heapKb(devtools);
      await tell(hourEvents / 2);
      const seconds = (performance.now() - startedAt) / 1_000;
      const endKb = await heapKb(devtools);
      await page.close();
      const grownKb = endKb - Math.max(startKb, middleKb);
      return { rate: hourEvents / seconds, extra: { startKb, middleKb, endKb, grownKb } };
    },
  };
}

/** Everything goes on between page and graph; the last event is kept, with the connection that it came by. */
async function listenIn(page: Page) {
  let last: { socket: WebSocketRoute; text: string } | undefined;
  await page.routeWebSocket('**/graphql', (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const text = String(message);
      if (text.includes('"OperationEvent"')) last = { socket, text };
      socket.send(message);
    });
  });
  return { event: () => last };
}

/** What the page's scripts hold, once nothing is left to collect. */
export async function heapKb(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1_000;
}
