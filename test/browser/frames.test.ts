// The card-field frames in a real browser and the real program: what they look like, what may be typed, and what they tell the shop's page.
import type { BrowserContext, Route } from 'playwright-core';
import { cards } from '../support/checkout';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { accessibilityFaults } from './looks';
import {
  cardFieldIds,
  type FieldPage,
  type FieldWish,
  type MerchantSite,
  openMerchantSite,
  typeCard,
  typed,
} from './merchant-site';
import { complaintsOf, openBrowser } from './page-world';

let world: World;
let site: MerchantSite;
let browser: BrowserContext;
const asked: string[] = [];

beforeAll(async () => {
  world = await sharedWorld();
  site = await openMerchantSite(world);
  browser = await openBrowser({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] });
  browser.on('request', (request) => asked.push(request.url()));
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
  await world?.stop();
});

async function withFields(run: (fields: FieldPage) => Promise<void>, wish: FieldWish = {}): Promise<void> {
  const fields = await site.open(browser, wish);
  const complaints = complaintsOf(fields.page);
  try {
    await run(fields);
    expect(complaints).toEqual([]);
  } finally {
    await fields.page.close();
  }
}

const language = (word: string): FieldWish => ({ order: { paymentSession: { language: word } } });

/** Where the room of a number ends and the name of its brand starts, in pixels from the left. */
interface Beside {
  roomEndsAt: number;
  brandStartsAt: number;
  name: string;
}

describe('what a payer meets', () => {
  it('is a labelled input per field, on another origin, with the keypad and the autofill of its kind', async () => {
    await withFields(async ({ page, inside, input }) => {
      const shown = [];
      for (const fieldId of cardFieldIds) {
        const box = input(fieldId);
        const [id, ...facts] = await Promise.all(
          ['id', 'inputmode', 'autocomplete', 'type', 'pattern', 'placeholder'].map((name) => box.getAttribute(name)),
        );
        const label = ((await inside(fieldId).locator(`label[for="${id}"]`).textContent()) ?? '').trim();
        const frame = page.locator(`#place-${fieldId} iframe`);
        expect(new URL((await frame.getAttribute('src')) ?? '').origin).toBe(world.urls.pay);
        shown.push([label, await frame.getAttribute('title'), await frame.getAttribute('role'), ...facts]);
      }
      expect(world.urls.pay).not.toBe(site.origin);
      expect(shown).toEqual([
        ['Card number', 'Card number', null, 'numeric', 'cc-number', 'text', null, null],
        ['Expiry date', 'Expiry date', null, 'numeric', 'cc-exp', 'text', null, null],
        ['Security code', 'Security code', null, 'numeric', 'cc-csc', 'text', null, null],
        ['Name on card', 'Name on card', null, 'text', 'cc-name', 'text', null, null],
        ['E-mail for the receipt (optional)', 'E-mail for the receipt', null, 'email', 'email', 'email', null, null],
      ]);
    });
  });

  it.each([
    ['deu', 'de', 'Kartennummer'],
    ['fin', 'fi', 'Kortin numero'],
  ])('speaks the language of the session: %s', async (word, lang, label) => {
    await withFields(async ({ page, inside }) => {
      expect(await inside('CARD_NUMBER').locator('html').getAttribute('lang')).toBe(lang);
      expect(await inside('CARD_NUMBER').locator('label').textContent()).toBe(label);
      expect(await page.locator('#place-CARD_NUMBER iframe').getAttribute('title')).toBe(label);
    }, language(word));
  });

  it.each([
    ['MC', cards.mastercard, 16],
    ['AMEX', cards.amex, 16],
    ['AMEX', cards.amex, 22],
    ['DISCOVER', '6011111111111117', 14],
  ])('the brand stands beside the number on a phone, never on it: %s %s at %i px', async (brand, number, fontSize) => {
    await withFields(
      async ({ page, input, hears }) => {
        await page.setViewportSize({ width: 320, height: 640 });
        await input('CARD_NUMBER').fill(number);
        await hears({ type: 'brand', brand });
        const { roomEndsAt, brandStartsAt, name } = await input('CARD_NUMBER').evaluate<Beside, void>(`(() => {
          const number = document.querySelector('.field input');
          const text = document.createRange();
          text.selectNodeContents(document.getElementById('brand'));
          return {
            roomEndsAt: number.getBoundingClientRect().right - parseFloat(getComputedStyle(number).paddingInlineEnd),
            brandStartsAt: Math.min(...[...text.getClientRects()].map(({ left }) => left)),
            name: text.toString(),
          };
        })()`);
        expect(name).not.toBe('');
        expect(brandStartsAt).toBeGreaterThanOrEqual(roomEndsAt);
      },
      { fields: ['CARD_NUMBER'], options: { theme: { fontSize } } },
    );
  });

  it.each(['light', 'dark'] as const)(
    'has no fault that a machine can find, good or bad values, %s',
    async (scheme) => {
      await withFields(async (fields) => {
        await fields.page.emulateMedia({ colorScheme: scheme });
        expect(await accessibilityFaults(fields.page)).toEqual([]);
        await typeCard(fields, { CARD_NUMBER: '4242424242424241', EXPIRATION_DATE: '01/20', SECURITY_CODE: '1' });
        await fields.hears({ type: 'error', fieldId: 'SECURITY_CODE' });
        expect(await accessibilityFaults(fields.page)).toEqual([]);
      });
    },
  );
});

describe('typing', () => {
  it('a card tells the page everything but the card', async () => {
    await withFields(async (fields) => {
      await typeCard(fields);
      await fields.hears({ type: 'state', state: 'READY_FOR_PAYMENT' });
      for (const fieldId of cardFieldIds)
        for (const type of ['ready', 'focus', 'change', 'valid', 'blur']) await fields.hears({ type, fieldId });
      await fields.hears({ type: 'brand', brand: 'VISA' });
      const { sessionId, built } = fields;
      // Ids, ports and hashes may hold three digits that are the security code's by chance.
      const told = [sessionId, world.urls.pay, built.sriHash].reduce<string>(
        (text, random) => text.replaceAll(random, ''),
        JSON.stringify(await fields.heard()) + (await fields.page.content()),
      );
      for (const value of [...Object.values(typed), '4242 4242']) expect(told).not.toContain(value);
      const { body } = await site.shop.cardData(fields.sessionId);
      expect(body).toMatchObject({ bin: '424242', lastFourDigits: '4242', circuit: 'VISA' });
    });
  });

  it.each([
    ['CARD_NUMBER', '4242424242424241', 'Check the card number, a digit seems wrong'],
    ['CARD_NUMBER', '', 'Enter the card number'],
    ['CARD_NUMBER', '4242 42', 'Check the card number, a digit seems wrong'],
    ['EXPIRATION_DATE', '13/30', 'Enter the expiry date as month and year, MM/YY'],
    ['EXPIRATION_DATE', '01/20', 'This card has expired. Use another card.'],
    ['SECURITY_CODE', '12', 'The security code has 3 digits'],
    ['CARDHOLDER_NAME', '4242424242424242', 'Enter the name as it stands on the card'],
    ['CARDHOLDER_EMAIL', 'ada@', 'Enter an e-mail address like name@example.com'],
  ])('in %s "%s" is told with its cure, tied to the field', async (fieldId, value, text) => {
    await withFields(
      async ({ page, input, inside, hears }) => {
        if (value) await input(fieldId).fill(value);
        await input(fieldId).blur();
        if (!value) await page.evaluate('mounted.check()');
        const told = await hears({ type: 'error', fieldId });
        expect(told).toMatchObject({ code: 'INVALID', message: text });
        expect(await input(fieldId).getAttribute('aria-invalid')).toBe('true');
        const [described = ''] = ((await input(fieldId).getAttribute('aria-describedby')) ?? '').split(' ');
        expect(await inside(fieldId).locator(`#${described}`).textContent()).toBe(text);
        await input(fieldId).fill(typed[fieldId] ?? '');
        await input(fieldId).blur();
        await hears({ type: 'valid', fieldId });
        expect(await input(fieldId).getAttribute('aria-invalid')).toBeNull();
      },
      { fields: [fieldId] },
    );
  });

  it('takes a number that is pasted with spaces or hyphens', async () => {
    await withFields(
      async ({ page, input, hears }) => {
        for (const pasted of ['4242 4242  4242 4242 ', '5555-5555-5555-4444']) {
          await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted)})`);
          await input('CARD_NUMBER').fill('');
          await input('CARD_NUMBER').press('ControlOrMeta+V');
          await hears({ type: 'valid', fieldId: 'CARD_NUMBER' });
          expect(await input('CARD_NUMBER').inputValue()).toBe(
            pasted.replace(/\D/g, '').replace(/\B(?=(\d{4})+$)/g, ' '),
          );
        }
        await hears({ type: 'brand', brand: 'MC' });
      },
      { fields: ['CARD_NUMBER'] },
    );
  });

  it('asks four digits of an American Express card, and three again of another', async () => {
    await withFields(async (fields) => {
      await typeCard(fields, { ...typed, CARD_NUMBER: cards.amex });
      expect(await fields.input('CARD_NUMBER').inputValue()).toBe('3782 822463 10005');
      await fields.hears({ type: 'brand', brand: 'AMEX' });
      await fields.hears({ type: 'error', fieldId: 'SECURITY_CODE', message: 'The security code has 4 digits' });
      expect(await fields.inside('SECURITY_CODE').locator('#cvv-hint').textContent()).toBe(
        '4 digits, on the front of the card',
      );
      await typeCard(fields, { SECURITY_CODE: '1234' });
      await fields.hears({ type: 'state', state: 'READY_FOR_PAYMENT' });
      await typeCard(fields, { CARD_NUMBER: cards.visa });
      await fields.hears({ type: 'error', fieldId: 'SECURITY_CODE', message: 'The security code has 3 digits' });
      await eventually(async () => (await site.shop.state(fields.sessionId)).body.state === 'CARD_DATA_COLLECTION');
    });
  });

  it('forgets a good value that no longer stands there: it cannot be paid with', async () => {
    await withFields(async (fields) => {
      await typeCard(fields);
      await fields.hears({ type: 'state', state: 'READY_FOR_PAYMENT' });
      const lastState = async () => (await fields.heard()).findLast(({ type }) => type === 'state')?.state;
      await fields.input('CARD_NUMBER').press('End');
      await fields.input('CARD_NUMBER').press('Backspace');
      await eventually(async () => (await lastState()) === 'CARD_DATA_COLLECTION');
      expect((await site.shop.finalize(fields.sessionId)).status).toBe(400);
      await fields.input('CARD_NUMBER').press('2');
      await eventually(async () => (await lastState()) === 'READY_FOR_PAYMENT');
    });
  });
});

describe('a server that cannot answer for the moment', () => {
  const faults: [string, (route: Route) => Promise<void>][] = [
    ['that says so', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } })],
    ['behind a proxy with a page of its own', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' })],
    ['that hangs up', (route) => route.abort('connectionreset')],
  ];

  it.each(faults)('%s is asked again, and the payer never learns of it', async (_name, fail) => {
    await withFields(async (fields) => {
      const failed = new Map<string, number>();
      await fields.page.route('**/frames/**', async (route) => {
        const times = failed.get(route.request().url()) ?? 0;
        if (route.request().method() !== 'POST' || times >= 2) return route.continue();
        failed.set(route.request().url(), times + 1);
        return fail(route);
      });
      await typeCard(fields);
      await fields.hears({ type: 'state', state: 'READY_FOR_PAYMENT' });
      expect(failed.size).toBeGreaterThanOrEqual(cardFieldIds.length);
      expect((await fields.heard()).filter(({ type }) => type === 'error')).toEqual([]);
    });
  });

  it('for longer is told to the payer and the shop, and what was typed goes there with the next try', async () => {
    await withFields(
      async ({ page, input, inside, hears }) => {
        await page.route('**/frames/**', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }));
        await input('CARD_NUMBER').fill(typed['CARD_NUMBER'] ?? '');
        const { message = '' } = await hears({ type: 'error', code: 'UNAVAILABLE' });
        expect(await inside('CARD_NUMBER').locator('#number-error').textContent()).toBe(message);
        expect(message).toContain('you will never be charged twice');
        await page.unroute('**/frames/**');
        await page.evaluate('mounted.check()');
        await hears({ type: 'valid', fieldId: 'CARD_NUMBER' });
        expect(await input('CARD_NUMBER').getAttribute('aria-invalid')).toBeNull();
      },
      { fields: ['CARD_NUMBER'] },
    );
  });
});

it('asks nobody but the program and the shop', () => {
  const own = [site.origin, world.urls.pay];
  expect(asked.length).toBeGreaterThan(50);
  expect(
    asked.filter((url) => !own.some((origin) => url.startsWith(`${origin}/`)) && !url.startsWith('data:')),
  ).toEqual([]);
});
