// A person at the dashboard: signed in by the sandbox's provider, in a browser that complains of script errors and broken content rules.
import type { BrowserContext, Page } from 'playwright-core';
import { complaintsOf } from '../browser/page-world';
import type { World } from '../support/world';

type PersonKey = 'vera' | 'sam' | 'olga' | 'ada' | 'tom';

export interface Visit {
  page: Page;
  complaints: string[];
  /** Goes on as another person, to another place. */
  as(person: PersonKey, path: string): Promise<void>;
  /** Goes to a place of the dashboard as the present person. */
  go(path: string): Promise<void>;
}

export const desktop = { width: 1280, height: 860 };
export const phone = { width: 390, height: 844 };

export async function visitDashboard(
  browser: BrowserContext,
  world: World,
  { person, path = '/', size = desktop }: { person: PersonKey; path?: string; size?: typeof desktop },
): Promise<Visit> {
  const page = await browser.newPage();
  await page.setViewportSize(size);
  // Far beyond what a screen takes, and short enough that a failure says where it stood.
  page.setDefaultTimeout(40_000);
  const origin = new URL(world.urls.graph).origin;
  const visit: Visit = {
    page,
    complaints: complaintsOf(page),
    // A browser of one's own, as another person has one.
    as: async (who, to) => {
      await browser.clearCookies();
      await open(`${origin}/sign-in?as=${who}&to=${encodeURIComponent(to)}`);
    },
    go: (to) => open(origin + to),
  };
  async function open(address: string): Promise<void> {
    await page.goto(address);
    await page.locator('main').waitFor();
  }
  await visit.as(person, path);
  return visit;
}
