// A merchant's own page for the browser tests: an origin with the field script, a place and a label per field, and a neighbour who means harm.
import { createServer } from 'node:http';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import type { MountOptions } from '../../pages/browser/payment-fields';
import { type OrderChanges, type Shop, shopOf } from '../support/checkout';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import { listen } from './page-world';

export const cardFieldIds = [
  'CARD_NUMBER',
  'EXPIRATION_DATE',
  'SECURITY_CODE',
  'CARDHOLDER_NAME',
  'CARDHOLDER_EMAIL',
] as const;

/** What the field script told the page. */
interface Heard {
  type: string;
  fieldId: string | null;
  code?: string;
  message?: string;
  brand?: string | null;
  state?: string;
  url?: string | null;
  isEmpty?: boolean;
}

export interface FieldPage {
  page: Page;
  sessionId: string;
  /** The answer of build. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the answer that a shop would read
  built: any;
  heard(): Promise<Heard[]>;
  /** Waits for an event with these members. */
  hears(members: Partial<Heard>): Promise<Heard>;
  /** The inside of a field's frame. */
  inside(fieldId: string): FrameLocator;
  /** The input of a field with one. */
  input(fieldId: string): ReturnType<FrameLocator['locator']>;
}

export interface FieldWish {
  order?: OrderChanges;
  fields?: readonly string[];
  options?: Partial<MountOptions>;
  /** Opens the same page by another name of this machine: an origin that the order was not built for. */
  isForeign?: boolean;
}

export interface MerchantSite {
  shop: Shop;
  /** The origin that the orders are built for. */
  origin: string;
  /** The same machine by another name: another origin. */
  foreign: string;
  /** Builds an order and mounts its fields. */
  open(context: BrowserContext, wish?: FieldWish): Promise<FieldPage>;
  stop(): Promise<void>;
}

export async function openMerchantSite(world: World): Promise<MerchantSite> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    const pay = searchParams.get('pay') ?? world.urls.pay;
    response.end(pathname === '/thief' ? thief : merchantPage(pay, searchParams.get('integrity') ?? ''));
  });
  const origin = await listen(server);
  const site: MerchantSite = {
    shop: shopOf(world, 'alpha'),
    origin,
    foreign: origin.replace('127.0.0.1', 'localhost'),
    open: (context, wish = {}) => openFields(site, context, wish),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
  return site;
}

/** Only a test of it meets a frame that is taken as blocked. */
const frameTimeoutMs = 60_000;

async function openFields(site: MerchantSite, context: BrowserContext, wish: FieldWish): Promise<FieldPage> {
  const { order = {}, fields = cardFieldIds, options = {}, isForeign } = wish;
  const answer = await site.shop.build({
    ...order,
    paymentSession: { language: 'eng', ...order.paymentSession },
    more: { merchantUrl: site.origin, ...order.more },
  });
  if (answer.status !== 200) throw new Error(`build answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const { securityToken: _kept, ...fieldSet } = answer.body;
  const page = await context.newPage();
  const at = isForeign ? site.foreign : site.origin;
  await page.goto(`${at}/?integrity=${encodeURIComponent(fieldSet.sriHash)}`);
  const containers = Object.fromEntries(fields.map((id) => [id, `#place-${id}`]));
  await page.evaluate(`start(${JSON.stringify({ fieldSet, containers, frameTimeoutMs, ...options })})`);
  const opened = fieldPage(page, answer.body);
  if (!isForeign) for (const fieldId of fields) await opened.hears({ type: 'ready', fieldId });
  return opened;
}

function fieldPage(page: Page, built: FieldPage['built']): FieldPage {
  const heard = () => page.evaluate<Heard[]>('heard');
  const inside = (fieldId: string) => page.frameLocator(`#place-${fieldId} iframe`);
  return {
    page,
    built,
    sessionId: built.sessionId,
    heard,
    inside,
    hears: (members) =>
      eventually(async () => {
        const wanted = Object.entries(members);
        const events = await heard();
        const found = events.findLast((event) => wanted.every(([name, value]) => event[name as keyof Heard] === value));
        if (!found) throw new Error(`no ${JSON.stringify(members)} among ${JSON.stringify(events)}`);
        return found;
      }),
    input: (fieldId) => inside(fieldId).locator('.field input'),
  };
}

/** What the payer types, by field. */
export const typed: Readonly<Record<string, string>> = {
  CARD_NUMBER: '4242424242424242',
  EXPIRATION_DATE: '12/30',
  SECURITY_CODE: '123',
  CARDHOLDER_NAME: 'Ada Lovelace',
  CARDHOLDER_EMAIL: 'ada@example.com',
};

/** Types the card into the fields and leaves the last of them. */
export async function typeCard(fields: FieldPage, values: Readonly<Record<string, string>> = typed): Promise<void> {
  for (const [fieldId, value] of Object.entries(values)) {
    await fields.input(fieldId).fill(value);
    await fields.input(fieldId).blur();
  }
}

/** Holds what the page asks for at these addresses, until the function is called that it answers. */
export async function hold(page: Page, addresses: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route(addresses, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const places = [...cardFieldIds, 'COMBINED', 'GDI', 'CARDS', 'PAYPAL', 'MYBANK'];

function merchantPage(pay: string, integrity: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title><link rel="icon" href="data:,">
<script src="${pay}/sdk.js" integrity="${integrity}" crossorigin="anonymous"></script><script>
const heard = []; let mounted = null; let refusal = null;
function start(options) {
  try { mounted = PaymentFields.mount({ ...options, onEvent: (event) => heard.push(event) }); }
  catch (error) { refusal = error.message; }
}
</script></head><body><main><h1>Checkout</h1><button id="before">Before</button>
${places.map((id) => `<label for="place-${id}" hidden>Label of ${id}</label><div id="place-${id}"></div>`).join('\n')}
<p id="not-a-place"><label for="own">Own</label><input id="own"></p><button id="after">After</button></main></body></html>`;
}

/** Speaks to the page around it and to that page's other frames as if it were them. */
const thief = `<!doctype html><html lang="en"><title>Somebody else</title><script>
const channel = 'payment-fields/1';
function attack() {
  const event = { type: 'state', fieldId: 'CARD_NUMBER', state: 'READY_FOR_PAYMENT', url: 'https://evil.example/' };
  parent.postMessage({ channel, type: 'event', event }, '*');
  parent.postMessage({ channel, type: 'size', height: 1999 }, '*');
  parent.postMessage({ channel, type: 'confirmed', state: 'READY_FOR_PAYMENT' }, '*');
  for (let index = 0; index < parent.frames.length; index += 1) {
    const frame = parent.frames[index];
    if (frame === self) continue;
    frame.postMessage({ channel, type: 'configure', theme: { colorText: '#ff0000', radius: 31 }, words: { label: 'PIN' } }, '*');
    frame.postMessage({ channel, type: 'focus' }, '*');
    frame.postMessage({ channel, type: 'check' }, '*');
    frame.postMessage({ channel, type: 'confirm' }, '*');
  }
}
</script></html>`;
