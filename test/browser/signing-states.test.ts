// Every state that the signing page can be drawn in, light and dark, from phone to desktop, in the portal's languages, at any size of text, on paper.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type SigningKey, signingLanguages, signingStrings } from '../../pages/sign/signing-strings';
import { desktop, smallest } from './hosted-visit';
import { accessibilityFaults, contrastFaults, cutTexts, englishLeft, measure, weigh } from './looks';
import { picture } from './pictures';
import { addressOf, openSigningVisits, type SigningState, signingStates } from './signing-visit';

const visits = openSigningVisits();

async function openState(page: Page, state: SigningState): Promise<void> {
  const response = await page.goto(addressOf(visits, state));
  expect(response?.status()).toBe(state.status ?? 200);
  await state.act?.(page);
}

describe('every state', () => {
  it.each(signingStates.map((state) => [state.name, state] as const))('%s is drawn well', async (name, state) => {
    await visits.withPage(async (page) => {
      await page.emulateMedia({ colorScheme: 'light' });
      await openState(page, state);
      const { h1, title, scrollsSideways, small } = await measure(page);
      expect({ h1, scrollsSideways, small }).toEqual({ h1: [state.heading], scrollsSideways: false, small: [] });
      expect(title).toContain(state.heading);
      await picture(page, `signing-page-${name}-phone`);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await contrastFaults(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(desktop);
      expect((await measure(page)).scrollsSideways).toBe(false);
      await picture(page, `signing-page-${name}-desktop`);
      // 1280 pixels at 250 and at 400 percent.
      for (const width of [512, smallest.width]) {
        await page.setViewportSize({ ...smallest, width });
        expect((await measure(page)).scrollsSideways).toBe(false);
        expect(await cutTexts(page)).toEqual([]);
      }
    });
  });

  it.each(['review', 'sign', 'approved'])('%s holds at twice the size of text', async (name) => {
    await visits.withPage(async (page) => {
      const state = signingStates.find((each) => each.name === name);
      if (state) await openState(page, state);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect((await measure(page)).scrollsSideways).toBe(false);
      expect(await cutTexts(page)).toEqual([]);
    });
  });

  it('on paper is the application without a button', async () => {
    await visits.withPage(async (page) => {
      const state = signingStates.find(({ name }) => name === 'sign');
      if (state) await openState(page, state);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const shown = await page.$$eval('button, .ribbon, .foot, .test, .part, .merchant', (elements) =>
        elements.filter((element) => element.checkVisibility()).map(({ className }) => className),
      );
      expect(shown).toEqual(['merchant', ...Array.from({ length: 5 }, () => 'part')]);
      const paper = await page.evaluate("getComputedStyle(document.querySelector('.sheet')).backgroundColor");
      expect(paper).toBe('rgb(255, 255, 255)');
    });
  });
});

describe('languages', () => {
  const spoken = signingStates.filter(({ open }) => !open);
  it.each(signingLanguages)('%s fits on a small phone, whole and without a word of English', async (language) => {
    await visits.withPage(
      async (page) => {
        for (const state of spoken) {
          await page.goto(`${addressOf(visits, state)}?lang=${language}`);
          const { lang, scrollsSideways } = await measure(page);
          expect({ lang, scrollsSideways }).toEqual({ lang: language, scrollsSideways: false });
          expect(await cutTexts(page)).toEqual([]);
          if (language !== 'en') expect(await englishLeft(page, language, signingStrings)).toEqual([]);
        }
      },
      visits.browser,
      smallest,
    );
  });

  it.each([
    ['EN_US', 'en'],
    ['DA_DK', 'da'],
    ['SV_SE', 'sv'],
    ['NO_NO', 'nb'],
    ['DE_DE', 'de'],
  ])('of an application in %s is %s, before the one of the browser', async (language, expected) => {
    const address = `${visits.sandbox}/onboarding/${visits.fake.add({ language })}`;
    const text = await (await fetch(address, { headers: { 'accept-language': 'fi' } })).text();
    expect(text).toContain(`<html lang="${expected}"`);
  });

  it('chosen once stays, also in forms and on links that do not work', async () => {
    await visits.withPage(async (page) => {
      await page.goto(`${visits.sandbox}/onboarding/${visits.fake.add()}`);
      await page.click('.tongues a[hreflang="sv"]');
      expect((await measure(page)).lang).toBe('sv');
      await page.check('#terms');
      await page.click('form.stack button');
      await page.waitForSelector('#signatory');
      expect((await measure(page)).h1).toEqual([signingStrings.sv.signTitle]);
      await page.goto(`${visits.sandbox}/onboarding/nothing`);
      expect((await measure(page)).h1).toEqual([signingStrings.sv.unknownTitle]);
    }, visits.plain);
  });

  const keys = Object.keys(signingStrings.en) as SigningKey[];
  const blanksOf = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
  it.each(signingLanguages)('%s has the keys and blanks of English, and says something of its own', (language) => {
    const texts = signingStrings[language];
    expect(Object.keys(texts)).toEqual(keys);
    for (const key of keys) {
      expect({ key, blanks: blanksOf(texts[key]) }).toEqual({ key, blanks: blanksOf(signingStrings.en[key]) });
      expect(texts[key].trim()).not.toBe('');
    }
    const same = keys.filter((key) => texts[key] === signingStrings.en[key] && texts[key].length > 12);
    expect(language === 'en' ? [] : same).toEqual([]);
  });

  it('say nothing that no page uses', () => {
    const folder = join(__dirname, '../../pages/sign');
    const sources = readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    expect(keys.filter((key) => !sources.includes(`'${key}'`))).toEqual([]);
  });
});

describe('what it says', () => {
  const linesOf = (page: Page, part: string) =>
    page.$$eval(`${part} .lines > div`, (rows) => rows.map(({ textContent }) => textContent));

  it('of each price what it is for, and for which cards', async () => {
    await visits.withPage(async (page) => {
      await page.goto(`${visits.sandbox}/onboarding/${visits.fake.add()}?lang=en`);
      expect(await page.$$eval('.price h3', (titles) => titles.map(({ textContent }) => textContent))).toEqual([
        'Card PROVIDER_CODE_1',
        'Card PROVIDER_CODE_1, credit, business, outside the EEA',
        'Invoice PROVIDER_CODE_3',
      ]);
      expect(await linesOf(page, '.price:nth-of-type(1)')).toEqual([
        'per payment1.25% of the amount + DKK\u00a01.50',
        'per refundDKK\u00a02.00',
        'SubscriptionDKK\u00a049.00',
      ]);
    });
  });

  const abandoned = { status: 'ABANDONED', reason: 'As partners read it.' } as const;
  it.each(
    (['BY_MERCHANT', 'IDLE', 'SIGNATURE_FAILED', 'MERCHANT_ID_TAKEN', null] as const).flatMap((ending) =>
      signingLanguages.map((language) => [ending, language] as const),
    ),
  )('of an end by %s why, in %s', async (ending, language) => {
    const address = `${visits.sandbox}/onboarding/${visits.fake.add({ ...abandoned, ending })}?lang=${language}`;
    const text = await (await fetch(address)).text();
    const keys = { BY_MERCHANT: 'endedByMerchant', IDLE: 'endedIdle', SIGNATURE_FAILED: 'endedSignature' } as const;
    const key = ending === 'MERCHANT_ID_TAKEN' ? 'endedTaken' : ending && keys[ending];
    expect(text).toContain(`<dd>${key ? signingStrings[language][key] : abandoned.reason}</dd>`);
  });
});

describe('weight and neighbours', () => {
  it('is below 60 kB with everything that it loads', async () => {
    await visits.withPage(async (page) => {
      const [review] = signingStates;
      const bytes = review ? await weigh(page, addressOf(visits, review)) : 0;
      expect(bytes).toBeGreaterThan(20_000);
      expect(bytes).toBeLessThan(60_000);
    });
  });

  it('asks nobody but us', () => {
    const own = [visits.sandbox, visits.production];
    expect(visits.asked.length).toBeGreaterThan(50);
    expect(visits.asked.filter((url) => !own.some((origin) => url.startsWith(`${origin}/`)))).toEqual([]);
  });
});
