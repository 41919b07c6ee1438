// The API reference in a browser: what a reader sends from it has an id of its own, every time; the search finds a page by its words.
import type { BrowserContext } from 'playwright-core';
import { type Facade, startFacade } from '../rest-facade/fixture';
import { openBrowser } from './page-world';

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
let facade: Facade;
let browser: BrowserContext;
beforeAll(async () => {
  [facade, browser] = await Promise.all([startFacade({}), openBrowser({ locale: 'en' })]);
});
afterAll(async () => {
  await browser?.close();
  await facade?.stop();
});

test('a call that is tried twice carries a new Correlation-Id each time', async () => {
  const page = await browser.newPage();
  await page.goto(`${facade.url}/docs?api=checkout`);
  await page.click('.opblock-get .opblock-summary-control');
  await page.click('.try-out__btn');
  for (const input of await page.$$('.opblock.is-open input[type=text]'))
    if ((await input.inputValue()) === '') await input.fill('order-1');
  const sent: string[] = [];
  for (let time = 0; time < 2; time += 1) {
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.url().includes('/api/v1/')),
      page.click('.execute'),
    ]);
    sent.push(String(request.headers()['correlation-id']));
  }
  expect(sent).toEqual([expect.stringMatching(uuidV4), expect.stringMatching(uuidV4)]);
  expect(sent[0]).not.toBe(sent[1]);
  await page.close();
});

test('the search leads to the section that has all the words', async () => {
  const page = await browser.newPage();
  await page.goto(`${facade.url}/docs/sandbox`);
  await page.fill('#search', 'MTS-1617');
  const link = page.locator('#found a').first();
  await link.waitFor();
  expect(await page.isVisible('#pages')).toBe(false);
  await link.click();
  await page.waitForURL('**/docs/errors#mts-1617');
  await page.fill('#search', 'no page has these 17 words');
  await page.waitForSelector('#found:has-text("Nothing has all these words.")');
  await page.close();
});

test('an opened operation fits a phone', async () => {
  const page = await browser.newPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${facade.url}/docs?api=checkout`);
  const operation = page.locator('[id$="-createHostedOrder"]');
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.try-out__btn').click();
  await operation.locator('textarea').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  await page.close();
});
