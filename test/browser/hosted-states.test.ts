// Every state that the hosted payment page can be drawn in, in each language, light and dark, from phone to desktop; and what it weighs.
import type { Page } from 'playwright-core';
import { shownLanguages } from '../../pages/language';
import { textsOf } from '../../pages/strings';
import { DomainError } from '../../subgraphs/shared/errors';
import { eventually } from '../support/stores';
import { goodOperation } from './fake-records';
import { desktop, fillCard, openVisits, smallest } from './hosted-visit';
import { accessibilityFaults, contrastFaults, cutTexts, englishLeft, measure, weigh } from './looks';
import { hostedStates, type PageState } from './page-states';
import { picture } from './pictures';

const visits = openVisits();

/** Opens a state and lets the payer do what leads to it. */
async function openState(page: Page, state: PageState): Promise<void> {
  const response = await page.goto(state.open(visits.world));
  expect(response?.status()).toBe(state.status ?? 200);
  await state.act?.(page, visits.world);
}

describe('every state', () => {
  it.each(hostedStates.map((state) => [state.name, state] as const))('%s is drawn well', async (name, state) => {
    await visits.withPage(async (page) => {
      await page.emulateMedia({ colorScheme: 'light' });
      await openState(page, state);
      const { h1, title, scrollsSideways, small } = await measure(page);
      expect({ h1, scrollsSideways, small }).toEqual({ h1: [state.heading], scrollsSideways: false, small: [] });
      expect(title).toContain(state.heading);
      await picture(page, `hosted-page-${name}-phone`);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await contrastFaults(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(desktop);
      expect((await measure(page)).scrollsSideways).toBe(false);
      await picture(page, `hosted-page-${name}-desktop`);
      await page.setViewportSize(smallest);
      expect((await measure(page)).scrollsSideways).toBe(false);
    });
  });

  it.each([
    ['Captured', {}, 'Already paid'],
    ['PartiallyRefunded', {}, 'Already paid'],
    ['Cancelled', {}, 'Payment closed'],
    ['Expired', {}, 'Payment closed'],
    ['Refunded', {}, 'Payment closed'],
    ['Cancelled', { operationType: 'CARD_CHECK', operationResult: 'THREEDS_VALIDATED' }, 'Payment closed'],
    ['Cancelled', { operationResult: 'DECLINED' }, 'Payment declined'],
    ['Cancelled', { operationType: 'CANCEL', operationResult: 'CANCELED' }, 'Payment cancelled'],
  ])('of a payment that is %s after %j is told as %s', async (paymentState, change, heading) => {
    const operation = { ...goodOperation({ amount: '4250', currency: 'EUR' }), ...change };
    const resultUrl = 'https://shop.example/thanks';
    const ended = { state: 'PAYMENT_COMPLETE', paymentState, operation, resultUrl };
    const { sessionId } = visits.world.fake.add(ended);
    const text = await (await fetch(`${visits.world.pay}/pay/${sessionId}?lang=en`)).text();
    expect(text).toContain(`<h1>${heading}</h1>`);
    const isPaid = heading === 'Already paid';
    expect([/\bpaid\b/i.test(text), text.includes('class="receipt"')]).toEqual([isPaid, isPaid]);
  });

  it('an internal defect is told without a word of it', async () => {
    const { sessionId } = visits.world.fake.add();
    visits.world.fake.refuseNext(new DomainError('internal', 'secret detail'));
    const response = await fetch(`${visits.world.pay}/pay/${sessionId}`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret detail');
  });
});

/** One of each kind of page. */
const spoken = [
  'ready',
  'methods-first',
  'challenge',
  'at-method',
  'success',
  'pending',
  'declined',
  'expired',
  'closed',
];

describe('languages', () => {
  it.each(shownLanguages)('%s fits on a small phone, whole and without a word of English', async (language) => {
    await visits.withPage(async (page) => {
      for (const { open } of hostedStates.filter(({ name }) => spoken.includes(name))) {
        const url = new URL(open(visits.world));
        url.searchParams.delete('go');
        url.searchParams.set('lang', language);
        await page.goto(url.href);
        const { lang, scrollsSideways } = await measure(page);
        expect({ lang, scrollsSideways }).toEqual({ lang: language, scrollsSideways: false });
        expect(await cutTexts(page)).toEqual([]);
        if (language !== 'en') expect(await englishLeft(page, language)).toEqual([]);
        expect(await page.textContent('.amount strong')).toBe(textsOf(language).money('4250', 'EUR'));
      }
    }, smallest);
  });

  it('stays the same to the bank and back', async () => {
    await visits.browser.clearCookies();
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add({ language: 'deu' });
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      expect((await measure(page)).lang).toBe('de');
      await page.selectOption('#lang', 'fi');
      await page.waitForSelector('html[lang="fi"]');
      await fillCard(page, { number: '4000002500003155' });
      await page.click('#pay-button');
      await page.waitForURL(`${visits.world.acs}/challenge/**`);
      expect((await measure(page)).lang).toBe('fi');
      await page.fill('#code', '123456');
      await page.click('#answer button');
      await page.waitForURL(`${visits.world.pay}/pay/**`);
      expect((await measure(page)).lang).toBe('fi');
    });
  });
});

describe('looks', () => {
  it.each(['paper', 'forest', 'berry'])('in the template %s have contrast, light and dark', async (templateName) => {
    await visits.withPage(async (page) => {
      const ready = hostedStates.filter(({ name }) => ['ready', 'declined'].includes(name));
      for (const state of ready) {
        const url = new URL(state.open(visits.world));
        const drawn = visits.world.fake.pages.get(url.pathname.split('/').at(-1) ?? '');
        Object.assign(drawn ?? {}, { pageType: 'Custom', templateName });
        await page.goto(url.href);
        expect(await page.getAttribute('html', 'data-theme')).toBe(templateName);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await contrastFaults(page)).toEqual([]);
        }
      }
    });
  });

  it.each(['ready', 'invalid', 'success'])('of %s hold at twice the size of text', async (name) => {
    await visits.withPage(async (page) => {
      const state = hostedStates.find((each) => each.name === name);
      if (state) await openState(page, state);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect((await measure(page)).scrollsSideways).toBe(false);
      expect(await cutTexts(page)).toEqual([]);
    });
  });

  it('of a payer who wants no motion do not move', async () => {
    await visits.withPage(async (page) => {
      const processing = hostedStates.find(({ name }) => name === 'processing');
      const moving = () => page.evaluate<number>('document.getAnimations().length');
      if (processing) await openState(page, processing);
      expect(await moving()).toBe(0);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await eventually(async () => (await moving()) === 1);
    });
  });

  it('on paper are the receipt alone, on one page', async () => {
    await visits.browser.clearCookies();
    await visits.withPage(async (page) => {
      const success = hostedStates.find(({ name }) => name === 'success');
      if (success) await openState(page, success);
      expect(await page.isVisible('#print')).toBe(true);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const shown = await page.$$eval('.ribbon, .foot, .actions, .print, .receipt, .merchant', (elements) =>
        elements.filter((element) => element.checkVisibility()).map(({ className }) => className),
      );
      expect(shown).toEqual(['merchant', 'receipt']);
      const paper = await page.evaluate(
        "getComputedStyle(document.querySelector('.work').parentElement).backgroundColor",
      );
      expect(paper).toBe('rgb(255, 255, 255)');
      await picture(page, 'hosted-page-receipt-on-paper');
      const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g);
      expect(sheets).toHaveLength(1);
    });
  });
});

describe('weight and neighbours', () => {
  it('is below 60 kB with everything that it loads, by what goes over the wire', async () => {
    await visits.withPage(async (page) => {
      const bytes = await weigh(page, hostedStates[0]?.open(visits.world) ?? '');
      expect(bytes).toBeGreaterThan(20_000);
      expect(bytes).toBeLessThan(60_000);
    });
  });

  it('asks nobody but us', () => {
    const { world, asked } = visits;
    const others = asked.filter((url) => ![world.pay, world.acs].some((origin) => url.startsWith(`${origin}/`)));
    expect(asked.length).toBeGreaterThan(100);
    expect(others).toEqual([]);
  });
});
