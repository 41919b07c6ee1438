// Paying on the hosted payment page in a real browser: once, with every mistake told where it is, and with a way back from everywhere.

import type { Page } from 'playwright-core';
import { strings } from '../../pages/strings';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { eventually } from '../support/stores';
import { arrive, fillCard, goodCard, openVisits } from './hosted-visit';
import { accessibilityFaults, focused } from './looks';
import { withFee, withHiddenFee } from './page-states';

const visits = openVisits();

/** The summary has the focus and leads to the field, and the field says what is wrong with it. */
async function expectError(page: Page, input: string, text: string): Promise<void> {
  await arrive(page, '#errors');
  expect(await focused(page)).toBe('errors');
  expect(await page.getAttribute(input, 'aria-invalid')).toBe('true');
  const described = (await page.getAttribute(input, 'aria-describedby')) ?? '';
  expect(await page.textContent(`#${described.split(' ')[0]}`)).toContain(text);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.click('#errors a');
  expect(`#${await focused(page)}`).toBe(input);
}

describe('paying', () => {
  it('takes a card and shows the receipt', async () => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add();
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      await fillCard(page);
      expect(await page.textContent('#brand')).toBe('Visa');
      expect(await page.$eval('#number', (input) => input.scrollWidth <= input.clientWidth)).toBe(true);
      await page.click('#pay-button');
      await page.waitForSelector('.receipt');
      expect(await page.textContent('h1')).toBe('Payment successful');
      expect(await page.textContent('.receipt')).toContain('Visa •••• 4242');
    });
  });

  it('pays once for a double click', async () => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add();
      visits.world.fake.asked.length = 0;
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      await fillCard(page);
      await page.dblclick('#pay-button');
      await page.waitForSelector('.receipt');
      expect(visits.world.fake.asked.filter((name) => name === 'PayCheckout')).toHaveLength(1);
      expect(visits.world.fake.asked.filter((name) => name === 'EnterCard')).toHaveLength(1);
    });
  });

  it('is safe for the back button: the visit shows where it stands', async () => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add();
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      await fillCard(page);
      await page.click('#pay-button');
      await page.waitForSelector('.receipt');
      await page.goBack();
      await eventually(async () => (await page.textContent('h1')) === 'Already paid');
    });
  });

  it.each<[string, Partial<typeof goodCard>, string, string]>([
    ['a wrong digit', { number: '4242 4242 4242 4241' }, '#number', strings.en.numberInvalid],
    ['no number', { number: '' }, '#number', strings.en.numberMissing],
    ['a past month', { expiry: '01/20' }, '#expiry', strings.en.expiryPast],
    ['no month', { expiry: '13/30' }, '#expiry', strings.en.expiryInvalid],
    ['a short code', { cvv: '12' }, '#cvv', 'The security code has 3 digits'],
    ['no name', { holder: '' }, '#holder', strings.en.holderMissing],
  ])('says about %s what is wrong and where, before anything is sent', async (_case, change, input, text) => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add();
      visits.world.fake.asked.length = 0;
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      await fillCard(page, change);
      await page.click('#pay-button');
      await expectError(page, input, text);
      // Nothing typed is lost, and nothing was sent.
      const kept = { ...goodCard, ...change };
      expect([await page.inputValue('#number'), await page.inputValue('#cvv')]).toEqual([kept.number, kept.cvv]);
      expect(visits.world.fake.asked).toEqual(['GetCheckoutPage']);
      await fillCard(page);
      await page.click('#pay-button');
      await page.waitForSelector('.receipt');
    });
  });

  it('says about a card that is refused here that another is needed, and forgets its number', async () => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add();
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      await fillCard(page, { number: '3782 822463 10005', cvv: '1234' });
      expect(await page.textContent('#cvv-hint')).toBe('4 digits, on the front of the card');
      await page.click('#pay-button');
      await expectError(page, '#number', strings.en.numberRefused);
      expect([await page.inputValue('#number'), await page.inputValue('#cvv')]).toEqual(['', '']);
      expect(await page.inputValue('#holder')).toBe(goodCard.holder);
    });
  });

  it('says so about a brand that is not offered, and the other methods can be chosen still', async () => {
    await visits.withPage(async (page) => {
      const methods = withFee.map((offered) => ({ ...offered, fee: null }));
      const { sessionId } = visits.world.fake.add({ methods });
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      await fillCard(page, { number: '3782 822463 10005', cvv: '1234' });
      await page.click('#pay-button');
      await expectError(page, '#number', strings.en.numberRefused);
      expect(visits.world.fake.pages.get(sessionId)?.state).toBe('PAYMENT_METHOD_SELECTION');
      await page.check('#method-paypal');
      await page.click('#pay-button');
      await page.waitForURL(`${visits.world.acs}/method/**`);
    });
  });

  it('says what is wrong with a value when the payer leaves its field, and takes it back', async () => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add();
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      await page.fill('#number', '4242 4242 4242 4241');
      await page.focus('#expiry');
      expect(await page.textContent('#number-error')).toBe(strings.en.numberInvalid);
      await page.fill('#number', goodCard.number);
      expect(await page.textContent('#number-error')).toBe('');
      expect(await page.getAttribute('#number', 'aria-invalid')).toBeNull();
    });
  });

  it('shows the fee of a method before it is chosen, and goes to it', async () => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add({ methods: withFee });
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      expect(await page.textContent('label[for="method-paypal"]')).toContain('€0.50');
      await page.check('#method-paypal');
      expect(await page.isVisible('#number')).toBe(false);
      await page.click('#pay-button');
      await page.waitForURL(`${visits.world.acs}/method/**`);
      await page.click('button[value="PASS"]');
      await page.waitForURL(`${visits.world.pay}/pay/**`);
      expect(await page.textContent('h1')).toBe('Payment successful');
    });
  });

  it('shows a fee that it did not show before anything is paid', async () => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add(withHiddenFee);
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      expect(await page.textContent('#pay-button')).toBe('Pay €42.50');
      await fillCard(page);
      visits.world.fake.asked.length = 0;
      await page.click('#pay-button');
      await page.waitForSelector('.ready-card');
      expect(await page.textContent('#pay-button')).toBe('Pay €43.50');
      expect(visits.world.fake.asked).not.toContain('PayCheckout');
      await page.click('#pay-button');
      await page.waitForSelector('.receipt');
      expect(await page.textContent('.receipt')).toContain('€43.50');
    });
  });

  it.each([
    ['none', undefined, false],
    ['nothing', '', false],
    ['no number', '43.50', false],
    ['less', '4250', false],
    ['what it is', '4350', true],
  ])('pays a form that says that it showed %s: %s, %s', async (_case, shown, isPaid) => {
    const { sessionId } = visits.world.fake.add(withHiddenFee);
    visits.world.fake.asked.length = 0;
    const form = { method: 'CARDS', ...goodCard, ...withoutUndefined({ shown }) };
    const body = new URLSearchParams(form);
    await fetch(`${visits.world.pay}/pay/${sessionId}`, { method: 'POST', body, redirect: 'manual' });
    expect(visits.world.fake.asked.includes('PayCheckout')).toBe(isPaid);
    expect(visits.world.fake.pages.get(sessionId)?.amount).toBe('4350');
  });

  it.each<[string, string, string]>([
    ['passed', 'PASS', 'Payment successful'],
    ['failed', 'FAIL', 'Payment not confirmed'],
    ['cancelled', 'CANCEL', 'Payment cancelled'],
    ['timed out', 'TIMEOUT', 'Payment not confirmed'],
  ])('comes back from a challenge that was %s', async (_case, answer, heading) => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add();
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      await fillCard(page, { number: '4000002500003155' });
      await page.click('#pay-button');
      await page.waitForURL(`${visits.world.acs}/challenge/**`);
      await page.click('.simulation summary');
      await page.click(`.simulation button[value="${answer}"]`);
      if (answer !== 'PASS') await page.click('.ask a.button');
      await page.waitForURL(`${visits.world.pay}/pay/**`);
      expect(await page.textContent('h1')).toBe(heading);
    });
  });

  it('returns to the shop by itself when it went well or was given up, and by a button when it did not', async () => {
    await visits.withPage(async (page) => {
      const addresses = {
        resultUrl: `${visits.world.pay}/sdk.js?result`,
        cancelUrl: `${visits.world.pay}/sdk.js?cancel`,
      };
      const paid = visits.world.fake.add(addresses);
      await page.goto(`${visits.world.pay}/pay/${paid.sessionId}`);
      await fillCard(page);
      await page.click('#pay-button');
      await page.waitForURL(addresses.resultUrl);
      const given = visits.world.fake.add(addresses);
      await page.goto(`${visits.world.pay}/pay/${given.sessionId}`);
      await page.click('.leave button');
      await page.waitForURL(addresses.cancelUrl);
      const declined = visits.world.fake.add(addresses);
      await page.goto(`${visits.world.pay}/pay/${declined.sessionId}`);
      await fillCard(page, { number: '4000000000000002' });
      await page.click('#pay-button');
      await page.waitForSelector('.end-bad');
      await page.click('a.button');
      await page.waitForURL(addresses.resultUrl);
    });
  });

  it.each(['', '/cancel', '/more-time'])('shows a visit that went on before its form %s was heard', async (form) => {
    const { sessionId } = visits.world.fake.add();
    const address = `${visits.world.pay}/pay/${sessionId}`;
    visits.world.fake.refuseNext(new DomainError('flowStateInvalid'));
    const { status, headers } = await fetch(address + form, { method: 'POST', redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([303, `/pay/${sessionId}`]);
  });

  it('asks before the visit ends, and gives more time', async () => {
    await visits.withPage(async (page) => {
      await page.clock.install();
      const { sessionId } = visits.world.fake.add();
      await page.goto(`${visits.world.pay}/pay/${sessionId}`);
      expect(await page.isVisible('#idle')).toBe(false);
      await page.clock.runFor(27 * 60_000);
      expect(await page.textContent('#idle')).toContain('This page closes in 3 minutes.');
      expect(await accessibilityFaults(page)).toEqual([]);
      visits.world.fake.asked.length = 0;
      await page.click('#idle button');
      await page.waitForSelector('#idle', { state: 'hidden' });
      expect(visits.world.fake.asked).toContain('OpenCheckoutPage');
    });
  });
});
