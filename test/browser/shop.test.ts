// The demo shop in a real browser: shelf, basket and checkout, the ways to pay, and what is shown behind the counter.
import type { BrowserContext } from 'playwright-core';
import { cards } from '../support/checkout';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { accessibilityFaults, measure } from './looks';
import { openBrowser } from './page-world';
import {
  answerIssuer,
  desktop,
  openCheckout,
  operationsOn,
  payHosted,
  phone,
  typeIntoFrames,
  type Visit,
  visitCheckout,
  wholePicture,
} from './shop-visit';

let world: World;
let browser: BrowserContext;

beforeAll(async () => {
  world = await sharedWorld();
  browser = await openBrowser({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

const visit = (run: (visit: Visit) => Promise<void>, size = phone) => visitCheckout(browser, world, run, size);

describe('shelf and basket', () => {
  it('fills and empties without a script too, and takes no product that is not sold', async () => {
    const plain = await openBrowser({ javaScriptEnabled: false });
    try {
      const page = await plain.newPage();
      await page.goto(`${world.urls.shop}/checkout`);
      expect(await page.textContent('h1')).toBe('Your basket is empty');
      await page.goto(world.urls.shop);
      await page.click('button[value="pen"]');
      await page.click('button[value="pen"]');
      await page.click('a[href="/checkout"]');
      expect(await page.inputValue('#count-pen')).toBe('2');
      expect(await page.textContent('#total')).toBe('€30.00');
      await page.click('#go-hosted');
      await page.waitForURL(`${world.urls.pay}/pay/**`);
      await page.request.post(`${world.urls.shop}/basket`, { form: { add: 'gold' } });
      const elsewhere = { headers: { 'sec-fetch-site': 'cross-site' }, form: { add: 'pen' } };
      expect((await page.request.post(`${world.urls.shop}/basket`, elsewhere)).status()).toBe(403);
      await page.goto(`${world.urls.shop}/checkout`);
      expect(await page.textContent('#total')).toBe('€30.00');
    } finally {
      await plain.close();
    }
  });

  it('the total and the pay button follow the counts, and the order is built anew', async () => {
    await visit(async ({ page }) => {
      await page.fill('#count-pen', '3');
      await page.locator('#count-pen').blur();
      expect(await page.textContent('#pay-label')).toBe('Pay €57.00');
      await page.locator('#exchange li').nth(1).waitFor();
      expect(await page.locator('#exchange li').first().textContent()).toContain('"amount": "5700"');
    });
  });
});

describe('looks', () => {
  it('has its height before the payer scrolls to the fields: nothing moves under a click', async () => {
    await visit(async ({ page }) => {
      const given = await page.evaluate<string[]>(
        "[...document.querySelectorAll('#fields iframe')].map(({ style }) => style.height)",
      );
      const frames = page.frames().filter((frame) => frame !== page.mainFrame());
      const wished = await Promise.all(
        frames.map((frame) => frame.evaluate<string>("document.body.scrollHeight + 'px'")),
      );
      expect(given).toHaveLength(5);
      expect(given.sort()).toEqual(wished.sort());
    });
  });

  it.each([
    ['phone', phone],
    ['desktop', desktop],
  ] as const)('shelf, checkout, challenge and order are drawn well on a %s', async (_name, size) => {
    await visit(async ({ page }) => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(world.urls.shop);
      await wholePicture(page, 'shop-shelf');
      expect((await measure(page)).scrollsSideways).toBe(false);
      await page.click('a[href="/checkout"]');
      await typeIntoFrames(page, cards.challenge);
      await wholePicture(page, 'shop-checkout');
      const { h1, scrollsSideways } = await measure(page);
      expect({ h1, scrollsSideways }).toEqual({ h1: ['Your basket'], scrollsSideways: false });
      await page.click('#pay');
      await page.waitForURL('**/challenge/**');
      await wholePicture(page, 'shop-challenge');
      await answerIssuer(page, 'PASS');
      await page.waitForURL(`${world.urls.shop}/order/**`);
      await page.locator('#received li').nth(1).waitFor();
      await wholePicture(page, 'shop-order');
      expect((await measure(page)).scrollsSideways).toBe(false);
    }, size);
  });

  it('has no fault that a machine can find on any of its pages', async () => {
    await visit(async ({ page }) => {
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.click('#tab-test-cards');
      await page.click('summary:has-text("Settings")');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.goto(world.urls.shop);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.goto(`${world.urls.shop}/nothing`);
      expect(await page.textContent('h1')).toBe('There is nothing here');
      expect(await accessibilityFaults(page)).toEqual([]);
    }, desktop);
  });
});

describe('the other ways to pay', () => {
  it.each([
    ['hosted', '#go-hosted', cards.visa, ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']],
    ['hosted', '#go-hosted', cards.challenge, ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']],
    ['hosted', '#go-hosted', cards.declined, ['AUTHORIZATION DECLINED']],
    ['service', '#go-service', cards.visa, ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']],
    ['service', '#go-service', cards.challenge, ['AUTHORIZATION AUTHORIZED', 'CAPTURE EXECUTED']],
    ['service', '#go-service', cards.risk, ['AUTHORIZATION DENIED_BY_RISK']],
  ])('%s page (%s) with card %s', async (way, button, number, operations) => {
    await visit(async ({ page }) => {
      await page.check(`input[value="${way}"]`);
      await page.click(button);
      await page.waitForURL(`${world.urls.pay}/pay/**`);
      await payHosted(page, number);
      if (number === cards.challenge) await answerIssuer(page, 'PASS');
      if (operations.length === 1) await page.locator('.end a.button').click();
      await page.waitForURL(`${world.urls.shop}/order/**`);
      expect(await operationsOn(page)).toEqual(operations);
      const asked = (await page.locator('#exchange').textContent()) ?? '';
      expect(asked).toContain(way === 'hosted' ? '/api/v1/orders/hpp' : '/api/v1/payments');
    });
  });

  it.each(['PAYPAL', 'MYBANK'])('%s, at the method itself and back', async (method) => {
    await visit(async ({ page }) => {
      await page.check(`input[value="${method}"]`);
      await page.click('#go-hosted');
      await page.waitForURL(`${world.urls.acs}/method/**`);
      await page.click('button[value="PASS"]');
      await page.waitForURL(`${world.urls.shop}/order/**`);
      expect(await page.textContent('h1')).toBe('Thank you for your order');
    });
  });

  it('given up on the hosted page: the basket is still here', async () => {
    await visit(async ({ page }) => {
      await page.check('input[value="hosted"]');
      await page.click('#go-hosted');
      await page.locator('.leave button').click();
      await page.waitForURL(`${world.urls.shop}/checkout?cancelled=1`);
      expect(await page.textContent('.notice')).toContain('Your basket is still here');
    });
  });
});

describe('behind the counter', () => {
  it('shows the calls of the shop without its secrets', async () => {
    await visit(async ({ page }) => {
      await typeIntoFrames(page, cards.visa);
      await page.click('#pay');
      await page.locator('#result', { hasText: 'AUTHORIZED' }).waitFor();
      const shown = await page.content();
      for (const path of ['/api/v1/orders/build', '/api/v1/build/cardData', '/api/v1/build/finalize_payment'])
        expect(shown).toContain(path);
      const { implicit, explicit } = world.credentials.tenants.alpha.checkout;
      for (const secret of [implicit.apiKey, explicit.apiKey, world.credentials.sandboxKey])
        expect(shown).not.toContain(secret);
      expect(shown).not.toMatch(/securityToken": "[0-9a-f]{32}/);
    });
  });

  it.each([502, 429, null])('asks its server again after a passing fault (%p): one click cancels', async (status) => {
    await visit(async ({ page }) => {
      let calls = 0;
      await page.route('**/api/cancel', (route) => {
        calls += 1;
        if (calls > 1) return route.continue();
        return status === null ? route.abort() : route.fulfill({ status, json: { code: 'unavailable' } });
      });
      await page.click('#give-up');
      await page.locator('#result', { hasText: 'CANCELED' }).waitFor();
      expect(calls).toBe(2);
    });
  });

  it('looks for notifications again after a look that failed, and shows none twice', async () => {
    await visit(async ({ page }) => {
      await typeIntoFrames(page, cards.visa);
      await page.click('#pay');
      await page.click('#result a');
      await page.locator('#received li').first().waitFor();
      let looks = 0;
      await page.clock.install();
      await page.route('**/api/notifications', (route) => {
        looks += 1;
        if (looks === 1) return route.abort();
        return looks === 3 ? route.fulfill({ json: { received: [] } }) : route.continue();
      });
      await page.reload();
      await eventually(async () => {
        await page.clock.runFor(4_000);
        return looks > 4;
      });
      // A look that was begun has not come back yet.
      await page.locator('#received li').first().waitFor();
      const [shown, told] = await page.evaluate<[number, string]>(
        "[document.querySelectorAll('#received li').length, document.getElementById('received-status').textContent]",
      );
      expect(shown).toBeGreaterThan(0);
      expect(told).toBe(`Notifications received: ${shown}`);
    });
  });

  it.each([
    ['integrity', 'did not run it'],
    ['origin', 'the order was built for https://another.shop.example'],
    ['blocked', 'did not load'],
    ['expired', 'This session has ended'],
  ])('plays the failure "%s" loudly', async (fault, text) => {
    await browser.clearCookies();
    const { page } = await openCheckout(browser, world);
    await page.click('summary:has-text("Settings")');
    await page.selectOption('#fault', fault);
    await page.locator('#field-status.bad', { hasText: text }).waitFor();
    await page.close();
  });
});
