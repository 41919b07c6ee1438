// The hosted page and the issuer of a whole program, without a script: cards of both families, one payment for two submits, and ends that come by the clock.
import type { BrowserContext, Page } from 'playwright-core';
import { cards, paymentServiceOf, sessionIdOf, shopOf } from '../support/checkout';
import { sandboxCall } from '../support/partner';
import { startWorld, type World } from '../support/world';
import { fillCard } from './hosted-visit';
import { openBrowser } from './page-world';

let world: World;
let browser: BrowserContext;
// A world of its own: the clock is moved past the end of every open visit.
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), openBrowser({ javaScriptEnabled: false, locale: 'en' })]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

/** Without addresses of the shop the page shows the result itself. */
const atHome = { resultUrl: undefined, language: 'ITA' };

async function withPage(run: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage();
  try {
    await run(page);
  } finally {
    await page.close();
  }
}

async function hostedPage(changes: object = {}): Promise<{ hostedPage: string; orderId: string }> {
  const orderId = `live-${crypto.randomUUID().slice(0, 18)}`;
  const answer = await shopOf(world, 'alpha').hostedPage({
    order: { orderId },
    paymentSession: { ...atHome, ...changes },
  });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return { hostedPage: answer.body.hostedPage, orderId };
}

const operationsOf = async (orderId: string): Promise<string[]> => {
  const { body } = await shopOf(world, 'alpha').operations({ orderId, sortIn: 'ASC' });
  return body.operations.map(
    ({ operationType, operationResult }: Record<string, string>) => `${operationType} ${operationResult}`,
  );
};

async function payByCard(page: Page, number: string): Promise<void> {
  await fillCard(page, { number });
  await page.click('#pay-button');
}

/** The methods of a page are not chosen yet: the card is. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(`${address}?lang=en`);
  if (await page.locator('#method-cards').count()) await page.check('#method-cards');
  if ((await page.locator('#number').count()) === 0) await page.click('#pay-button');
  await page.waitForSelector('#number');
}

it('speaks the language that the order asked for, however its code is written', async () => {
  await withPage(async (page) => {
    await browser.clearCookies();
    await page.goto((await hostedPage()).hostedPage);
    expect(await page.getAttribute('html', 'lang')).toBe('it');
  });
});

it('takes a card of the checkout through the issuer and shows the receipt', async () => {
  await withPage(async (page) => {
    const { hostedPage: address, orderId } = await hostedPage();
    await open(page, address);
    await payByCard(page, cards.challenge);
    await page.waitForURL(`${world.urls.acs}/challenge/**`);
    await page.fill('#code', '123456');
    await page.click('#answer button');
    await page.waitForURL(`${world.urls.pay}/pay/**`);
    expect(await page.textContent('h1')).toBe('Payment successful');
    expect(await page.textContent('.receipt')).toContain('Visa •••• 3155');
    expect(await operationsOf(orderId)).toContain('AUTHORIZATION AUTHORIZED');
    await page.goto(address);
    expect(await page.textContent('h1')).toBe('Already paid');
  });
});

it('takes a card of the payment service through the issuer', async () => {
  await withPage(async (page) => {
    const payments = await paymentServiceOf(world, 'alpha');
    const { body } = await payments.create({ processing: 'Authorize', redirectUrls: undefined });
    await open(page, body.hostedPaymentPageUrl);
    await payByCard(page, cards.challenge);
    await page.waitForURL(`${world.urls.acs}/challenge/**`);
    await page.fill('#code', '123456');
    await page.click('#answer button');
    await page.waitForURL(`${world.urls.pay}/pay/**`);
    expect(await page.textContent('h1')).toBe('Payment successful');
    expect((await payments.read(body.paymentId)).body.state).toBe('Authorized');
  });
});

it('charges once when the form is sent five times at once', async () => {
  const { hostedPage: address, orderId } = await hostedPage();
  await fetch(address);
  const form = {
    method: 'CARDS',
    number: cards.visa,
    expiry: '12/30',
    cvv: '123',
    holder: 'Ada Lovelace',
    step: 'pay',
  };
  const send = () => fetch(address, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await send()).status));
  // A twin may be asked to come again.
  expect(statuses.every((status) => status < 500 || status === 503)).toBe(true);
  expect(statuses).toContain(303);
  const last = await (await fetch(`${address}?lang=en`)).text();
  expect(last).toContain('<h1>Already paid</h1>');
  const operations = await operationsOf(orderId);
  expect(operations.filter((each) => each.startsWith('AUTHORIZATION'))).toEqual(['AUTHORIZATION AUTHORIZED']);
});

it('says that a card was declined, and leads back to the shop', async () => {
  await withPage(async (page) => {
    const { hostedPage: address, orderId } = await hostedPage();
    await open(page, address);
    await payByCard(page, cards.declined);
    await page.waitForSelector('.end-bad');
    expect(await page.textContent('h1')).toBe('Payment declined');
    expect(await page.getAttribute('a.button', 'href')).toBe('https://shop.example/cancel');
    expect(await operationsOf(orderId)).toEqual(['AUTHORIZATION DECLINED']);
  });
});

it('tells the payer of a challenge that came too late, and takes nothing', async () => {
  await withPage(async (page) => {
    const { hostedPage: address, orderId } = await hostedPage();
    await open(page, address);
    await payByCard(page, cards.challenge);
    await page.waitForURL(`${world.urls.acs}/challenge/**`);
    await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 11 * 60_000 });
    await page.fill('#code', '123456');
    await page.click('#answer button');
    await page.waitForSelector('.end');
    expect(await page.textContent('h1')).toBe('Time is up');
    await page.click('.ask a.button');
    await page.waitForURL(`${world.urls.pay}/pay/**`);
    expect(await page.textContent('h1')).toBe('Payment not confirmed');
    expect(await operationsOf(orderId)).not.toContain('AUTHORIZATION AUTHORIZED');
  });
});

it('ends a visit of nobody after half an hour, whatever is sent then', async () => {
  await withPage(async (page) => {
    const { hostedPage: address, orderId } = await hostedPage();
    await open(page, address);
    await sandboxCall(world, 'POST', '/sandbox/clock', { advanceMs: 31 * 60_000 });
    await payByCard(page, cards.visa);
    await page.waitForSelector('.end');
    expect(await page.textContent('h1')).toBe('Session expired');
    expect(await operationsOf(orderId)).toEqual(['CANCEL CANCELED']);
  });
});

it('keeps the visit of one tenant from the key of another', async () => {
  const { hostedPage: address } = await hostedPage();
  const { status } = await shopOf(world, 'beta').state(sessionIdOf(address));
  expect(status).toBe(404);
});

describe('the language of the hosted page', () => {
  const order = {
    transactionSummary: [
      { language: 'deu', summaryList: [{ label: 'Schuhe', value: '50,00' }] },
      { language: 'dan', summaryList: [{ label: 'Sko', value: '50,00' }] },
    ],
  };
  const gateway = async (language?: string) => {
    const paymentSession = { ...atHome, language };
    const orderId = `live-${crypto.randomUUID().slice(0, 18)}`;
    const { body } = await shopOf(world, 'alpha').hostedPage({ order: { ...order, orderId }, paymentSession });
    return body.hostedPage as string;
  };
  const service = async (language?: string) => {
    const payPageConfiguration = language ? { language } : undefined;
    const { body } = await (await paymentServiceOf(world, 'alpha')).create({ payPageConfiguration });
    return body.hostedPaymentPageUrl as string;
  };

  it.each<[string, typeof gateway, string | undefined, string, string, string]>([
    ["the order's", gateway, 'dan', 'de', '', 'da'],
    ["the browser's where the order names none", gateway, undefined, 'ja, de;q=0.9', '', 'de'],
    ["that of the merchant's country at last", gateway, undefined, 'ja', '', 'it'],
    ['what the payer chose', gateway, 'dan', 'de', '?lang=fi', 'fi'],
    ["the order's, payment service", service, 'DK', 'de', '', 'da'],
    ["the browser's, payment service", service, undefined, 'de', '', 'de'],
    ["that of the merchant's country, payment service", service, undefined, 'ja', '', 'it'],
  ])('is %s', async (_what, made, language, browserLanguage, query, expected) => {
    const address = `${await made(language)}${query}`;
    const text = await (await fetch(address, { headers: { 'accept-language': browserLanguage } })).text();
    expect(/<html lang="(\w+)"/.exec(text)?.[1]).toBe(expected);
    if (made !== gateway) return;
    const isDanish = language === 'dan';
    expect([text.includes('Schuhe'), text.includes('>Sko<')]).toEqual([!isDanish, isDanish]);
  });
});
