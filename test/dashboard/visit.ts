// A person at the dashboard: signed in by the sandbox's provider, in a browser that complains of script errors and broken content rules.
import type { BrowserContext, Locator, Page, Route } from 'playwright-core';
import { accessibilityFaults, contrastFaults } from '../browser/looks';
import { complaintsOf, openBrowser } from '../browser/page-world';
import { type CaptureDefault, newOrderId, payWithFields, shopOf, type Tenant } from '../support/checkout';
import { graph } from '../support/partner';
import { askGraph } from '../support/reports';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

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

/** Fit for everybody, as it stands, in light and in dark. */
export async function expectClean(page: Page): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await contrastFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

export async function visitDashboard(
  browser: BrowserContext,
  world: World,
  { person, path = '/', size = desktop }: { person: PersonKey; path?: string; size?: typeof desktop },
): Promise<Visit> {
  const page = await browser.newPage();
  await page.setViewportSize(size);
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

/** Live connections of pages that are opened from now on, to be cut and mended. */
export async function cutConnections(page: Page): Promise<{ cut(): Promise<void>; mend(): void }> {
  let isCut = false;
  const open: { close(): Promise<unknown> }[] = [];
  await page.routeWebSocket('**/graphql', (socket) => {
    if (isCut) return void socket.close();
    const server = socket.connectToServer();
    open.push({ close: () => Promise.all([socket.close(), server.close()]) });
  });
  return {
    async cut() {
      isCut = true;
      for (const each of open.splice(0)) await each.close();
    },
    mend() {
      isCut = false;
    },
  };
}

async function withLastWords({ page, complaints }: Visit, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    // A page that has closed has no words; the failure itself is what counts.
    const shown = await page.evaluate<string>('document.body.innerText').catch(({ message }: Error) => message);
    const words = [error instanceof Error ? error.message : error, page.url(), ...complaints, shown];
    throw new Error(words.join('\n'), { cause: error });
  }
}

/** Tests of what is done at a dashboard: each by its name, without an error told in the page's console. */
export const actsOf = (visit: () => Visit) => (name: string, run: () => Promise<void>) =>
  test(name, async () => {
    await withLastWords(visit(), run);
    expect(visit().complaints.splice(0)).toEqual([]);
  });

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

/** A paid order, authorized only or captured with it, and the address of its payment. */
export async function paid(
  world: World,
  capture: CaptureDefault,
  paymentSession: object = {},
  tenant: Tenant = 'alpha',
) {
  const shop = shopOf(world, tenant, capture);
  const { orderId } = await payWithFields(world, shop, { order: { orderId: newOrderId() }, paymentSession });
  const { data } = await graph(
    world,
    'query($orderId: String) { payments(filter: { orderId: $orderId }, first: 1) { edges { node { paymentId } } } }',
    { orderId },
  );
  const paymentId: string = data.payments.edges[0].node.paymentId;
  return { orderId, paymentId, path: `/payments/${paymentId}` };
}

/** Waits until the books have the charge of an order; the id of its entry. */
export function bookedCharge(world: World, of: { orderId: string; merchantId: string }): Promise<string> {
  const query = 'query ($f: LedgerEntryFilter) { ledgerEntries(filter: $f) { edges { node { entryId reference } } } }';
  return eventually(async () => {
    const { ledgerEntries } = await askGraph(world, query, {
      f: { merchantIds: [of.merchantId], actions: ['CHARGE'] },
    });
    const edges: { node: { entryId: string; reference: string } }[] = ledgerEntries.edges;
    return edges.find(({ node }) => node.reference === of.orderId)?.node.entryId;
  });
}

/** Goes to a list that lives, and waits until it does and was read. */
export async function openLiveList({ page, go }: Visit, path: string): Promise<void> {
  await go(path);
  await page.getByRole('main').getByText('Live', { exact: true }).waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

const refusal = {
  json: { data: null, errors: [{ message: 'Too many requests.', extensions: { code: 'rateLimited' } }] },
};

interface Held {
  /** Resolves when it was asked. */
  asked: Promise<void>;
  /** Resolves when it was answered: a page that is left before loses it. */
  goOn(): Promise<void>;
  refuse(): Promise<void>;
}

/** The next call of an operation stays unanswered until it is said how it ends; the calls after it go through. */
export async function hold(page: Page, operation: string): Promise<Held> {
  let take: (route: Route) => void = () => undefined;
  const held = new Promise<Route>((resolve) => {
    take = resolve;
  });
  let isHeld = false;
  await page.route('**/graphql', async (route) => {
    if (isHeld || !route.request().postData()?.includes(operation)) return route.fallback();
    isHeld = true;
    take(route);
  });
  return {
    asked: held.then(() => undefined),
    goOn: async () => {
      const route = await held;
      const answered = page.waitForResponse((response) => response.request() === route.request());
      await route.fallback();
      await (await answered).finished();
    },
    refuse: async () => (await held).fulfill(refusal),
  };
}
