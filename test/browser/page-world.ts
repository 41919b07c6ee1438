// The page servers on real sockets before a graph in memory, and a Chromium to look at them with.
import { mkdtemp } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createPagesServer, type PageDeps } from '../../pages';
import { createAcsServer } from '../../sandbox';
import { createAddressOf } from '../../subgraphs/shared/callers/caller-address';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { createLog } from '../../subgraphs/shared/log/log';
import { built } from '../support/built';
import { createFakeCheckout, type FakeCheckout } from './fake-checkout';

/** Where the built scripts lie. */
const builtRoot = built('');
export const fakeNow = new Date('2026-11-21T12:00:00Z');

export interface PageWorld {
  pay: string;
  acs: string;
  fake: FakeCheckout;
  deps: PageDeps;
  stop(): Promise<void>;
}

export async function openPages(): Promise<PageWorld> {
  const addresses = { pay: '', acs: '' };
  const fake = createFakeCheckout(() => addresses, fakeNow);
  const deps = depsOf(fake);
  const servers = [createPagesServer(deps), createAcsServer(deps)];
  const [pay = '', acs = ''] = await Promise.all(servers.map(({ server }) => listen(server)));
  Object.assign(addresses, { pay, acs });
  return { pay, acs, fake, deps, stop: async () => void (await Promise.all(servers.map(({ stop }) => stop()))) };
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Of the pages that tests serve by themselves. */
export const sandboxKey = 'key-of-the-tests';

export function depsOf({ execute }: Pick<FakeCheckout, 'execute'>, isSandbox = true): PageDeps {
  return {
    execute,
    config: {
      environment: isSandbox ? 'sandbox' : 'production',
      isSandbox,
      SANDBOX_KEY: sandboxKey,
      PAY_URL: 'http://127.0.0.1:8082',
      ACS_URL: 'http://127.0.0.1:8084',
    },
    clock: { now: () => fakeNow },
    refusalOf,
    addressOf: createAddressOf(''),
    limiter: { take: async () => ({ allowed: true, retryAfterSeconds: 0 }) },
    log: createLog('silent', 'test'),
    metrics: { requests: { labels: () => ({ observe: () => undefined }) } },
    readiness: async () => ({ ready: true, dependencies: {} }),
    drain: (server) =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    root: builtRoot,
  };
}

/** A machine that stands still for a while fails no click. */
const deadlineMs = 120_000;

/** A browser of one's own, with everything off that asks somebody else. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await chromium.launchPersistentContext(await mkdtemp(join(tmpdir(), 'pages-')), {
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    headless: true,
    timeout: deadlineMs,
    ...options,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-extensions',
      // Else each page of each test starts a process of its own, a fifth of the processor time of a file.
      '--renderer-process-limit=1',
      // One process less to start and to talk to: a tenth of the processor time of a file.
      '--in-process-gpu',
    ],
  });
  browser.setDefaultTimeout(deadlineMs);
  return browser;
}

/** Complaints of the page itself: script errors and broken rules of its content policy. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}
