// The security headers of every page and the hash of every script and style sheet, held against a golden file, so that a change is seen and meant.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostedBody, paymentServiceOf, type Shop, shopOf } from '../support/checkout';
import { onboardingOf } from '../support/onboarding';
import { sharedWorld, type World } from '../support/world';

/** Written anew by `UPDATE_GOLDEN=1`. */
const goldenFile = join(__dirname, 'golden.json');
const kept = [
  'content-security-policy',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'cache-control',
  'access-control-allow-origin',
];
const files = [
  'sdk.js',
  'frame.js',
  'hosted.js',
  'challenge.js',
  'shop.js',
  'pay.css',
  'frame.css',
  'acs.css',
  'sign.css',
  'shop.css',
];

interface Seen {
  pages: Record<string, Record<string, string>>;
  hashes: Record<string, string>;
}

let world: World;
let shop: Shop;
let seen: Seen;
/** The markup of each page, by its name in the golden file. */
const markup: Record<string, string> = {};

beforeAll(async () => {
  world = await sharedWorld();
  shop = shopOf(world, 'alpha');
  seen = { pages: {}, hashes: {} };
  for (const [name, address] of Object.entries(await addresses())) await look(name, address);
  for (const html of Object.values(markup)) await hashAssetsOf(html);
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(goldenFile, `${JSON.stringify(seen, null, 2)}\n`);
});
afterAll(() => world?.stop());

async function addresses(): Promise<Record<string, string>> {
  const { pay, acs, shop: shopUrl } = world.urls;
  const { body: built } = await shop.build();
  const methods = await shop.build({ paymentSession: { paymentService: undefined } });
  const redirected = await shop.build({ paymentSession: { paymentService: 'PAYPAL' } });
  const hosted = await shop.call('POST', '/api/v1/orders/hpp', hostedBody());
  const service = await (await paymentServiceOf(world, 'alpha')).create();
  const { verificationLink } = (await onboardingOf(world).create()).body;
  const frame = (body: typeof built, id: string) => body.fields.find((each: { id: string }) => each.id === id).src;
  return {
    'pay: card field': frame(built, 'CARD_NUMBER'),
    'pay: all card fields': frame(built, 'CARD_NUMBER').replace('CARD_NUMBER', 'COMBINED'),
    'pay: device check': frame(built, 'CARD_NUMBER').replace('CARD_NUMBER', 'GDI'),
    'pay: method': frame(methods.body, 'PAYPAL'),
    'pay: hosted page': hosted.body.hostedPage,
    'pay: payment service page': service.body.hostedPaymentPageUrl,
    'pay: signing page': verificationLink,
    'pay: broken link': `${pay}/onboarding/0b9f0c865a2e4d6c8f536d3f4be0a111`,
    'pay: mails': `${pay}/mails`,
    'pay: unknown visit': `${pay}/pay/0b9f0c86-5a2e-4d6c-8f53-6d3f4be0a111`,
    'pay: nothing': `${pay}/nothing`,
    'pay: sdk.js': `${pay}/sdk.js`,
    'pay: sdk.d.ts': `${pay}/sdk.d.ts`,
    'acs: method': redirected.body.url,
    'acs: nothing': `${acs}/nothing`,
    'shop: shelf': shopUrl,
    'shop: checkout': `${shopUrl}/checkout`,
    'shop: order': `${shopUrl}/order/NP-NOTHING-000000`,
    'shop: nothing': `${shopUrl}/nothing`,
  };
}

async function look(name: string, address: string): Promise<void> {
  const key: Record<string, string> = name === 'pay: mails' ? { 'x-sandbox-key': world.credentials.sandboxKey } : {};
  const answer = await fetch(address, { headers: { 'accept-language': 'en', ...key } });
  const text = await answer.text();
  if (answer.headers.get('content-type')?.startsWith('text/html'))
    markup[name] = `<base ${new URL(address).origin}>${text}`;
  if (name === 'pay: sdk.js') seen.hashes['sdk.js'] = integrityOf(Buffer.from(text));
  seen.pages[name] = Object.fromEntries(
    kept.flatMap((header) => {
      const value = answer.headers.get(header);
      return value === null ? [] : [[header, withoutPorts(value)]];
    }),
  );
}

/** Each script and style sheet of a page has the hash that the page demands. */
async function hashAssetsOf(html: string): Promise<void> {
  const origin = /<base ([^>]*)>/.exec(html)?.[1] ?? '';
  for (const [, path = '', integrity] of html.matchAll(/(?:src|href)="(\/assets\/[^"]+)" integrity="([^"]+)"/g)) {
    const bytes = Buffer.from(await (await fetch(`${origin}${path}`)).arrayBuffer());
    expect([path, integrity]).toEqual([path, integrityOf(bytes)]);
    seen.hashes[path.replace(/^\/assets\/|\.[0-9a-f]{12}/g, '')] = integrityOf(bytes);
  }
}

function integrityOf(bytes: Buffer): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}

function withoutPorts(value: string): string {
  const { pay, shop: shopUrl, acs } = world.urls;
  return value.replaceAll(pay, '{pay}').replaceAll(shopUrl, '{shop}').replaceAll(acs, '{acs}');
}

it('are as the golden file has them', () => {
  expect(seen).toEqual(JSON.parse(readFileSync(goldenFile, 'utf8')));
});

it('cover every script and style sheet that is built', () => {
  expect(Object.keys(seen.hashes).sort()).toEqual([...files].sort());
});

it('allow nothing from elsewhere and nothing inline, on any page', () => {
  for (const [name, headers] of Object.entries(seen.pages)) {
    const policy = headers['content-security-policy'] ?? '';
    expect([name, policy]).toEqual([name, expect.stringContaining("default-src 'none'")]);
    expect([name, policy]).toEqual([name, expect.stringContaining("base-uri 'none'")]);
    expect([name, policy]).toEqual([name, expect.stringContaining('frame-ancestors ')]);
    expect([name, policy]).toEqual([name, expect.not.stringMatching(/unsafe|\*|data:|blob:|https?:/)]);
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
});

it('stand on pages without inline script, inline style or an address of others', () => {
  expect(Object.keys(markup).length).toBeGreaterThan(10);
  for (const [name, html] of Object.entries(markup)) {
    expect([name, html.match(/<script(?![^>]*src=)|\son\w+="|\sstyle="|<style/g)]).toEqual([name, null]);
    const others = [...html.matchAll(/\s(?:src|href|action)="(https?:[^"]+)"/g)].map(
      ([, address]) => new URL(address ?? '').origin,
    );
    const own = Object.values(world.urls).map((url) => new URL(url).origin);
    expect([name, others.filter((origin) => !own.includes(origin) && origin !== 'https://shop.example')]).toEqual([
      name,
      [],
    ]);
  }
});
