// A visit to the demo shop in a browser: the basket is filled on the shelf, the card is typed into the frames, the challenge is answered.
import type { BrowserContext, Page } from 'playwright-core';
import { typedCard } from '../support/checkout';
import type { World } from '../support/world';
import { complaintsOf } from './page-world';
import { arePicturesDrawn, picture } from './pictures';

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 900 };

export interface Visit {
  page: Page;
  /** Script errors and broken content rules of any page of the visit. */
  complaints: string[];
}

/** Opens the shop with two things in the basket, at the checkout. */
export async function openCheckout(context: BrowserContext, world: World, size = phone): Promise<Visit> {
  const page = await context.newPage();
  await page.setViewportSize(size);
  const complaints = complaintsOf(page);
  await page.goto(world.urls.shop);
  for (const product of ['notebook', 'pen']) await page.click(`button[value="${product}"]`);
  await page.click('a[href="/checkout"]');
  await page.locator('#field-status', { hasText: 'Enter the card' }).waitFor();
  await framesReady(page);
  return { page, complaints };
}

/** A visit to the checkout; one that fails says what the page showed then. */
export async function visitCheckout(
  context: BrowserContext,
  world: World,
  run: (visit: Visit) => Promise<void>,
  size = phone,
): Promise<void> {
  await context.clearCookies();
  const opened = await openCheckout(context, world, size);
  try {
    await run(opened);
    expect(opened.complaints).toEqual([]);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${await lastWords(opened)}`, { cause: error });
  } finally {
    await opened.page.close();
  }
}

/** What the page says and shows when a step of a visit failed: whoever reads the report cannot look at it any more. */
async function lastWords({ page, complaints }: Visit): Promise<string> {
  const shown = await page
    .evaluate<string[]>(
      "['#field-status', '#other-status', '#events', '#exchange summary'].flatMap((place) => [...document.querySelectorAll(place)].map(({ innerText }) => place + ': ' + innerText))",
    )
    // A page that has closed or moves on has no words; the failure itself is what counts.
    .catch((error: Error) => [error.message]);
  return [page.url(), ...shown, ...complaints].join('\n');
}

const places = { number: 'number', expiry: 'expiry', cvv: 'cvv', holder: 'holder', email: 'email' } as const;

/** The input inside a field's frame of the shop. */
function field(page: Page, name: keyof typeof places) {
  return page.frameLocator(`#field-${name} iframe`).locator('.field input');
}

/** The shop says "Enter the card" with the first frame; a frame is ready once it took the shop's looks. */
async function framesReady(page: Page): Promise<void> {
  for (const name of Object.keys(places))
    await page.frameLocator(`#field-${name} iframe`).locator('html[data-density]').waitFor({ state: 'attached' });
}

/** Types a test card into the frames and waits until the shop may charge it. */
export async function typeIntoFrames(page: Page, number: string): Promise<void> {
  await framesReady(page);
  for (const [name, value] of Object.entries(typedCard(number)))
    await field(page, name as keyof typeof places).fill(value);
  await field(page, 'holder').blur();
  await page.locator('#field-status', { hasText: 'Ready to pay' }).waitFor();
}

/** Types a card on the hosted page and pays. */
export async function payHosted(page: Page, number: string): Promise<void> {
  await page.locator('#number').waitFor();
  for (const [name, value] of Object.entries(typedCard(number))) await page.fill(`#${name}`, value);
  await page.click('#pay-button');
}

/** Answers the issuer's question: the code that passes, or one of the outcomes that the sandbox offers. */
export async function answerIssuer(page: Page, outcome: 'PASS' | 'FAIL' | 'CANCEL' | 'TIMEOUT'): Promise<void> {
  await page.waitForURL('**/challenge/**');
  if (outcome === 'PASS') {
    await page.fill('#code', '123456');
    await page.click('#answer button');
    return;
  }
  await page.click('.simulation summary');
  await page.click(`.simulation button[value="${outcome}"]`);
  await page.click('.ask a.button');
}

/** Results of the order's operations as the shop's page lists them. */
export function operationsOn(page: Page): Promise<string[]> {
  return page.locator('.timeline li').evaluateAll((items) =>
    items.map((item) =>
      String((item as { textContent?: string }).textContent)
        .replace(/\s+\d.*$/, '')
        .trim(),
    ),
  );
}

/** Writes a picture for the guide pages. */
export async function wholePicture(page: Page, name: string): Promise<void> {
  if (!arePicturesDrawn) return;
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate('document.activeElement?.blur(); scrollTo(0, 0)');
  // A view as tall as the page: frames below the fold are not painted otherwise.
  const { width, height } = page.viewportSize() ?? desktop;
  await page.setViewportSize({ width, height: await page.evaluate<number>('document.documentElement.scrollHeight') });
  await picture(page, `${name}-${width < 500 ? 'phone' : 'desktop'}`, { fullPage: false });
  await page.setViewportSize({ width, height });
}
