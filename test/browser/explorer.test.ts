// The graph explorer of the running program: it opens without an error, its examples run as they stand, it knows the schema of whoever asks, and one sign-in serves every tab and reload.
import type { BrowserContext, Page } from 'playwright-core';
import { payWithFields, shopOf } from '../support/checkout';
import { accountExpiry } from '../support/expiry';
import { accessTokenOf, freshCardNumber, partnerOf } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { openBrowser } from './page-world';

/** It says Stop while an operation runs. */
const executeButton = '.graphiql-execute-button[aria-label^="Execute"]';

let world: World;
let browser: BrowserContext;
/** Those that ask once. */
const examples = ['MerchantOverview', 'MerchantPayments', 'OperationLife', 'VirtualAccountLife', 'RecentCallbacks'];
const complaints: string[] = [];

beforeAll(async () => {
  [world, browser] = await Promise.all([sharedWorld(), openBrowser({ locale: 'en' })]);
  // The examples need something to show.
  const partner = await partnerOf(world, 'alpha');
  await partner.createToken({ account: freshCardNumber(), accountExpiry });
  await payWithFields(world, shopOf(world, 'alpha', 'explicit'));
});
afterEach(async () => {
  await browser.clearCookies();
  for (const page of browser.pages().slice(1)) await page.close();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function newPage(): Promise<Page> {
  const page = await browser.newPage();
  complaints.length = 0;
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return page;
}

test.each(['viewer', 'admin'] as const)('as %s, also after a reload, and the address shows no token', async (who) => {
  const token = await accessTokenOf(world, world.credentials.graph[who]);
  const page = await newPage();
  await open(page, () => page.goto(`${world.urls.graph}#token=${encodeURIComponent(token)}`));
  for (const time of ['opened', 'reloaded']) {
    expect(page.url()).toBe(world.urls.graph);
    expect(`${time}: ${await page.locator('.result-window').textContent()}`).toBe(`${time}: `);
    expect(`${time}: ${await run(page)}`).toContain('"merchantId"');
    await showSchema(page);
    await open(page, () => page.reload());
  }
  expect(complaints).toEqual([]);
  await page.close();
});

test.each([
  ['viewer', 'Vera Viewer, staff'],
  ['administrator', 'Ada Administrator, staff'],
])('signed in as %s by one click, for every tab and after a reload', async (role, said) => {
  const page = await newPage();
  await page.goto(world.urls.graph);
  await open(page, () => page.click(`.ways-in a >> text="Sign in as ${role}"`));
  expect(await page.locator('.account-bar').textContent()).toContain(said);
  for (const example of examples) {
    await page.click(`.graphiql-tab-button >> text="${example}"`);
    const answer = await run(page);
    expect(`${example}: ${answer}`).not.toMatch(/"errors"|"data":\s*\{\s*"\w+":\s*null/);
  }
  await showSchema(page);
  const tabs = await page.locator('.graphiql-tab').count();
  await open(page, () => page.reload());
  expect(await page.locator('.graphiql-tab').count()).toBe(tabs);
  expect(await page.locator('.account-bar').textContent()).toContain(said);
  const other = await newPage();
  await open(other, () => other.goto(world.urls.graph));
  await firstTab(other);
  expect(await run(other)).toContain('"merchantId"');
  await other.close();
  expect(complaints).toEqual([]);
  await Promise.all([page.waitForURL(world.urls.graph), page.click('.account-bar button >> text="Sign out"')]);
  await page.waitForSelector('.ways-in a');
  await page.close();
});

test('a person of a tenant reads the schema of a tenant', async () => {
  const page = await newPage();
  await open(page, () => page.goto(`${new URL(world.urls.graph).origin}/sign-in?as=tom&to=/graphql`));
  await showSchema(page);
  const names = await page.evaluate(async () => (await fetch('/graphql/schema.graphql')).text());
  expect([names.includes('merchants('), names.includes('refundOperation(')]).toEqual([true, false]);
  await page.close();
});

test.each([
  ['phone', { width: 390, height: 844 }, 'light'],
  ['phone', { width: 390, height: 844 }, 'dark'],
  ['desktop', { width: 1400, height: 900 }, 'light'],
  ['desktop', { width: 1400, height: 900 }, 'dark'],
] as const)('stands on a %s of %j, %s', async (_device, viewport, colorScheme) => {
  const page = await newPage();
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  await page.goto(world.urls.graph);
  await page.waitForSelector('.ways-in a');
  await open(page, () => page.goto(`${new URL(world.urls.graph).origin}/sign-in?as=vera&to=/graphql`));
  await firstTab(page);
  await run(page);
  const widthOf = async (selector: string) => (await page.locator(selector).boundingBox())?.width ?? 0;
  expect(await widthOf('html')).toBe(viewport.width);
  // Neither is squeezed to a strip beside the other.
  for (const part of ['.graphiql-query-editor', '.graphiql-response']) expect(await widthOf(part)).toBeGreaterThan(250);
  await showSchema(page);
  await page.close();
});

/** Without the panel that an earlier visit left open: on a phone it covers the editor. */
async function firstTab(page: Page): Promise<void> {
  const hide = page.locator('[aria-label="Hide Documentation Explorer"]');
  if ((await hide.count()) > 0) await hide.click();
  await page.click('.graphiql-tab-button >> text="MerchantOverview"');
}

async function showSchema(page: Page): Promise<void> {
  // The browser remembers an open panel.
  const show = page.locator('[aria-label="Show Documentation Explorer"]');
  if ((await show.count()) > 0) await show.click();
  await page.waitForSelector('.graphiql-doc-explorer-type-name >> text="Query"');
}

/** Until the editor stands and the schema was answered: what comes after it replaces nothing in the result. */
async function open(page: Page, go: () => Promise<unknown>): Promise<void> {
  const schema = page.waitForResponse((response) => response.url() === `${world.urls.graph}/schema.graphql`);
  await go();
  expect((await schema).status()).toBe(200);
  await page.waitForSelector('.graphiql-query-editor .view-line');
}

/** What the tab answers. A busy program may ask to come again, as it would a person. */
async function run(page: Page): Promise<string> {
  await page.click(executeButton);
  const result = page.locator('.result-window');
  return eventually(
    async () => {
      const answer = (await result.textContent()) ?? '';
      if (/"code":\s*"unavailable"/.test(answer)) await page.click(executeButton);
      else if (/"(?:data|errors)"/.test(answer)) return answer;
      return undefined;
    },
    { timeoutMs: 60_000 },
  );
}
