// The signing page of a sandbox and of a production before applications in memory, a browser to look with, and every state that it can be drawn in.
import type { BrowserContext, Page } from 'playwright-core';
import { createPagesServer, type PageServer } from '../../pages';
import type { SigningPage } from '../../pages/sign/signing-page';
import { DomainError } from '../../subgraphs/shared/errors';
import { createFakeOnboarding, type FakeOnboarding } from './fake-onboarding';
import { arrive, phone } from './hosted-visit';
import { complaintsOf, depsOf, listen, openBrowser, sandboxKey } from './page-world';

export interface SigningVisits {
  fake: FakeOnboarding;
  sandbox: string;
  production: string;
  browser: BrowserContext;
  /** Without scripts, as some read. */
  plain: BrowserContext;
  asked: string[];
  withPage(run: (page: Page) => Promise<void>, browser?: BrowserContext, size?: typeof phone): Promise<void>;
}

/** What a tester types to see the mails. */
const httpCredentials = { username: 'tester', password: sandboxKey };

/** Opened before the file's first test and closed after its last; not to be used outside of tests. */
export function openSigningVisits(): SigningVisits {
  const visits = {
    fake: createFakeOnboarding(),
    asked: [] as string[],
    async withPage(run: (page: Page) => Promise<void>, browser = visits.browser, size = phone) {
      const page = await browser.newPage();
      await page.setViewportSize(size);
      const complaints = complaintsOf(page);
      try {
        await run(page);
        expect(complaints).toEqual([]);
      } finally {
        await page.close();
      }
    },
  } as SigningVisits;
  const servers: PageServer[] = [];
  beforeAll(async () => {
    servers.push(...[true, false].map((isSandbox) => createPagesServer(depsOf(visits.fake, isSandbox))));
    const [sandbox = '', production = ''] = await Promise.all(servers.map(({ server }) => listen(server)));
    const [browser, plain] = await Promise.all([
      openBrowser({ reducedMotion: 'reduce', locale: 'en', httpCredentials }),
      openBrowser({ javaScriptEnabled: false, locale: 'en', httpCredentials }),
    ]);
    Object.assign(visits, { sandbox, production, browser, plain });
    browser.on('request', (request) => visits.asked.push(request.url()));
  });
  afterAll(async () => {
    await Promise.all([visits.browser?.close(), visits.plain?.close()]);
    await Promise.all(servers.map(({ stop }) => stop()));
  });
  return visits;
}

export interface SigningState {
  name: string;
  heading: string;
  change?: Partial<SigningPage>;
  isProduction?: boolean;
  status?: number;
  /** Instead of a fresh application. */
  open?(visits: SigningVisits): string;
  act?(page: Page): Promise<void>;
}

const signed = { signedBy: 'Aase Lund' };

export const signingStates: readonly SigningState[] = [
  { name: 'review', heading: 'Check your application' },
  {
    name: 'invalid',
    heading: 'Check your application',
    async act(page) {
      await page.fill('#iban', 'DK00 wrong');
      await page.check('#terms');
      await page.click('form.stack button');
      await arrive(page, '#errors');
    },
  },
  { name: 'sign', heading: 'Sign your application', change: { status: 'AWAITING_SIGNATURE' } },
  {
    name: 'sign-in-production',
    heading: 'Sign your application',
    isProduction: true,
    change: { status: 'AWAITING_SIGNATURE', quote: null, webshop: null, bankAccount: null },
    act: (page) => page.click('.give-up summary'),
  },
  {
    name: 'failed',
    heading: 'The signature did not succeed',
    change: { status: 'SIGNATURE_FAILED', signatureTriesLeft: 2 },
  },
  { name: 'processing', heading: 'Thank you, it is signed', change: { status: 'PROCESSING', ...signed } },
  { name: 'approved', heading: 'Your application is approved', change: { status: 'APPROVED', ...signed } },
  {
    name: 'abandoned',
    heading: 'This application has ended',
    change: { status: 'ABANDONED', reason: 'The company could not be found in the register.' },
  },
  {
    name: 'unknown-link',
    heading: 'This link does not work',
    status: 404,
    open: ({ sandbox }) => `${sandbox}/onboarding/0b9f0c865a2e4d6c8f536d3f4be0a111`,
  },
  {
    name: 'unavailable',
    heading: 'This page is not available right now',
    status: 503,
    open({ fake, sandbox }) {
      fake.refuseNext(new DomainError('unavailable', undefined, { retryAfterSeconds: 7 }));
      return `${sandbox}/onboarding/${fake.add()}`;
    },
  },
  {
    name: 'mails',
    heading: 'Mails',
    open({ fake, sandbox }) {
      const link = `${sandbox}/onboarding/${fake.add()}`;
      const text = `Hello,\n\nan application to take payments was prepared for Nordlys. Please check it here:\n\n${link}\n`;
      fake.mails.splice(0, 9, {
        mailId: '1',
        at: '2026-11-21T11:00:00.000Z',
        to: 'aase@nordlys.example',
        language: 'EN_US',
        subject: 'Review and sign the application of Nordlys',
        text,
        html: '',
        link,
      });
      return `${sandbox}/mails`;
    },
  },
];

/** Makes the state; the address that shows it. */
export function addressOf(visits: SigningVisits, { open, change, isProduction }: SigningState): string {
  if (open) return open(visits);
  return `${isProduction ? visits.production : visits.sandbox}/onboarding/${visits.fake.add(change)}`;
}
