// A payer's journeys in a real browser through the demo shop and the real program: every test card, every end, and what the shop is told.
import type { BrowserContext } from 'playwright-core';
import { testCards } from '../../subgraphs/shared/test-cards';
import { cards, shopOf } from '../support/checkout';
import { sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { openBrowser } from './page-world';
import { answerIssuer, operationsOn, typeIntoFrames, type Visit, visitCheckout } from './shop-visit';

let world: World;
let browser: BrowserContext;
const asked: string[] = [];

beforeAll(async () => {
  world = await sharedWorld();
  browser = await openBrowser({ reducedMotion: 'reduce' });
  browser.on('request', (request) => asked.push(request.url()));
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const visit = (run: (visit: Visit) => Promise<void>) => visitCheckout(browser, world, run);

const paid = ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED'];
/** By what the acquirer makes of a card: what the shop's page says at once (null: the bank asks first), and what the order holds in the end. */
const ends: Record<string, { atOnce: string | null; operations: string[]; title: string }> = {
  AUTHORIZED: { atOnce: 'AUTHORIZED', operations: paid, title: 'Thank you for your order' },
  CHALLENGE_AUTHORIZED: { atOnce: null, operations: paid, title: 'Thank you for your order' },
  CHALLENGE_DECLINED: { atOnce: null, operations: ['AUTHORIZATION DECLINED'], title: 'The payment did not go through' },
  CHALLENGE_FAILED: {
    atOnce: null,
    operations: ['AUTHORIZATION THREEDS_FAILED'],
    title: 'The payment did not go through',
  },
  DECLINED: { atOnce: 'DECLINED', operations: ['AUTHORIZATION DECLINED'], title: 'The payment did not go through' },
  DECLINED_INSUFFICIENT_FUNDS: {
    atOnce: 'DECLINED',
    operations: ['AUTHORIZATION DECLINED'],
    title: 'The payment did not go through',
  },
  DENIED_BY_RISK: {
    atOnce: 'DENIED_BY_RISK',
    operations: ['AUTHORIZATION DENIED_BY_RISK'],
    title: 'The payment did not go through',
  },
  FAILED: { atOnce: 'FAILED', operations: ['AUTHORIZATION FAILED'], title: 'The payment did not go through' },
  PENDING_THEN_AUTHORIZED: { atOnce: 'PENDING', operations: paid, title: 'Thank you for your order' },
  UNKNOWN_THEN_AUTHORIZED: { atOnce: 'PENDING', operations: paid, title: 'Thank you for your order' },
};

describe('through the card fields', () => {
  it.each(testCards.map((card) => [card.number, card.description, card.payment] as const))(
    '%s: %s',
    async (number, _text, outcome) => {
      const end = ends[outcome];
      if (!end) throw new Error(`no end is known for ${outcome}`);
      await visit(async ({ page }) => {
        await typeIntoFrames(page, number);
        await page.click('#pay');
        if (end.atOnce === null) {
          await answerIssuer(page, 'PASS');
          // An issuer that says no says so on its own page first.
          if (outcome === 'CHALLENGE_FAILED') await page.click('.ask a.button');
        } else {
          await page.locator('#result .result-chip', { hasText: end.atOnce }).waitFor();
          await page.click('#result a');
        }
        await page.waitForURL(`${world.urls.shop}/order/**`);
        if (outcome === 'UNKNOWN_THEN_AUTHORIZED')
          await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 61_000 });
        await eventually(
          async () => {
            const operations = await operationsOn(page);
            if (JSON.stringify(operations) === JSON.stringify(end.operations)) return true;
            await page.reload();
            throw new Error(`the order has ${JSON.stringify(operations)}`);
          },
          { everyMs: 500 },
        );
        expect(await page.textContent('h1')).toBe(end.title);
        const [first = ''] = end.operations;
        await page.locator('#received li', { hasText: first }).first().waitFor();
      });
    },
  );
});

describe('other ends', () => {
  it('declined, then another card pays the same order', async () => {
    await visit(async ({ page }) => {
      await typeIntoFrames(page, cards.declined);
      await page.click('#pay');
      await page.locator('#result', { hasText: 'DECLINED' }).waitFor();
      const declined = await page.getAttribute('#result a', 'href');
      await page.click('#again');
      await page.locator('#field-status', { hasText: 'Enter the card' }).waitFor();
      await typeIntoFrames(page, cards.mastercard);
      await page.click('#pay');
      await page.locator('#result', { hasText: 'AUTHORIZED' }).waitFor();
      expect(await page.getAttribute('#result a', 'href')).toBe(declined);
    });
  });

  it('a double click pays once', async () => {
    await visit(async ({ page }) => {
      await typeIntoFrames(page, cards.visa);
      await page.dblclick('#pay');
      await page.locator('#result', { hasText: 'AUTHORIZED' }).waitFor();
      const href = (await page.getAttribute('#result a', 'href')) ?? '';
      const orderId = new URL(href, world.urls.shop).pathname.split('/').at(-1) ?? '';
      const { body } = await shopOf(world, 'alpha').order(orderId);
      expect(body.orderStatus).toMatchObject({ authorizedAmount: '2700', capturedAmount: '2700' });
      expect(body.operations).toHaveLength(2);
    });
  });

  it('cancelled before paying: nothing is charged, and the payer may pay after all', async () => {
    await visit(async ({ page }) => {
      await page.click('#give-up');
      await page.locator('#result', { hasText: 'CANCELED' }).waitFor();
      await page.click('#again');
      await page.locator('#field-status', { hasText: 'Enter the card' }).waitFor();
    });
  });

  it.each([
    ['FAIL', 'THREEDS_FAILED'],
    ['CANCEL', 'CANCELED'],
    ['TIMEOUT', 'THREEDS_FAILED'],
  ] as const)('a challenge that ends in %s is %s, and the shop offers another card', async (outcome, result) => {
    await visit(async ({ page }) => {
      await typeIntoFrames(page, cards.challenge);
      await page.click('#pay');
      await answerIssuer(page, outcome);
      await page.waitForURL(`${world.urls.shop}/order/**`);
      expect((await operationsOn(page)).join()).toContain(result);
      await page.click('a[href^="/checkout?order="]');
      await page.locator('#field-status', { hasText: 'Enter the card' }).waitFor();
    });
  });
});

it('asks nobody but the program', () => {
  const own = [world.urls.shop, world.urls.pay, world.urls.acs];
  expect(asked.length).toBeGreaterThan(200);
  expect(asked.filter((url) => !own.some((origin) => url.startsWith(`${origin}/`)))).toEqual([]);
});
