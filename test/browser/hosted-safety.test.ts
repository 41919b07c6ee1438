// What a payer does that nobody planned: reload, two tabs, links that are broken or not theirs; and what every answer of the pages says to a browser about trust.
import type { Page } from 'playwright-core';
import type { LoadedCheckout } from '../../pages/pay/checkout-page';
import { strings } from '../../pages/strings';
import { newId } from '../../subgraphs/shared/ids';
import { fillCard, openVisits } from './hosted-visit';
import { accessibilityFaults } from './looks';
import { hostedStates, issuerStates } from './page-states';

const visits = openVisits();
const paysAsked = () => visits.world.fake.asked.filter((name) => name === 'PayCheckout').length;

async function payIn(page: Page, sessionId: string): Promise<void> {
  await page.goto(`${visits.world.pay}/pay/${sessionId}`);
  await fillCard(page);
  await page.click('#pay-button');
  await page.waitForSelector('.receipt');
}

describe('a payer who reloads', () => {
  const settled = hostedStates.filter(({ act, status }) => !act && !status);
  it.each(settled.map((state) => [state.name, state] as const))(
    '%s sees the same and pays nothing',
    async (_, state) => {
      await visits.withPage(async (page) => {
        await page.goto(state.open(visits.world));
        visits.world.fake.asked.length = 0;
        await page.reload();
        expect(await page.textContent('h1')).toBe(state.heading);
        expect(paysAsked()).toBe(0);
      });
    },
  );

  it('sees the errors or a fresh form, never a second payment', async () => {
    await visits.withPage(async (page) => {
      const { sessionId } = visits.world.fake.add();
      await payIn(page, sessionId);
      visits.world.fake.asked.length = 0;
      await page.reload();
      await page.goBack();
      await page.goForward();
      await page.waitForSelector('.receipt');
      expect(paysAsked()).toBe(0);
    });
  });
});

describe('a scanner of mail', () => {
  const challenged = { state: 'REDIRECTED_TO_EXTERNAL_DOMAIN', method: 'CARDS' };
  it.each<[string, string, Partial<LoadedCheckout>, string, number]>([
    ['a link that nobody opened', '/pay/', { state: 'PAYMENT_INITIALIZATION' }, '', 200],
    ['a link that would go on by itself', '/pay/', { state: 'PAYMENT_INITIALIZATION' }, '?go=1', 200],
    ['the way back from the bank', '/return/', challenged, '', 303],
  ])('that asks for %s by HEAD fifty times changes nothing', async (_, path, change, query, status) => {
    const visit = visits.world.fake.add(change);
    visits.world.fake.addChallenge({ sessionId: visit.sessionId, status: 'PASSED' });
    const address = `${visits.world.pay}${path}${visit.sessionId}${query}`;
    const before = structuredClone(visit);
    visits.world.fake.asked.length = 0;
    const look = (method: string) => fetch(address, { method, redirect: 'manual' });
    const looks = await Promise.all(Array.from({ length: 50 }, () => look('HEAD')));
    expect(visit).toEqual(before);
    expect(new Set(visits.world.fake.asked)).toEqual(new Set(['GetCheckoutPage']));
    const shown = new Set(looks.map((response) => JSON.stringify([response.status, headersOf(response)])));
    expect(shown).toEqual(new Set([JSON.stringify([status, headersOf(await look('GET'))])]));
    expect(visits.world.fake.asked.at(-1)).not.toBe('GetCheckoutPage');
  });

  it.each(['/pay/', '/return/'])('that asks below %s for a visit that is not there hears so', async (path) => {
    const { status } = await fetch(`${visits.world.pay}${path}${newId()}`, { method: 'HEAD' });
    expect(status).toBe(404);
  });

  /** What differs between two answers to the same, what fetch does with connections, and a length that only the drawn page has. */
  const ownHeaders = ['date', 'x-request-id', 'connection', 'keep-alive', 'content-length'];
  const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => !ownHeaders.includes(name));
});

describe('a payer with two tabs', () => {
  it('pays in one and reads in the other that it is done', async () => {
    await visits.withPage(async (first) => {
      const { sessionId } = visits.world.fake.add();
      const second = await visits.browser.newPage();
      await second.goto(`${visits.world.pay}/pay/${sessionId}`);
      await fillCard(second);
      await payIn(first, sessionId);
      visits.world.fake.asked.length = 0;
      await second.click('#pay-button');
      await second.waitForSelector('.receipt');
      expect(paysAsked()).toBe(0);
      await second.close();
    });
  });

  it('of two shops keeps them apart', async () => {
    await visits.withPage(async (first) => {
      const ours = visits.world.fake.add();
      const theirs = visits.world.fake.add({ merchantName: 'Kaffe & Kram', amount: '900', currency: 'DKK' });
      const second = await visits.browser.newPage();
      await second.goto(`${visits.world.pay}/pay/${theirs.sessionId}`);
      await payIn(first, ours.sessionId);
      await second.reload();
      expect(await second.textContent('h1')).toBe('Pay Kaffe & Kram');
      expect(await second.textContent('.amount strong')).toContain('9.00');
      expect(theirs.state).toBe('PAYMENT_METHOD_SELECTION');
      expect(await second.content()).not.toContain('Nordlys');
      await second.close();
    });
  });
});

describe('a link that leads nowhere', () => {
  const unknown = '0b9f0c86-5a2e-4d6c-8f53-6d3f4be0a111';
  it.each([
    ['an unknown visit', `/pay/${unknown}`],
    ['a cut id', '/pay/0b9f0c86'],
    ['an id that is no id', '/pay/%7B%24ne%3Anull%7D'],
    ['a way out of the folder', '/pay/..%2f..%2fetc%2fpasswd'],
    ['an address that cannot be read', '/pay/%E0%A4%A'],
    ['an id without end', `/pay/${'a'.repeat(4_000)}`],
    ['a return from nowhere', `/return/${unknown}`],
    ['no visit at all', '/'],
  ])('(%s) says so in the payer’s language', async (_, path) => {
    const response = await fetch(`${visits.world.pay}${path}`, { headers: { 'accept-language': 'it' } });
    const text = await response.text();
    expect(response.status).toBe(404);
    expect(text).toContain('<html lang="it"');
    expect(text).toContain(`<h1>${strings.it.unknownTitle}</h1>`);
  });

  it('is drawn well', async () => {
    await visits.withPage(async (page) => {
      await page.goto(`${visits.world.pay}/pay/nothing`);
      expect(await page.textContent('h1')).toBe(strings.en.unknownTitle);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

  it.each<[string, string, RequestInit, number]>([
    ['pays from the page of another site', '', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['cancels from the page of another site', '/cancel', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['sends what is no form', '', { body: 'x', headers: { 'content-type': 'text/plain' } }, 400],
    ['sends more than a form holds', '', { body: new URLSearchParams({ holder: 'x'.repeat(40_000) }) }, 413],
    ['deletes', '', { method: 'DELETE' }, 405],
  ])('does nothing for who %s', async (_, tail, init, status) => {
    const { sessionId } = visits.world.fake.add();
    visits.world.fake.asked.length = 0;
    const address = `${visits.world.pay}/pay/${sessionId}${tail}`;
    const response = await fetch(address, { method: 'POST', ...init });
    expect([response.status, visits.world.fake.asked]).toEqual([status, []]);
  });
});

describe('what answers say about trust', () => {
  const policyOf = (response: Response) =>
    Object.fromEntries(
      (response.headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
        const [name = '', ...sources] = rule.split(' ');
        return [name, sources.join(' ')];
      }),
    );

  it.each([...hostedStates, ...issuerStates].map((state) => [state.name, state] as const))(
    '%s runs and loads nothing but what is ours, and nobody frames it',
    async (_, state) => {
      const response = await fetch(state.open(visits.world), { redirect: 'manual' });
      const page = await response.text();
      expect(policyOf(response)).toMatchObject({
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': "'self'",
        'connect-src': "'self'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
      });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
      });
      expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
      for (const [tag] of page.matchAll(/<(?:script|link rel="stylesheet")[^>]*>/g))
        expect(tag).toMatch(/(?:src|href)="\/assets\/[\w.]+" integrity="sha384-/);
    },
  );
});
