// The API reference of the running program, opened by the link that `pay reference` prints: calls go out with the sandbox's credentials as they stand.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { built } from '../support/built';
import { sharedWorld, type World } from '../support/world';
import { openBrowser } from './page-world';

let world: World;
let browser: BrowserContext;
let link: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([sharedWorld(), openBrowser({ locale: 'en' })]);
  const file = join(world.dataDir, 'sandbox-credentials.json');
  const { stdout, stderr } = spawnSync(process.execPath, [built('cli.js'), '--credentials', file, 'reference'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  link = stdout.trim();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** Tries an operation out as it stands; resolves with the status of the answer. */
async function tryOut(page: Page, operationId: string): Promise<number> {
  const operation = page.locator(`[id$="-${operationId}"]`);
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.try-out__btn').click();
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.request().resourceType() === 'fetch' && !each.url().includes('/openapi/')),
    operation.locator('.execute').click(),
  ]);
  return response.status();
}

test('fills in each API, keeps it, and leaves nothing in the address', async () => {
  const page = await browser.newPage();
  await page.goto(link);
  await page.waitForSelector('.opblock');
  expect(page.url()).toBe(`${world.urls.rest}/docs?api=checkout`);
  expect(await tryOut(page, 'createHostedOrder')).toBe(200);
  for (const [api, operationId, status] of [
    ['payments', 'createPayment', 201],
    ['partner', 'createOnboarding', 200],
    ['sandbox', 'listTestCards', 200],
    // The example's card was sealed for another installation.
    ['tokenization', 'createToken', 400],
  ] as const) {
    await page.goto(`${world.urls.rest}/docs?api=${api}`);
    await page.waitForSelector('.opblock');
    expect([api, await tryOut(page, operationId)]).toEqual([api, status]);
  }
  await page.close();
});

test('says nothing of credentials to a browser that has not opened the link', async () => {
  const other = await openBrowser({ locale: 'en' });
  const page = await other.newPage();
  await page.goto(`${world.urls.rest}/docs?api=checkout`);
  await page.waitForSelector('.opblock');
  expect(await tryOut(page, 'createHostedOrder')).toBe(401);
  await other.close();
});
