// The graph explorer of the running program, opened by the link that `pay explorer` prints: it opens without an error, its first tab runs as it stands, and it knows the schema.
import type { BrowserContext, Page } from 'playwright-core';
import { accessTokenOf } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { openBrowser } from './page-world';

/** It says Stop while an operation runs. */
const executeButton = '.graphiql-execute-button[aria-label^="Execute"]';

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
  await open(page, () => page.goto(`${world.urls.graph}#token=${encodeURIComponent(token)}`));
  for (const time of ['opened', 'reloaded']) {
    expect(page.url()).toBe(world.urls.graph);
    expect(`${time}: ${await page.locator('.result-window').textContent()}`).toBe(`${time}: `);
    expect(`${time}: ${await run(page)}`).toContain('"merchantId"');
    // The browser remembers an open panel.
    const show = page.locator('[aria-label="Show Documentation Explorer"]');
    if ((await show.count()) > 0) await show.click();
    await page.waitForSelector('.graphiql-doc-explorer-type-name >> text="Query"');
    await open(page, () => page.reload());
  }
  await page.close();
});

/** Until the editor stands and the schema was answered: what comes after it replaces nothing in the result. */
async function open(page: Page, go: () => Promise<unknown>): Promise<void> {
  const schema = page.waitForResponse((response) => response.url() === `${world.urls.graph}/schema.graphql`);
  await go();
  expect((await schema).status()).toBe(200);
  await page.waitForSelector('.graphiql-query-editor .view-line');
}

/** What the first tab answers: a page of merchants, whichever they are. A busy program may ask to come again, as it would a person. */
async function run(page: Page): Promise<string> {
  await page.click(executeButton);
  const result = page.locator('.result-window');
  return eventually(
    async () => {
      const answer = (await result.textContent()) ?? '';
      if (/"code":\s*"unavailable"/.test(answer)) await page.click(executeButton);
      else if (/"(?:merchantId|errors)"/.test(answer)) return answer;
      return undefined;
    },
    { timeoutMs: 60_000 },
  );
}
