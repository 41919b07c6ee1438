// Followers for a file of tests: of both clients, in Node and in a page of Chromium, asked the same way.
import { join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { openBrowser } from '../browser/page-world';
import { type Asked, follow, type Told, transports } from './follow';

export const places = ['Node', 'Chromium'] as const;
export type Place = (typeof places)[number];

/** Each client in each place. */
export const ways = transports.flatMap((transport) => places.map((place) => ({ transport, place })));

export interface Follower {
  told(): Promise<Told>;
  setToken(token: string): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** One browser for the file; a follower is closed by whoever began it. */
export async function openFollowers() {
  // The pages are the graph's own answers, whose rules let them load nothing.
  const [script, browser] = await Promise.all([bundled(), openBrowser({ bypassCSP: true })]);
  return {
    begin: (place: Place, asked: Asked) => (place === 'Node' ? inNode(asked) : inChromium(browser, script, asked)),
    close: () => browser.close(),
  };
}

export type Followers = Awaited<ReturnType<typeof openFollowers>>;

/** As another program would take the clients into a page of its own. */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(__dirname, 'page-follow.ts')],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

async function inNode(asked: Asked): Promise<Follower> {
  const followed = follow(asked, WebSocket);
  return {
    told: async () => followed.told,
    setToken: async (token) => followed.setToken(token),
    stop: async () => followed.stop(),
    close: () => followed.close(),
  };
}

let begun = 0;

/** In a page of the graph's own origin: whatever it answers there. */
async function inChromium(browser: BrowserContext, script: string, asked: Asked): Promise<Follower> {
  const page = await browser.newPage();
  await page.goto(new URL('/page', asked.url.replace(/^ws/, 'http')).href);
  await page.evaluate(script);
  begun += 1;
  const id = begun;
  await call(page, 'begin', id, asked);
  return {
    told: () => call<Told>(page, 'told', id),
    setToken: (token) => call(page, 'setToken', id, token),
    stop: () => call(page, 'stop', id),
    async close() {
      await call(page, 'close', id);
      await page.close();
    },
  };
}

function call<Answer = void>(page: Page, name: string, ...args: unknown[]): Promise<Answer> {
  return page.evaluate<Answer>(`inPage.${name}(...${JSON.stringify(args)})`);
}
