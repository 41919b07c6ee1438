// Operators and prototypes in every string of the tokenization interface over the running program: refused or taken literally, never a 5xx, never somebody else's data; and what anybody may send to the sandbox's receiver.
import { newId } from '../../subgraphs/shared/ids';
import { rest } from '../support/client';
import { accountExpiry } from '../support/expiry';
import { freshCardNumber, type Partner, partnerOf, receivedBy } from '../support/partner';
import { sharedWorld, type World } from '../support/world';

const strings = [
  '$ne',
  '$gt',
  '$where',
  '{"$ne":null}',
  '__proto__',
  'constructor',
  'toString',
  "' || '1'=='1",
  '../..',
  '%00',
  '*',
  '.*',
  '\u202e',
  '<script>',
  '#{7*7}',
  'a'.repeat(5_000),
];
const values: unknown[] = [
  ...strings,
  { $ne: null },
  { $gt: '' },
  { $where: 'sleep(1000)' },
  { _bsontype: 'ObjectId' },
  { $expr: {} },
  ['a'],
  [],
  {},
  0,
  -1,
  true,
  null,
];

describe('hostile input', () => {
  let world: World;
  let partner: Partner;
  let virtualAccountId: string;

  beforeAll(async () => {
    world = await sharedWorld();
    partner = await partnerOf(world, 'alpha');
    virtualAccountId = (await partner.createToken({ account: freshCardNumber(), accountExpiry })).body.virtualAccountId;
  });
  afterAll(() => world?.stop());

  const label = (value: unknown) => JSON.stringify(value)?.slice(0, 40);

  it.each(values.map((value) => [label(value), value]))(
    '%s in each body field is refused with 400',
    async (_label, value) => {
      const merchantInfo = { merchantId: partner.credentials.merchantId };
      const encryptedData = await partner.seal({ account: freshCardNumber(), accountExpiry });
      const transactionInfo = {
        transactionId: newId(),
        transactionDateTime: '20261121090000',
        amount: '1',
        currencyCode: '978',
      };
      const path = `/virtual-accounts/${virtualAccountId}`;
      const isLiteral = (field: string) =>
        typeof value === 'string' && (field === 'merchantId' || field === 'transactionId');
      const calls: [string, string, string, object][] = [
        [
          'merchantId',
          'POST',
          '/virtual-accounts/token',
          { merchantInfo: { merchantId: value }, accountInfo: { encryptedData } },
        ],
        ['encryptedData', 'POST', '/virtual-accounts/token', { merchantInfo, accountInfo: { encryptedData: value } }],
        ...Object.keys(transactionInfo).map((field): [string, string, string, object] => [
          field,
          'POST',
          `${path}/transaction`,
          { merchantInfo, transactionInfo: { ...transactionInfo, [field]: value } },
        ]),
        ['tokenState', 'PUT', `${path}/tokenState`, { tokenState: value, reasonCode: '1023' }],
        ['reasonCode', 'PUT', `${path}/tokenState`, { tokenState: 'DELETE', reasonCode: value }],
      ];
      for (const [field, method, target, body] of calls) {
        const answer = await partner.call(method, target, body);
        expect({ field, status: answer.status }).toEqual({
          field,
          status: isLiteral(field) ? expect.any(Number) : 400,
        });
        expect(answer.status).toBeLessThan(500);
      }
      expect((await partner.read(virtualAccountId)).body.virtualAccountState).toBe('ACTIVE');
    },
  );

  it.each(strings)('%j in the path is 404', async (text) => {
    expect((await partner.read(encodeURIComponent(text))).status).toBe(404);
  });

  it.each(strings.filter((text) => /^[ -~]+$/.test(text)))('%j in a header is refused', async (text) => {
    for (const name of ['X-Acquirer-ID', 'X-Provider-ID', 'X-PSP-ID', 'X-Request-ID']) {
      const answer = await partner.call('GET', `/virtual-accounts/${virtualAccountId}`, undefined, { [name]: text });
      expect([400, 403]).toContain(answer.status);
    }
    const answer = await partner.call('GET', `/virtual-accounts/${virtualAccountId}`, undefined, {
      Authorization: `Bearer ${text}`,
    });
    expect(answer.status).toBe(401);
  });

  it('takes a query string for nothing', async () => {
    const answer = await partner.call(
      'GET',
      `/virtual-accounts/${virtualAccountId}?virtualAccountId[$ne]=x&__proto__[a]=b`,
    );
    expect(answer.body.virtualAccountId).toBe(virtualAccountId);
  });

  it('headers to the built-in receiver that are twice as long as JSON are shown whole, beside what others sent', async () => {
    const path = `/sandbox/receiver/${newId()}`;
    const headers = { 'X-Quotes': '"'.repeat(9_000) };
    expect((await rest(world.urls.rest).call('POST', path, { headers, body: {} })).status).toBe(204);
    const received = await receivedBy(world);
    expect(received.find((request) => request.path === path)?.headers).toMatchObject(headers);
  });
});
