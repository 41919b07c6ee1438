// The card-field frames in the flow of a payment: by keyboard and by label, in both flow versions, device check, methods, and when the visit is over.
import type { BrowserContext, Page } from 'playwright-core';
import { cards, typedCard } from '../support/checkout';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';
import { accessibilityFaults, focused } from './looks';
import {
  cardFieldIds,
  type FieldPage,
  type FieldWish,
  hold,
  type MerchantSite,
  openMerchantSite,
  typeCard,
  typed,
} from './merchant-site';
import { openBrowser } from './page-world';

let world: World;
let site: MerchantSite;
let browser: BrowserContext;

beforeAll(async () => {
  world = await sharedWorld();
  site = await openMerchantSite(world);
  browser = await openBrowser({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
  await world?.stop();
});

async function withFields(run: (fields: FieldPage) => Promise<void>, wish: FieldWish = {}): Promise<void> {
  const fields = await site.open(browser, wish);
  try {
    await run(fields);
  } finally {
    await fields.page.close();
  }
}

/** Places in the order in which the focus reached them. */
async function walk(page: Page, key: string, steps: number): Promise<string[]> {
  const placeOf = () =>
    page.evaluate<string>('document.activeElement.parentElement.id || document.activeElement.id || ""');
  const places: string[] = [];
  let place = await placeOf();
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press(key);
    const before = place;
    place = await eventually(async () => {
      const now = await placeOf();
      if (now === before) throw new Error(`the focus stays at ${before}`);
      return now;
    });
    places.push(place);
  }
  return places;
}

const places = cardFieldIds.map((id) => `place-${id}`);

/** Enters a value as the field's frame does; says whether it was taken. */
async function enter(sessionId: string, fieldId: string, value: string): Promise<boolean> {
  const answer = await fetch(`${world.urls.pay}/frames/${sessionId}/${fieldId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ value }),
  });
  if (answer.status !== 200) throw new Error(`${fieldId} was answered ${answer.status}`);
  return true;
}

describe('by keyboard and by label', () => {
  it('goes through the frames in their order and out, and the same way back', async () => {
    await withFields(async ({ page, heard }) => {
      await page.focus('#before');
      expect(await walk(page, 'Tab', 6)).toEqual([...places, 'not-a-place']);
      expect(await walk(page, 'Shift+Tab', 6)).toEqual([...[...places].reverse(), 'before']);
      const focuses = async () => (await heard()).flatMap(({ type, fieldId }) => (type === 'focus' ? [fieldId] : []));
      // A message of the last field may still be under way.
      await eventually(async () => (await focuses()).length >= 2 * cardFieldIds.length);
      expect(await focuses()).toEqual([...cardFieldIds, ...[...cardFieldIds].reverse()]);
    });
  });

  it('types a whole card without a pointer, and Enter asks to pay', async () => {
    await withFields(async ({ page, hears }) => {
      await page.focus('#before');
      for (const fieldId of cardFieldIds) {
        await page.keyboard.press('Tab');
        await page.keyboard.type(typed[fieldId] ?? '');
      }
      await page.keyboard.press('Enter');
      await hears({ type: 'submit', fieldId: 'CARDHOLDER_EMAIL' });
      await hears({ type: 'state', state: 'READY_FOR_PAYMENT' });
    });
  });

  it("a click on the page's own label brings the caret into the frame; the frame's own label stays for screen readers", async () => {
    const labels = { CARD_NUMBER: { label: 'The long number', isLabelHidden: true, hint: 'On the front' } };
    await withFields(
      async ({ page, inside, hears }) => {
        await page.evaluate("document.querySelector('label[for=place-CARD_NUMBER]').hidden = false");
        await page.click('label[for="place-CARD_NUMBER"]');
        await hears({ type: 'focus', fieldId: 'CARD_NUMBER' });
        await page.keyboard.type('4242');
        await hears({ type: 'brand', brand: 'VISA' });
        expect(await inside('CARD_NUMBER').getByLabel('The long number').inputValue()).toBe('4242');
        expect(await page.locator('#place-CARD_NUMBER iframe').getAttribute('title')).toBe('The long number');
        await inside('CARD_NUMBER').locator('input').first().blur();
        await page.evaluate("mounted.focus('CARD_NUMBER')");
        await eventually(
          async () =>
            (await focused(page)) === '' && (await page.evaluate('document.activeElement.tagName')) === 'IFRAME',
        );
      },
      { fields: ['CARD_NUMBER'], options: { labels } },
    );
  });

  it('one frame with all fields walks and fills like four', async () => {
    await withFields(
      async ({ page, inside, hears }) => {
        expect(await accessibilityFaults(page)).toEqual([]);
        await page.focus('#before');
        await page.keyboard.press('Tab');
        for (const fieldId of cardFieldIds) {
          await page.keyboard.type(typed[fieldId] ?? '');
          await page.keyboard.press('Tab');
        }
        await hears({ type: 'state', state: 'READY_FOR_PAYMENT' });
        expect(await focused(page)).toBe('own');
        expect(await inside('COMBINED').locator('.error:not(:empty)').count()).toBe(0);
      },
      { fields: ['COMBINED'] },
    );
  });
});

/** Statuses that `confirm` is answered with; all but the first are held until `mayAskAgain`. */
async function confirmsOf(page: Page, mayAskAgain = () => true): Promise<number[]> {
  const statuses: number[] = [];
  await page.route('**/frames/*/confirm', async (route) => {
    if (statuses.length > 0) await eventually(mayAskAgain);
    const response = await route.fetch();
    statuses.push(response.status());
    await route.fulfill({ response });
  });
  return statuses;
}

/** A frame that can answer nothing. */
const emptyFrame = `await new Promise((loaded) => {
  const frame = document.querySelector('iframe');
  frame.onload = loaded;
  frame.src = 'about:blank';
})`;

describe('the flow', () => {
  it('version 3 waits for the button: too early it says what is missing, then the check runs', async () => {
    await withFields(
      async (fields) => {
        const { page, hears, inside } = fields;
        await page.evaluate('mounted.confirm().catch(() => undefined)');
        await hears({ type: 'error', code: 'INCOMPLETE' });
        await hears({ type: 'error', fieldId: 'SECURITY_CODE', message: 'Enter the security code' });
        expect(await inside('CARDHOLDER_NAME').locator('#holder-error').textContent()).toBe(
          'Enter the name on the card',
        );
        await typeCard(fields);
        for (const fieldId of cardFieldIds) await hears({ type: 'valid', fieldId });
        expect((await site.shop.state(fields.sessionId)).body.state).toBe('CARD_DATA_COLLECTION');
        expect(await page.evaluate('PaymentFields.confirm()')).toBe('READY_FOR_PAYMENT');
        expect((await site.shop.state(fields.sessionId)).body.state).toBe('READY_FOR_PAYMENT');
      },
      { order: { more: { version: '3' } } },
    );
  });

  it('version 3 asks again when a value of a frame that was mounted by itself is still under way', async () => {
    const { SECURITY_CODE: code = '', ...others } = typed;
    await withFields(
      async (fields) => {
        const { page, built, hears, input } = fields;
        const containers = Object.fromEntries(Object.keys(others).map((id) => [id, `#place-${id}`]));
        await page.evaluate(`start(${JSON.stringify({ fieldSet: built, containers })})`);
        let isEntered = false;
        const statuses = await confirmsOf(page, () => isEntered);
        await typeCard(fields, others);
        for (const fieldId of Object.keys(others)) await hears({ type: 'valid', fieldId });
        await page.route('**/frames/*/SECURITY_CODE', async (route) => {
          await eventually(() => statuses.length > 0);
          await route.fulfill({ response: await route.fetch() });
          isEntered = true;
        });
        await input('SECURITY_CODE').fill(code);
        expect(await page.evaluate('PaymentFields.confirm()')).toBe('READY_FOR_PAYMENT');
        expect(statuses[0]).toBe(409);
      },
      { fields: ['SECURITY_CODE'], order: { more: { version: '3' } } },
    );
  });

  it('version 3 waits for a value of the frame that is asked', async () => {
    await withFields(
      async ({ page, inside }) => {
        const statuses = await confirmsOf(page);
        const release = await hold(page, '**/frames/*/SECURITY_CODE');
        for (const [name, value] of Object.entries(typedCard(cards.visa)))
          await inside('COMBINED').locator(`#${name}`).fill(value);
        const state = page.evaluate('PaymentFields.confirm()');
        // Time for a frame that would not wait.
        await inside('COMBINED').locator('#cvv').isVisible();
        release();
        expect(await state).toBe('READY_FOR_PAYMENT');
        expect(statuses).not.toContain(409);
      },
      { fields: ['COMBINED'], order: { more: { version: '3' } } },
    );
  });

  it.each([
    ['no answer comes', emptyFrame, 'did not answer in time'],
    ['the fields are unmounted', 'setTimeout(() => mounted.unmount())', 'were unmounted'],
  ])('a confirmation ends when %s', async (_case, disturb, reason) => {
    await withFields(
      async ({ page }) => {
        const outcome = await page.evaluate(`(async () => {
          ${disturb};
          return mounted.confirm().then(String, (error) => error.message);
        })()`);
        expect(outcome).toBe(`PaymentFields: the fields ${reason}`);
      },
      { fields: ['CARD_NUMBER'], order: { more: { version: '3' } }, options: { confirmTimeoutMs: 1_000 } },
    );
  });

  it('the device-check frame does its work by itself', async () => {
    await withFields(
      async (fields) => {
        const { page, sessionId, hears } = fields;
        for (const [fieldId, value] of Object.entries(typed)) await eventually(() => enter(sessionId, fieldId, value));
        const { body } = await site.shop.state(sessionId);
        expect(body.state).toBe('GDI_VERIFICATION');
        const { fields: shown } = body.fieldSet ?? body;
        expect(shown).toMatchObject([{ type: 'GDI', class: 'GDI', id: 'GDI' }]);
        const fieldSet = JSON.stringify({ sessionId, state: body.state, fields: shown });
        await page.evaluate(`mounted.unmount(); start({ fieldSet: ${fieldSet}, containers: { GDI: '#place-GDI' } })`);
        await hears({ type: 'state', fieldId: 'GDI', state: 'READY_FOR_PAYMENT' });
        expect(await fields.inside('GDI').locator('[role=status]').textContent()).not.toBe('');
        expect((await site.shop.state(sessionId)).body.state).toBe('READY_FOR_PAYMENT');
      },
      { fields: ['CARD_NUMBER'] },
    );
  });

  it('methods are buttons of their own: cards go on here, PayPal has an address to go to', async () => {
    const order = { paymentSession: { paymentService: undefined } };
    await withFields(
      async ({ page, inside, hears }) => {
        expect(await accessibilityFaults(page)).toEqual([]);
        await inside('PAYPAL').locator('button').click();
        const { state, url } = await hears({ type: 'state', fieldId: 'PAYPAL' });
        expect([state, new URL(url ?? '').origin]).toEqual(['REDIRECTED_TO_EXTERNAL_DOMAIN', world.urls.acs]);
      },
      { order, fields: ['CARDS', 'PAYPAL', 'MYBANK'] },
    );
    await withFields(
      async ({ inside, hears }) => {
        await inside('CARDS').locator('button').press('Enter');
        await hears({ type: 'state', fieldId: 'CARDS', state: 'CARD_DATA_COLLECTION' });
      },
      { order, fields: ['CARDS'] },
    );
  });

  it('a visit that ended meanwhile says so in the field and to the page, and so does a frame loaded afterwards', async () => {
    await withFields(
      async ({ page, sessionId, input, inside, hears }) => {
        await site.shop.endSession(sessionId);
        await input('CARD_NUMBER').fill(typed['CARD_NUMBER'] ?? '');
        await hears({ type: 'error', fieldId: 'CARD_NUMBER', code: 'SESSION_ENDED' });
        expect(await inside('CARD_NUMBER').locator('#number-error').textContent()).toBe('Session expired');
        await page.evaluate("document.querySelector('iframe').src += '&again'");
        await eventually(async () => (await inside('CARD_NUMBER').locator('.ended').count()) === 1);
        expect(await accessibilityFaults(page)).toEqual([]);
      },
      { fields: ['CARD_NUMBER'] },
    );
  });
});
