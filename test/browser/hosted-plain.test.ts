// The hosted payment page without a script and without a mouse: everything that it can do is done by plain forms and by keys.
import type { BrowserContext } from 'playwright-core';
import { strings } from '../../pages/strings';
import { fillCard, openVisits } from './hosted-visit';
import { focused, focusRing } from './looks';
import { hostedStates, withHiddenFee } from './page-states';
import { openBrowser } from './page-world';

const visits = openVisits();

describe('without a script', () => {
  let plain: BrowserContext;
  beforeAll(async () => {
    plain = await openBrowser({ javaScriptEnabled: false });
  });
  afterAll(() => plain?.close());

  it('pays, says what is wrong, and changes the language', async () => {
    const page = await plain.newPage();
    const { sessionId } = visits.world.fake.add();
    await page.goto(`${visits.world.pay}/pay/${sessionId}`);
    await page.selectOption('#lang', 'de');
    await page.click('.languages button');
    expect(await page.textContent('h1')).toBe('An Nordlys Paper & Ink zahlen');
    await page.fill('#number', '4242424242424242');
    await page.click('#pay-button');
    await page.waitForSelector('#errors');
    expect(await page.textContent('#errors')).toContain(strings.de.holderMissing);
    expect(await page.textContent('#holder-error')).toBe(strings.de.holderMissing);
    expect(await page.getAttribute('#holder', 'aria-describedby')).toBe('holder-error');
    // A number that was sent is never printed back.
    expect(await page.inputValue('#number')).toBe('');
    await fillCard(page);
    await page.click('#pay-button');
    await page.waitForSelector('.receipt');
    expect(await page.textContent('h1')).toBe('Zahlung erfolgreich');
  });

  it('shows a fee that it did not show before anything is paid, in a second tab too', async () => {
    const page = await plain.newPage();
    const second = await plain.newPage();
    const { sessionId } = visits.world.fake.add(withHiddenFee);
    for (const tab of [page, second]) await tab.goto(`${visits.world.pay}/pay/${sessionId}?lang=en`);
    visits.world.fake.asked.length = 0;
    for (const tab of [page, second]) {
      await fillCard(tab);
      await tab.click('#pay-button');
      await tab.waitForSelector('.ready-card');
      expect(await tab.textContent('#pay-button')).toBe('Pay €43.50');
    }
    expect(visits.world.fake.asked).not.toContain('PayCheckout');
    await page.click('#pay-button');
    await page.waitForSelector('.receipt');
  });

  it('goes through a challenge and comes back', async () => {
    const page = await plain.newPage();
    const { sessionId } = visits.world.fake.add({ pageType: 'Multipage' });
    await page.goto(`${visits.world.pay}/pay/${sessionId}?lang=en`);
    await page.click('#pay-button');
    await fillCard(page, { number: '4000002500003155' });
    await page.click('#pay-button');
    await page.waitForURL(`${visits.world.acs}/challenge/**`);
    await page.fill('#code', '123456');
    await page.click('#answer button');
    await page.waitForURL(`${visits.world.pay}/pay/**`);
    expect(await page.textContent('h1')).toBe('Payment successful');
  });
});

describe('keyboard', () => {
  it('reaches everything in reading order, and pays by Enter', async () => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add();
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      const order: string[] = [];
      for (let step = 0; step < 10; step += 1) {
        await page.keyboard.press('Tab');
        order.push(await focused(page));
        expect(await focusRing(page)).toBeGreaterThanOrEqual(2);
      }
      expect(order.slice(0, 8)).toEqual([
        'Order details',
        'method-cards',
        'number',
        'expiry',
        'cvv',
        'holder',
        'email',
        'pay-button',
      ]);
      expect(order[8]).toContain('Cancel and return');
      expect(order[9]).toBe('lang');
      await page.keyboard.press('Shift+Tab');
      await fillCard(page);
      await page.focus('#holder');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.receipt');
    });
  });

  it('asks for digits with the number pad and for names without', async () => {
    await visits.withPage(async (page) => {
      await page.goto(hostedStates[0]?.open(visits.world) ?? '');
      const modes = await page.$$eval('.field input', (inputs) =>
        inputs.map((input) => [
          input.id,
          input.getAttribute('inputmode'),
          input.getAttribute('autocomplete'),
          input.hasAttribute('pattern'),
        ]),
      );
      expect(modes).toEqual([
        ['number', 'numeric', 'cc-number', false],
        ['expiry', 'numeric', 'cc-exp', false],
        ['cvv', 'numeric', 'cc-csc', false],
        ['holder', 'text', 'cc-name', false],
        ['email', 'email', 'email', false],
      ]);
    });
  });
});
