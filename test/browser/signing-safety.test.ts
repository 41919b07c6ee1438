// What the signing page does and does not do: opening changes nothing, forms work without a script and by keys, a double click signs once,
// strangers and broken links get nowhere, and every answer says so to the browser (onboarding interface, verificationLink; 2.3-B of the decision register).

import type { Page } from 'playwright-core';
import type { SigningPage } from '../../pages/sign/signing-page';
import { signingStrings } from '../../pages/sign/signing-strings';
import { strings } from '../../pages/strings';
import { DomainError } from '../../subgraphs/shared/errors';
import { eventually } from '../support/stores';
import { arrive } from './hosted-visit';
import { focused, focusRing } from './looks';
import { sandboxKey } from './page-world';
import { addressOf, openSigningVisits, signingStates } from './signing-visit';

const visits = openSigningVisits();
const said = signingStrings.en;
const changes = () => visits.fake.asked.map(({ operation }) => operation).filter((name) => name !== 'GetSigningPage');
beforeEach(() => void visits.fake.asked.splice(0));

describe('opening', () => {
  it('a link fifty times, as scanners of mail do, changes nothing', async () => {
    for (const status of ['INITIATED', 'AWAITING_SIGNATURE'] as const) {
      const token = visits.fake.add({ status });
      const before = structuredClone(visits.fake.pages.get(token));
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          fetch(`${visits.sandbox}/onboarding/${token}`, { method: index % 2 ? 'HEAD' : 'GET' }),
        ),
      );
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
      expect(visits.fake.pages.get(token)).toEqual(before);
    }
    expect(changes()).toEqual([]);
    expect(visits.fake.asked).toHaveLength(100);
  });

  it.each([
    ['a link that nobody has', '/onboarding/0b9f0c865a2e4d6c8f536d3f4be0a111', 1],
    ['a cut link', '/onboarding/0b9f', 0],
    ['no link at all', '/onboarding/', 0],
    ['a link with something else in it', '/onboarding/%7B%24ne%3Anull%7D', 0],
    ['a way out of the folder', '/onboarding/..%2f..%2fetc%2fpasswd', 0],
    ['markup', '/onboarding/%3Cscript%3Ealert(1)%3C%2Fscript%3E', 0],
    ['a link without end', `/onboarding/${'a'.repeat(4_000)}`, 0],
    ['what is below no link', '/onboarding/0b9f0c865a2e4d6c8f536d3f4be0a111/else', 0],
  ])('%s tells what to do, in the language of the browser', async (_what, path, asked) => {
    const answer = await fetch(`${visits.sandbox}${path}`, { headers: { 'accept-language': 'da' } });
    const text = await answer.text();
    expect([answer.status, visits.fake.asked.length]).toEqual([404, asked]);
    expect(text).toContain('<html lang="da"');
    expect(text).toContain(signingStrings.da.unknownNext);
    expect(text).not.toContain('alert(1)');
  });

  it('shows what partners typed as text', async () => {
    const token = visits.fake.add({
      company: { ...(await emptyCompany()), companyName: '<img src=x onerror=alert(1)>"' },
    });
    const text = await (await fetch(`${visits.sandbox}/onboarding/${token}`)).text();
    expect(text).not.toContain('<img');
    expect(text).toContain('&#60;img');
  });
});

async function emptyCompany() {
  const page = visits.fake.pages.get(visits.fake.add());
  if (!page) throw new Error('the fake lost its page');
  return page.company;
}

describe('without a script', () => {
  it('an application is completed, its signature fails, succeeds at the second try, and stays signed', async () => {
    await visits.withPage(async (page) => {
      const token = visits.fake.add();
      await page.goto(`${visits.sandbox}/onboarding/${token}`);
      await page.fill('#phone', 'wrong');
      await page.fill('#iban', 'DK5000400440116243');
      await page.click('form.stack button');
      expect(await page.textContent('#errors')).toContain(said.termsMissing);
      expect(changes()).toEqual([]);
      await page.check('#terms');
      await page.click('form.stack button');
      expect(await page.textContent('#phone-error')).toBe(said.phoneInvalid);
      expect(await page.getAttribute('#phone', 'aria-describedby')).toBe('phone-error phone-hint');
      // Nothing that was typed is lost.
      expect([await page.inputValue('#iban'), await page.isChecked('#terms')]).toEqual(['DK5000400440116243', true]);
      await page.fill('#phone', '+45 12 34 56 78');
      await page.click('form.stack button');
      expect(await page.textContent('h1')).toBe(said.signTitle);
      expect(visits.fake.asked.at(-2)?.variables['input']).toEqual({
        contactPerson: { phone: '+45 12 34 56 78' },
        bankAccount: { iban: 'DK5000400440116243' },
        acceptedTerms: true,
      });
      await page.click(`text=${said.testFail}`);
      expect(await page.textContent('.notice')).toContain('Tries left: 4');
      await page.check('#terms');
      await page.click('form.stack button');
      await page.click('form.stack button');
      expect(await page.textContent('#signatory-error')).toBe(said.signatoryMissing);
      await page.fill('#signatory', ' Aase Lund ');
      await page.click('form.stack button');
      expect(await page.textContent('h1')).toBe(said.processingTitle);
      expect(await page.textContent('.facts')).toContain('Aase Lund');
      await page.goto(`${visits.sandbox}/onboarding/${token}`);
      expect(await page.textContent('h1')).toBe(said.processingTitle);
    }, visits.plain);
  });

  it('in production it is given up in two steps, and the outcomes of tests do not exist', async () => {
    await visits.withPage(async (page) => {
      const token = visits.fake.add({ status: 'AWAITING_SIGNATURE' });
      await page.goto(`${visits.production}/onboarding/${token}`);
      expect(await page.textContent('body')).not.toContain(said.testFail);
      expect(await page.isVisible('.give-up button')).toBe(false);
      await page.click('.give-up summary');
      await page.click('.give-up button');
      expect(await page.textContent('h1')).toBe(said.abandonedTitle);
      expect(await page.textContent('.facts')).toContain(said.endedByMerchant);
    }, visits.plain);
    const token = visits.fake.add({ status: 'AWAITING_SIGNATURE' });
    const failed = await fetch(`${visits.production}/onboarding/${token}/fail`, { method: 'POST' });
    const mails = await fetch(`${visits.production}/mails`);
    expect([failed.status, mails.status]).toEqual([404, 404]);
    expect(visits.fake.pages.get(token)?.status).toBe('AWAITING_SIGNATURE');
  });

  it('the mails are for holders of the sandbox key', async () => {
    const look = async (headers: Record<string, string>) => {
      const { status, headers: told } = await fetch(`${visits.sandbox}/mails`, { headers });
      return [status, told.get('www-authenticate')];
    };
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
    const refused = [401, 'Basic realm="Sandbox: the password is the sandbox key"'];
    expect(await look({})).toEqual(refused);
    expect(await look({ 'X-Sandbox-Key': 'wrong' })).toEqual(refused);
    expect(await look({ Authorization: basic('tester:wrong') })).toEqual(refused);
    expect(await look({ Authorization: basic(':') })).toEqual(refused);
    expect(await look({ Authorization: `Bearer ${sandboxKey}` })).toEqual(refused);
    expect(await look({ 'X-Sandbox-Key': sandboxKey })).toEqual([200, null]);
    expect(await look({ Authorization: basic(`tester:${sandboxKey}`) })).toEqual([200, null]);
  });

  it('in the sandbox the tester sees all three outcomes', async () => {
    await visits.withPage(async (page) => {
      await page.goto(`${visits.sandbox}/onboarding/${visits.fake.add({ status: 'AWAITING_SIGNATURE' })}`);
      const buttons = await page.$$eval('main button', (found) =>
        found.filter((button) => button.checkVisibility()).map(({ textContent }) => textContent),
      );
      expect(buttons).toEqual([said.sign, said.testFail, said.abandon]);
      await page.click(`text=${said.abandon}`);
      expect(await page.textContent('h1')).toBe(said.abandonedTitle);
    }, visits.plain);
  });
});

describe('a merchant', () => {
  it('who clicks twice signs once', async () => {
    await visits.withPage(async (page) => {
      const token = visits.fake.add({ status: 'AWAITING_SIGNATURE' });
      await page.goto(`${visits.sandbox}/onboarding/${token}`);
      await page.fill('#signatory', 'Aase Lund');
      await page.dblclick('form.stack button');
      await page.waitForSelector('.facts');
      expect(await page.textContent('h1')).toBe(said.processingTitle);
      expect(visits.fake.pages.get(token)).toMatchObject({ status: 'PROCESSING', signedBy: 'Aase Lund' });
    });
  });

  it('with two tabs reads in the other that it is done', async () => {
    await visits.withPage(async (page) => {
      const address = `${visits.sandbox}/onboarding/${visits.fake.add({ status: 'AWAITING_SIGNATURE' })}`;
      await page.goto(address);
      const body = new URLSearchParams({ version: '1', signatory: 'Aase Lund' });
      await fetch(`${address}/sign`, { method: 'POST', body });
      await page.fill('#signatory', 'Somebody Else');
      await page.click('form.stack button');
      await page.waitForSelector('.facts');
      expect(await page.textContent('.facts')).toContain('Aase Lund');
    });
  });

  it.each<[string, Partial<SigningPage>, Partial<SigningPage>, (page: Page) => Promise<void>]>([
    ['sends on', {}, { bankAccount: { iban: 'SE45**7466', swift: 'DABADKKK' } }, (page) => page.check('#terms')],
    ['signs', { status: 'AWAITING_SIGNATURE' }, { currency: 'SEK' }, (page) => page.fill('#signatory', 'Aase Lund')],
  ])('who %s what changed since it was shown is shown it as it stands now', async (_what, opened, changed, fill) => {
    await visits.withPage(async (page) => {
      const token = visits.fake.add(opened);
      await page.goto(`${visits.sandbox}/onboarding/${token}`);
      const stands = visits.fake.change(token, changed);
      await fill(page);
      await page.click('form.stack button');
      expect([changes(), visits.fake.pages.get(token)]).toEqual([[], stands]);
      expect(await page.textContent('.notice')).toBe(said.outdated);
      await fill(page);
      await page.click('form.stack button');
      expect(changes()).toHaveLength(1);
      expect(visits.fake.asked.at(-2)?.variables['input'] ?? {}).not.toHaveProperty('bankAccount');
      expect(visits.fake.pages.get(token)?.status).not.toBe(stands.status);
    }, visits.plain);
  });

  it('with a keyboard reaches everything in reading order, sees where the focus is, and signs by Enter', async () => {
    await visits.withPage(async (page) => {
      await page.goto(`${visits.sandbox}/onboarding/${visits.fake.add()}`);
      const order: string[] = [];
      for (let step = 0; step < 11; step += 1) {
        await page.keyboard.press('Tab');
        order.push(await focused(page));
        expect(await focusRing(page)).toBeGreaterThanOrEqual(2);
      }
      expect(order).toEqual([
        'firstName',
        'lastName',
        'phone',
        'email',
        'invoiceEmail',
        'iban',
        'swift',
        'terms',
        said.toSignature,
        said.giveUp,
        'Dansk',
      ]);
      await page.focus('#terms');
      await page.keyboard.press('Space');
      await page.keyboard.press('Enter');
      await arrive(page, '#signatory');
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('signatory');
      await page.keyboard.press('Enter');
      // The browser gives the focus with its next picture.
      await eventually(async () => (await focused(page)) === 'errors');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await focused(page)).toBe('signatory');
      await page.keyboard.type('Aase Lund');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.facts');
    });
  });
});

describe('a stranger', () => {
  it.each<[string, string, RequestInit, number]>([
    ['signs from the page of another site', '/sign', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['abandons from the page of another site', '/abandon', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
    ['sends what is no form', '/sign', { body: 'x', headers: { 'content-type': 'text/plain' } }, 400],
    ['sends more than a form holds', '/sign', { body: new URLSearchParams({ signatory: 'x'.repeat(40_000) }) }, 413],
    ['deletes', '', { method: 'DELETE' }, 405],
    ['signs by opening', '/sign', { method: 'GET' }, 405],
  ])('who %s does nothing', async (_what, tail, init, status) => {
    const token = visits.fake.add({ status: 'AWAITING_SIGNATURE' });
    const answer = await fetch(`${visits.sandbox}/onboarding/${token}${tail}`, { method: 'POST', ...init });
    expect([answer.status, changes()]).toEqual([status, []]);
    expect(visits.fake.pages.get(token)?.status).toBe('AWAITING_SIGNATURE');
  });

  it('learns nothing from a defect', async () => {
    visits.fake.refuseNext(new DomainError('internal', 'secret detail'));
    const answer = await fetch(`${visits.sandbox}/onboarding/${visits.fake.add()}`);
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).toContain(said.downTitle);
    expect(text).not.toContain('secret detail');
  });
});

describe('what answers say about trust', () => {
  it.each(signingStates.map((state) => [state.name, state] as const))('%s', async (_name, state) => {
    const answer = await fetch(addressOf(visits, state), { headers: { 'X-Sandbox-Key': sandboxKey } });
    const text = await answer.text();
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self'; connect-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow, noarchive',
    });
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i);
    for (const [tag] of text.matchAll(/<link rel="stylesheet"[^>]*>/g))
      expect(tag).toMatch(/href="\/assets\/[\w.]+" integrity="sha384-/);
    expect(text).not.toContain(strings.en.secure);
  });
});
