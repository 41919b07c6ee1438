// What a file of these tests begins with: a person at the dashboard of a program, from before its first test until after its last.
import type { BrowserContext, Locator } from 'playwright-core';
import { openBrowser } from '../browser/page-world';
import { sharedWorld, type World } from '../support/world';
import { actsOf, type PersonKey, type Visit, visitDashboard } from './visit';

interface AtDashboard extends Visit {
  world: World;
  browser: BrowserContext;
  /** A test by its name; a failure says what the page showed, and an error in the page's console is one. */
  act(name: string, run: () => Promise<void>): void;
  drawer(): Locator;
  dialog(): Locator;
}

/** To be called once for a file; what it gives is there once its tests run. */
export function atDashboard({
  person,
  path = '/',
  locale = 'en-GB',
  start = sharedWorld,
}: {
  person: PersonKey;
  path?: string;
  locale?: string;
  start?: () => Promise<World>;
}): AtDashboard {
  let world: World;
  let browser: BrowserContext;
  let visit: Visit;
  beforeAll(async () => {
    world = await start();
    browser = await openBrowser({ locale, reducedMotion: 'reduce' });
    visit = await visitDashboard(browser, world, { person, path });
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });
  return {
    get world() {
      return world;
    },
    get browser() {
      return browser;
    },
    get page() {
      return visit.page;
    },
    get complaints() {
      return visit.complaints;
    },
    as: (who, to) => visit.as(who, to),
    go: (to) => visit.go(to),
    act: actsOf(() => visit),
    drawer: () => visit.page.getByRole('complementary'),
    dialog: () => visit.page.getByRole('dialog'),
  };
}
