// Every field rule of the Merchant body over REST (merchant administration, Merchant; decision register T4, 2.3-A): what is missing, what is wrong, what is ignored.
import {
  type Administration,
  administrationOf,
  merchantBody,
  merchantsPath,
  wholeMerchantBody,
} from '../support/administration';
import { type Answer, rest } from '../support/client';
import { sharedWorld, type World } from '../support/world';
import { badValues, type Field, nameOf, without } from './bad-values';

let world: World;
let alpha: Administration;
/** One merchant that all refused modifications are tried on. */
let present: ReturnType<typeof merchantBody>;

beforeAll(async () => {
  world = await sharedWorld();
  alpha = administrationOf(world, 'alpha');
  present = wholeMerchantBody();
  expect((await alpha.create(present)).status).toBe(201);
});
afterAll(() => world?.stop());

const refusal = ({ status, body }: Answer) => [status, body.code, body.source];
const blanks = ['', ' ', '\t', 'a\u0000b', 'a\nb', 'a\ud800'];

/** Wrong values that are refused the same way on POST and PUT. */
const fields: readonly Field[] = [
  { path: 'merchantId', kind: 'reference', also: ['a'.repeat(36), 'a/b'] },
  { path: 'name', kind: 'text', also: [...blanks, 'a'.repeat(101)] },
  { path: 'orgNumber', kind: 'text', also: [...blanks, 'a'.repeat(36)] },
  { path: 'vatNumber', kind: 'text', also: [...blanks, 'a'.repeat(36)] },
  { path: 'active', kind: 'int32', also: [2, -1, 10] },
  { path: 'merchantCategoryCode', kind: 'reference', also: ['573', '57344', '57 4', 5734] },
  { path: 'merchantCity', kind: 'text', also: [...blanks, 'a'.repeat(101)] },
  { path: 'countryCode', kind: 'words', also: ['no', 'NOR', 'XX', 'N'] },
  { path: 'prefix', kind: 'text', also: [...blanks, 'a'.repeat(36)] },
  { path: 'createdBy', kind: 'text', also: [...blanks, 'a'.repeat(101)] },
  { path: 'createdOn', kind: 'text' },
  { path: 'updatedBy', kind: 'text', also: [...blanks, 'a'.repeat(101)] },
  { path: 'updatedOn', kind: 'text' },
  { path: 'enableInvoicing', kind: 'int32', also: [2, -1] },
];
const ignored = new Set(['createdOn', 'updatedOn']);

describe('the body of a merchant', () => {
  it.each(fields)('refuses what $path cannot be, at POST and at PUT: 1004', async ({ path, kind, also = [] }) => {
    const own = [...badValues[kind], ...also].filter((value) => !(ignored.has(path) && typeof value === 'string'));
    for (const value of own) {
      const created = await alpha.create(merchantBody({ [path]: value }));
      const modified = await alpha.modify(present.merchantId, { ...present, [path]: value });
      for (const answer of [created, modified]) {
        expect([value, ...refusal(answer)]).toEqual([value, 400, '1004', 'validation']);
        expect(answer.body.message).toContain(nameOf({ path }));
      }
    }
  });

  it.each(['merchantId', 'name', 'active', 'createdBy', 'updatedBy'])(
    'needs %s, absent or null: 1003',
    async (field) => {
      for (const body of [without(merchantBody(), field), merchantBody({ [field]: null })]) {
        expect(refusal(await alpha.create(body))).toEqual([400, '1003', 'validation']);
        expect(refusal(await alpha.modify(present.merchantId, body))).toEqual([400, '1003', 'validation']);
      }
    },
  );

  it.each(fields.map(({ path }) => path).filter((path) => !(path in merchantBody())))(
    'takes %s absent or null',
    async (field) => {
      expect((await alpha.create(without(wholeMerchantBody(), field))).status).toBe(201);
      expect((await alpha.create({ ...wholeMerchantBody(), [field]: null })).status).toBe(201);
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ['a merchantId of 35 characters of every kind', { merchantId: `A.z_9-${Date.now()}`.padEnd(35, 'x') }],
    ['names in any script', { name: 'Ørsted & Søn “電気”', merchantCity: 'Łódź' }],
    ['the longest values', { name: 'n'.repeat(100), orgNumber: 'o'.repeat(35), createdBy: 'c'.repeat(100) }],
    ['active and invoicing off', { active: 1, enableInvoicing: 1 }],
    ['both on', { active: 0, enableInvoicing: 0 }],
    ['an MCC of letters', { merchantCategoryCode: 'AB12' }],
  ])('takes %s', async (_what, change) => {
    const body = merchantBody(change);
    const answer = await alpha.create(body);
    expect([answer.status, answer.body]).toEqual([201, { id: body.merchantId }]);
    expect(answer.headers.location).toBe(`/ms/naa/admin/customer/v1/merchant/${body.merchantId}`);
  });

  it('ignores what it does not know, names it in the sandbox, and is polluted by nothing', async () => {
    const body = merchantBody({ accountId: 'beta', merchantNumber: 1, constructor: { prototype: { x: 1 } } });
    const answer = await alpha.create(body);
    expect([answer.status, answer.headers['x-unknown-fields']]).toEqual([
      201,
      'accountId, merchantNumber, constructor',
    ]);
    expect((await administrationOf(world, 'beta').modify(body.merchantId, body)).status).toBe(404);
  });

  it.each([
    ['no JSON', '{"merchantId":', '1002'],
    ['nothing', '', '1002'],
    ['text', '"merchant"', '1004'],
    ['an array', '[]', '1004'],
    ['null', 'null', '1004'],
    ['a name that could pollute', '{"__proto__": {}}', '1004'],
  ])('refuses %s', async (_what, text, code) => {
    const headers = { 'Content-Type': 'application/json' };
    expect(refusal(await alpha.create(text, headers))).toEqual([400, code, 'validation']);
    expect(refusal(await alpha.modify(present.merchantId, text, headers))).toEqual([400, code, 'validation']);
  });

  it('refuses another content type, and a body that is too long', async () => {
    const body = JSON.stringify(merchantBody());
    expect(refusal(await alpha.create(body, { 'Content-Type': 'text/plain' }))).toEqual([400, '1002', 'validation']);
    const long = merchantBody({ unknown: 'x'.repeat(300_000) });
    expect(refusal(await alpha.create(long))).toEqual([413, '1004', 'validation']);
  });
});

describe('userId of a deletion', () => {
  it('is needed: 1003', async () => {
    expect(refusal(await alpha.remove(present.merchantId, ''))).toEqual([400, '1003', 'validation']);
  });

  it.each([' ', 'u'.repeat(101)])('is refused as %j: 1004', async (userId) => {
    expect(refusal(await alpha.remove(present.merchantId, userId))).toEqual([400, '1004', 'validation']);
  });

  it('counts once: given twice it is 1004', async () => {
    const path = `${merchantsPath}/${present.merchantId}?userId=a&userId=b`;
    const headers = { Authorization: alpha.authorization };
    expect(refusal(await rest(world.urls.rest).call('DELETE', path, { headers }))).toEqual([400, '1004', 'validation']);
  });
});
