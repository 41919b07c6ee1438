// One browser and one set of page servers for a file of tests, and how a test visits them: pages that complain fail it.
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { complaintsOf, openBrowser, openPages, type PageWorld } from './page-world';

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 900 };
/** What 1280 pixels at 400 % come to. */
export const smallest = { width: 320, height: 640 };
export const goodCard = { number: '4242 4242 4242 4242', expiry: '12/30', cvv: '123', holder: 'Ada Lovelace' };

export interface Visits {
  world: PageWorld;
  browser: BrowserContext;
  /** Every address that the browser asked for. */
  asked: string[];
  /** Runs with a page of its own; fails when the page complained of a script error or a broken content policy. */
  withPage<Result>(run: (page: Page) => Promise<Result>, size?: typeof phone): Promise<Result>;
}

/** Opened before the file's first test and closed after its last; not to be used outside of tests. */
export function openVisits(options: BrowserContextOptions = {}): Visits {
  const visits: Visits = {
    world: undefined as unknown as PageWorld,
    browser: undefined as unknown as BrowserContext,
    asked: [],
    async withPage(run, size = phone) {
      const page = await visits.browser.newPage();
      await page.setViewportSize(size);
      const complaints = complaintsOf(page);
      try {
        const result = await run(page);
        expect(complaints).toEqual([]);
        return result;
      } finally {
        await page.close();
      }
    },
  };
  beforeAll(async () => {
    visits.world = await openPages();
    visits.browser = await openBrowser({ reducedMotion: 'reduce', ...options });
    visits.browser.on('request', (request) => visits.asked.push(request.url()));
  });
  afterAll(async () => {
    await visits.browser?.close();
    await visits.world?.stop();
  });
  return visits;
}

/** Waits for a part of a page that a form led to, and for that page's style and script: the browser shows its markup before. */
export async function arrive(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.waitForLoadState();
}

export async function fillCard(page: Page, card: Partial<typeof goodCard> = {}): Promise<void> {
  for (const [name, value] of Object.entries({ ...goodCard, ...card })) await page.fill(`#${name}`, value);
}
