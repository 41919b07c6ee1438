// The simulated issuer in a real browser: the five window sizes of EMV 3-D Secure, every button and every way to end, and the page of another method.
import type { Page } from 'playwright-core';
import { shownLanguages } from '../../pages/language';
import { strings } from '../../pages/strings';
import { DomainError } from '../../subgraphs/shared/errors';
import { arrive, desktop, fillCard, openVisits, phone } from './hosted-visit';
import { accessibilityFaults, contrastFaults, cutTexts, englishLeft, focused, measure } from './looks';
import { issuerStates, type PageState } from './page-states';
import { openBrowser } from './page-world';
import { picture } from './pictures';

const visits = openVisits();

const smallestWindow = { width: 250, height: 400 };

/** EMV 3-D Secure's challenge window sizes 01 to 05; the last is the whole screen. */
const windowSizes: readonly [string, typeof phone][] = [
  ['250x400', smallestWindow],
  ['390x400', { width: 390, height: 400 }],
  ['500x600', { width: 500, height: 600 }],
  ['600x400', { width: 600, height: 400 }],
  ['full-screen', desktop],
];

const stateNamed = (name: string): PageState => {
  const state = issuerStates.find((each) => each.name === name);
  if (!state) throw new Error(`no state ${name}`);
  return state;
};

/** Goes from the shop's payment to the issuer; answers with the visit. */
async function toIssuer(page: Page): Promise<string> {
  const { sessionId } = visits.world.fake.add();
  await page.goto(`${visits.world.pay}/pay/${sessionId}`);
  await fillCard(page, { number: '4000002500003155' });
  await page.click('#pay-button');
  await page.waitForURL(`${visits.world.acs}/challenge/**`);
  return sessionId;
}

/** The question, the field and the button are reached without a look for them. */
async function expectWhole(page: Page, { height }: typeof phone): Promise<void> {
  expect(await cutTexts(page)).toEqual([]);
  const button = await page.locator('#answer button').boundingBox();
  const bottom = Math.ceil((button?.y ?? Number.NaN) + (button?.height ?? Number.NaN));
  expect(`${page.url()} ${bottom <= height ? 'whole' : `ends at ${bottom}`}`).toBe(`${page.url()} whole`);
}

async function expectBackAt(page: Page, heading: string): Promise<void> {
  await page.waitForURL(`${visits.world.pay}/pay/**`);
  expect(await page.textContent('h1')).toBe(heading);
}

describe('the challenge', () => {
  it.each(windowSizes)('fits a window of %s', async (name, size) => {
    await visits.withPage(async (page) => {
      await page.goto(stateNamed('code').open(visits.world));
      expect((await measure(page)).scrollsSideways).toBe(false);
      await picture(page, `challenge-${name}`, { fullPage: false });
      await expectWhole(page, size);
      await page.fill('#code', '999999');
      await page.click('#answer button');
      await arrive(page, '[aria-invalid]');
      await expectWhole(page, size);
    }, size);
  });

  it.each(issuerStates.map((state) => [state.name, state] as const))('%s is drawn well', async (name, state) => {
    await visits.withPage(async (page) => {
      await page.emulateMedia({ colorScheme: 'light' });
      const response = await page.goto(state.open(visits.world));
      expect(response?.status()).toBe(state.status ?? 200);
      const { h1, title, scrollsSideways, small } = await measure(page);
      expect({ h1, scrollsSideways, small }).toEqual({ h1: [state.heading], scrollsSideways: false, small: [] });
      expect(title).toContain(state.heading);
      expect(await accessibilityFaults(page)).toEqual([]);
      await picture(page, `issuer-${name}-phone`);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await contrastFaults(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(desktop);
      await picture(page, `issuer-${name}-desktop`);
    });
  });

  it('is refused after three wrong codes, counts them down, and leads back', async () => {
    await visits.withPage(async (page) => {
      await toIssuer(page);
      for (const left of [2, 1]) {
        await page.fill('#code', '000000');
        await page.click('#answer button');
        await arrive(page, `#code-error:has-text("${left}")`);
        expect(await page.textContent('#code-error')).toBe(`That code is not right. Tries left: ${left}`);
        expect([await focused(page), await page.getAttribute('#code', 'aria-describedby')]).toEqual([
          'code',
          'code-error code-hint',
        ]);
        expect(await accessibilityFaults(page)).toEqual([]);
      }
      await page.fill('#code', '000000');
      await page.click('#answer button');
      await page.waitForSelector('.end-bad');
      expect(await page.textContent('h1')).toBe('Not confirmed');
      await page.click('.ask a.button');
      await expectBackAt(page, 'Payment not confirmed');
    });
  });

  it('asks for a code that is not there, and counts no try', async () => {
    await visits.withPage(async (page) => {
      await page.goto(stateNamed('code').open(visits.world));
      visits.world.fake.asked.length = 0;
      await page.click('#answer button');
      await arrive(page, '[aria-invalid]');
      expect(await page.textContent('#code-error')).toBe(strings.en.acsMissing);
      expect(visits.world.fake.asked).not.toContain('AnswerChallenge');
    });
  });

  it('sends a new code when some seconds have passed, and says so', async () => {
    await visits.withPage(async (page) => {
      await page.clock.install();
      await page.goto(stateNamed('code').open(visits.world));
      expect(await page.isDisabled('#resend')).toBe(true);
      expect(await page.textContent('#resend-wait')).toBe('You can ask for a new code in 20 seconds.');
      await page.clock.runFor(20_000);
      await page.click('#resend');
      await arrive(page, 'p.status:not(:empty)');
      expect(await page.textContent('p.status')).toBe(strings.en.acsResent);
      expect(await page.isDisabled('#resend')).toBe(true);
    });
  });

  it('helps, lets the payer take the app or a code, and believes the app', async () => {
    await visits.withPage(async (page) => {
      await toIssuer(page);
      expect(await page.isVisible('.help p')).toBe(false);
      await page.click('.help summary');
      expect(await page.textContent('.help p')).toBe(strings.en.acsHelpText);
      await page.click('.ways a');
      expect(await page.textContent('h1')).toBe('Approve in your banking app');
      await page.click('.ways a');
      expect(await page.textContent('h1')).toBe('Confirm it is you');
      await page.click('.ways a');
      await page.click('#answer button');
      await expectBackAt(page, 'Payment successful');
    });
  });

  it('is cancelled by its button, and a shop that is come back to says so', async () => {
    await visits.withPage(async (page) => {
      await toIssuer(page);
      await page.click('.ways button[value="CANCEL"]');
      await page.waitForSelector('.end');
      expect(await page.textContent('h1')).toBe('Cancelled');
      await page.click('.ask a.button');
      await expectBackAt(page, 'Payment cancelled');
    });
  });

  it('tells by itself that the time is up', async () => {
    await visits.withPage(async (page) => {
      await page.clock.install();
      const challenge = visits.world.fake.addChallenge();
      await page.goto(`${visits.world.acs}/challenge/${challenge.challengeId}`);
      challenge.status = 'TIMED_OUT';
      await page.clock.runFor(5 * 60_000 + 1_000);
      await page.waitForSelector('.end');
      expect(await page.textContent('h1')).toBe('Time is up');
      expect(await page.getAttribute('.ask a.button', 'href')).toBe(challenge.returnUrl);
    });
  });

  it('takes one answer of a double click', async () => {
    await visits.withPage(async (page) => {
      await toIssuer(page);
      visits.world.fake.asked.length = 0;
      await page.fill('#code', '123456');
      await page.dblclick('#answer button');
      await expectBackAt(page, 'Payment successful');
      expect(visits.world.fake.asked.filter((name) => name === 'AnswerChallenge')).toHaveLength(1);
    });
  });

  it('is answered by keys alone, from its heading on', async () => {
    await visits.withPage(async (page) => {
      await toIssuer(page);
      expect(await focused(page)).toBe('title');
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('code');
      expect(await page.getAttribute('#code', 'autocomplete')).toBe('one-time-code');
      await page.keyboard.type('123456');
      await page.keyboard.press('Enter');
      await expectBackAt(page, 'Payment successful');
    });
  });

  it.each(shownLanguages)('speaks %s in its smallest window, whole and without a word of English', async (language) => {
    await visits.withPage(async (page) => {
      for (const name of ['code', 'app', 'not-confirmed', 'method', 'method-ended']) {
        const url = new URL(stateNamed(name).open(visits.world));
        url.searchParams.set('lang', language);
        await page.goto(url.href);
        const { lang, scrollsSideways } = await measure(page);
        expect({ lang, scrollsSideways }).toEqual({ lang: language, scrollsSideways: false });
        if (name === 'code' || name === 'app') await expectWhole(page, smallestWindow);
        else expect(await cutTexts(page)).toEqual([]);
        if (language !== 'en') expect(await englishLeft(page, language)).toEqual([]);
      }
      await page.goto(`${stateNamed('code').open(visits.world)}?lang=${language}`);
      await page.click('#answer button');
      await arrive(page, '[aria-invalid]');
      await expectWhole(page, smallestWindow);
    }, smallestWindow);
    await visits.browser.clearCookies();
  });

  it('says that it cannot be reached now, and asks again', async () => {
    await visits.withPage(async (page) => {
      const address = stateNamed('code').open(visits.world);
      visits.world.fake.refuseNext(new DomainError('unavailable', undefined, { retryAfterSeconds: 3 }));
      const response = await page.goto(address);
      expect([response?.status(), response?.headers()['retry-after']]).toEqual([503, '3']);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.click('a.button');
      expect(await page.textContent('h1')).toBe('Confirm it is you');
    });
  });
});

describe('another method', () => {
  it.each([
    ['#answer button', 'Payment successful'],
    ['.ways button[value="FAIL"]', 'Payment declined'],
    ['.ways button[value="CANCEL"]', 'Payment cancelled'],
  ])('answered by %s leads to %s', async (button, heading) => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add();
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      await page.check('#method-mybank');
      await page.click('#pay-button');
      await page.waitForURL(`${visits.world.acs}/method/**`);
      const asked = page.url();
      await page.click(button);
      await expectBackAt(page, heading);
      await page.goto(asked);
      expect(await page.textContent('h1')).toBe('This visit has ended');
      await page.click('a.button');
      await page.waitForURL(`${visits.world.pay}/pay/**`);
    });
  });
});

it('works without a script: resend, wrong code, right code', async () => {
  const plain = await openBrowser({ javaScriptEnabled: false });
  try {
    const page = await plain.newPage();
    await toIssuer(page);
    await page.click('#resend');
    await arrive(page, 'p.status:not(:empty)');
    await page.fill('#code', '1');
    await page.click('#answer button');
    await arrive(page, '[aria-invalid]');
    await page.fill('#code', '123456');
    await page.click('#answer button');
    await expectBackAt(page, 'Payment successful');
  } finally {
    await plain.close();
  }
});
