// The graph explorer of the running program, opened by the link that `pay explorer` prints: its first tab runs as it stands.
import type { BrowserContext } from 'playwright-core';
import { accessTokenOf } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { openBrowser } from './page-world';

let world: World;
let browser: BrowserContext;
beforeAll(async () => {
  [world, browser] = await Promise.all([sharedWorld(), openBrowser({ locale: 'en' })]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

test.each(['viewer', 'admin'] as const)('as %s, also after a reload, and the address shows no token', async (who) => {
  const token = await accessTokenOf(world, world.credentials.graph[who]);
  const page = await browser.newPage();
  await page.goto(`${world.urls.graph}#token=${encodeURIComponent(token)}`);
  for (const time of ['opened', 'reloaded']) {
    await page.waitForSelector('.graphiql-query-editor .view-line');
    expect(page.url()).toBe(world.urls.graph);
    await page.click('.graphiql-execute-button');
    const result = page.locator('.result-window');
    // A page of merchants, whichever they are: other tests make some that come before the sandbox's own.
    const answered = async () => /"(?:merchantId|errors)"/.exec((await result.textContent()) ?? '')?.[0];
    expect([time, await eventually(answered, { timeoutMs: 60_000 })]).toEqual([time, '"merchantId"']);
    await page.reload();
  }
  await page.close();
});
