// What means harm, in every query parameter and every path of every documented read, over the running program: refused or taken for a text, never a 5xx.
import { readApiFile } from '../../rest-facade/checks/openapi';
import { newId } from '../../subgraphs/shared/ids';
import { consumerHeader } from '../support/administration';
import { rest } from '../support/client';
import { contractRoot } from '../support/contract';
import { accessTokenOf, partnerOf } from '../support/partner';
import { sharedWorld, type World } from '../support/world';

const texts = [
  '\0',
  'a\0b',
  '\x7f',
  '\ufffe',
  '\u202e',
  '😀',
  '$ne',
  '{"$gt":""}',
  '__proto__',
  'constructor',
  '.*',
  '(',
  '[',
  '\\',
  '^(a+)+$',
  '%',
  '%00',
  '|',
  '"',
  "'",
  '\r\nSet-Cookie: a=b',
  ' ',
  '-1',
  '0',
  '1e999',
  'NaN',
  '9'.repeat(40),
  '2026-02-30',
  '0000-00-00',
  '9999-12-31T23:59:59Z',
  '../..',
  '<script>',
  'a'.repeat(2_000),
];

const families = ['tokenization', 'payments', 'checkout', 'administration', 'partner', 'reporting'] as const;
type Family = (typeof families)[number];

const reads = families.flatMap((family) =>
  Object.entries(readApiFile(contractRoot, family).document.paths).flatMap(([path, { get }]) => {
    const names = (get?.parameters ?? []).flatMap((each) => (each.in === 'query' ? [each.name] : []));
    return get ? [{ family, path, names }] : [];
  }),
);

let world: World;
let headers: Record<Family, Record<string, string>>;
beforeAll(async () => {
  world = await sharedWorld();
  const { admin, partner, payments, reporting, checkout } = world.credentials.tenants.alpha;
  headers = {
    tokenization: (await partnerOf(world, 'alpha')).headers(),
    payments: { Authorization: `Bearer ${await accessTokenOf(world, payments)}` },
    checkout: { 'X-API-KEY': checkout.explicit.apiKey },
    administration: { Authorization: consumerHeader(admin) },
    partner: { Authorization: partner.secretApiKey },
    reporting: { Authorization: reporting.merchantApiKey },
  };
});
afterAll(() => world?.stop());

async function read(family: Family, path: string, query: Readonly<Record<string, string>>): Promise<number> {
  const target = Object.keys(query).length > 0 ? `${path}?${new URLSearchParams(query)}` : path;
  return (
    await rest(world.urls.rest).call('GET', target, { headers: { ...headers[family], 'Correlation-Id': newId() } })
  ).status;
}

const good = { sessionId: newId(), userId: 'a', fromDate: '2026-01-01', toDate: '2026-01-02' };

test.each(reads)('GET $path with $names', async ({ family, path, names }) => {
  const concrete = path.replace(/\{\w+\}/g, () => newId());
  const known = Object.fromEntries(Object.entries(good).filter(([name]) => names.includes(name)));
  const failed: unknown[] = [];
  for (const text of texts) {
    for (const name of names) {
      const status = await read(family, concrete, { ...known, [name]: text });
      if (status >= 500) failed.push({ name, text, status });
    }
    if (path !== concrete) {
      const status = await read(family, path.replace(/\{\w+\}/g, encodeURIComponent(text)), known);
      if (status >= 500 || status < 300) failed.push({ path: text, status });
    }
  }
  expect(failed).toEqual([]);
});
