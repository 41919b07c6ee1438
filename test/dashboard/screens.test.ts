// Every screen of the dashboard as it looks: no accessibility fault that a machine can find, reached and left by keys, no sideways scroll, in five languages; pictures for the README.
import type { BrowserContext } from 'playwright-core';
import { accessibilityFaults, contrastFaults, measure } from '../browser/looks';
import { openBrowser } from '../browser/page-world';
import { arePicturesDrawn, picture } from '../browser/pictures';
import { payWithFields, shopOf } from '../support/checkout';
import { onboardingOf } from '../support/onboarding';
import { eventually } from '../support/stores';
import { sharedWorld, startWorld, type World } from '../support/world';
import { busyDay } from './busy-day';
import { desktop, paid, phone, type Visit, visitDashboard } from './visit';

let world: World;
let browser: BrowserContext;
let visit: Visit;

beforeAll(async () => {
  world = arePicturesDrawn ? await startWorld() : await sharedWorld();
  await payWithFields(world, shopOf(world, 'alpha', 'implicit'));
  await payWithFields(world, shopOf(world, 'beta', 'explicit'));
  await onboardingOf(world).create({ company: { organizationNumber: '25313763', companyName: 'Nordic Bikes ApS' } });
  browser = await openBrowser({ locale: 'en-GB', reducedMotion: 'reduce' });
  visit = await visitDashboard(browser, world, { person: 'ada' });
  // Pictures show something: everybody was here, and it is a day like others.
  if (arePicturesDrawn) {
    for (const person of ['vera', 'sam', 'olga', 'ada'] as const) await visit.as(person, '/');
    await busyDay(world);
  }
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});
afterEach(() => {
  expect(visit.complaints.splice(0)).toEqual([]);
});

/** One without a key is a tab of the screen before it. */
const screens: readonly (readonly [path: string, heading: string, key: string | null])[] = [
  ['/', 'Hello Ada', 'o'],
  ['/payments', 'Payments', 'p'],
  ['/onboarding', 'Onboarding', 'n'],
  ['/callbacks', 'Callbacks', 'c'],
  ['/live', 'Live feed', 'l'],
  ['/jobs', 'Jobs', 'j'],
  ['/merchants', 'Merchants', 'm'],
  ['/payouts', 'Payouts', 'y'],
  ['/payouts/balances', 'Balances', 'b'],
  ['/payouts/entries', 'Ledger entries', 'd'],
  ['/payouts/days', 'Balances by day', null],
  ['/tokens', 'Tokens', 't'],
  ['/proposals', 'Approvals', 'r'],
  ['/audit', 'Audit', 'a'],
  ['/people', 'People', 'e'],
  ['/settings', 'Settings', 's'],
];

/** Waits until nothing on the screen is still loading. */
async function settled(): Promise<void> {
  await visit.page.waitForLoadState('networkidle');
  await visit.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

test.each(screens)('%s: reached by its keys, clean in light, dark and on a phone', async (path, heading, key) => {
  const { page } = visit;
  if (key) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
  } else await visit.go(path);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
  await settled();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await contrastFaults(page)).toEqual([]);
  await page.setViewportSize(phone);
  await settled();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await sticksOut()).toBe(false);
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: 'light' });
});

test('whoever wants no motion sees other colours at once', async () => {
  const { page } = visit;
  await visit.go('/payments');
  await settled();
  // With the next frame whatever the change has set going runs; what is new in the list may be marked meanwhile.
  const running = `new Promise((seen) => requestAnimationFrame(() =>
    seen(document.getAnimations().filter((each) => each instanceof CSSTransition).length)))`;
  await page.evaluate(running);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await page.evaluate(running)).toBe(0);
  await page.emulateMedia({ colorScheme: 'light' });
});

interface Place {
  /** The same for the same element. */
  number: number;
  name: string;
  isInSight: boolean;
  isMarked: boolean;
  isInMain: boolean;
}

/** Where the focus is and whether it can be seen there; null when it has left the page. */
const focusedPlace = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  window.places ??= [];
  if (!window.places.includes(at)) window.places.push(at);
  const { width, height, top, bottom } = at.getBoundingClientRect();
  const isDrawn = ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  const looks = [getComputedStyle(at), getComputedStyle(at, '::after'), getComputedStyle(at.parentElement)];
  return {
    number: window.places.indexOf(at),
    name: at.tagName + ' ' + (at.getAttribute('aria-label') ?? at.textContent).slice(0, 60),
    isInSight: width > 0 && height > 0 && bottom > 0 && top < innerHeight,
    isMarked: looks.some(isDrawn),
    isInMain: at.closest('main') !== null,
  };
})()`;

/** As it is seen once the page is drawn, which on a busy machine is after the key; what is not seen then is told as it is. */
async function placeInTime(): Promise<Place | null> {
  let place: Place | null = null;
  const isSettled = async () => {
    place = await visit.page.evaluate<Place | null>(focusedPlace);
    return place === null || (place.isInSight && place.isMarked);
  };
  return eventually(isSettled, { timeoutMs: 20_000 }).then(
    () => place,
    () => place,
  );
}

test.each(screens)('%s: walked by Tab alone, seen at each step, caught nowhere', async (path) => {
  const { page } = visit;
  await visit.go(path);
  await settled();
  const walked: Place[] = [];
  for (let step = 0; step < 45; step += 1) {
    await page.keyboard.press('Tab');
    const place = await placeInTime();
    if (place === null) break;
    walked.push(place);
  }
  const caught = walked.filter(({ number }, step) => number === walked[step - 1]?.number);
  const unseen = walked.filter(({ isInSight, isMarked }) => !isInSight || !isMarked).map(({ name }) => name);
  expect({ caught, unseen }).toEqual({ caught: [], unseen: [] });
  expect(walked.some(({ isInMain }) => isInMain)).toBe(true);
});

function sticksOut(): Promise<boolean> {
  return visit.page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}

test('a payment is found, opened, walked and left by keys alone', async () => {
  const { page } = visit;
  await visit.go('/payments');
  await settled();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('complementary');
  await drawer.getByText('Timeline').waitFor();
  const second = page.url();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('k');
  await page.waitForURL((url) => url.href !== second);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('audit');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
});

test('the books are shown to whoever may read the ledger, and no way to them to others', async () => {
  const { page } = visit;
  const waysTo = async (names: readonly string[]) => {
    await visit.go('/settings');
    await settled();
    const links = await Promise.all(names.map((name) => page.getByRole('link', { name, exact: true }).count()));
    await page.keyboard.press('Control+k');
    const options = page.getByRole('dialog').getByRole('option');
    await options.filter({ hasText: 'Merchants' }).waitFor();
    const found = await Promise.all(names.map((name) => options.filter({ hasText: name }).count()));
    await page.keyboard.press('Escape');
    return { links, found };
  };
  const books = ['Payouts', 'Balances', 'Ledger entries'];
  expect(await waysTo(books)).toEqual({ links: [1, 0, 0], found: [1, 1, 1] });
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('"ledger:read",', '') });
  });
  expect(await waysTo(books)).toEqual({ links: [0, 0, 0], found: [0, 0, 0] });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test("a tenant's person sees its own only", async () => {
  const [own, other] = [await paid(world, 'implicit'), await paid(world, 'implicit', {}, 'beta')];
  await visit.as('tom', `/payments?orderId=${own.orderId}`);
  await visit.page.getByRole('cell', { name: own.orderId, exact: true }).waitFor();
  await visit.go(`/payments?orderId=${other.orderId}`);
  await visit.page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  await visit.go(other.path);
  await visit.page.getByRole('complementary').getByText('No such payment').waitFor();
  for (const list of ['balances', 'entries']) {
    const of = (tenant: 'alpha' | 'beta') =>
      `/payouts/${list}?merchantId=${world.credentials.tenants[tenant].merchantId}&currency=EUR`;
    await visit.go(of('alpha'));
    await visit.page.getByRole('row').nth(1).waitFor();
    await visit.go(of('beta'));
    await visit.page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  }
});

// The person of the test before, whom no other file signs in: the graph keeps the language for the person.
test.each([
  ['da', 'Betalinger'],
  ['sv', 'Betalningar'],
  ['nb', 'Betalinger'],
  ['de', 'Zahlungen'],
  ['en', 'Payments'],
])('in %s', async (code, heading) => {
  const { page } = visit;
  await visit.go('/settings');
  await page.getByRole('combobox').first().selectOption(code);
  await page.locator(`html[lang="${code}"]`).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
});

/** `row`: what is opened beside the list in its picture. */
const pictured: readonly { path: string; name: string; row?: RegExp }[] = [
  { path: '/', name: 'overview' },
  { path: '/payments', name: 'payments' },
  { path: '/payments', name: 'payment', row: /899\.00/ },
  { path: '/onboarding', name: 'onboarding' },
  { path: '/callbacks', name: 'callbacks' },
  { path: '/merchants', name: 'merchants', row: /merchant-alpha/ },
  { path: '/payouts', name: 'payouts', row: /Alpha Outfitters/ },
  { path: '/payouts/balances', name: 'balances' },
  { path: '/tokens', name: 'tokens', row: /Suspended/ },
  { path: '/proposals', name: 'approvals', row: /1,500\.00/ },
  { path: '/audit', name: 'audit' },
  { path: '/people', name: 'people' },
  { path: '/settings', name: 'settings' },
];

describe('on a phone, a desktop and in the dark nothing scrolls sideways; pictures for the documents', () => {
  beforeAll(() => visit.as('ada', '/'));

  test.each(pictured)('$name', async ({ path, name, row }) => {
    const { page } = visit;
    const shoot = async (look: string) => {
      expect((await measure(page)).scrollsSideways).toBe(false);
      await picture(page, `dashboard-${name}-${look}`, { fullPage: false });
    };
    await visit.go(path);
    await settled();
    if (row && arePicturesDrawn) {
      await page.getByRole('row').filter({ hasText: row }).first().click();
      await page.getByRole('complementary').locator('dl').first().waitFor();
      await settled();
    }
    await shoot('desktop');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shoot('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(phone);
    await settled();
    await shoot('phone');
    await page.setViewportSize(desktop);
  });
});
