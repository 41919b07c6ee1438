// The three reports over the running program: every rule of a parameter, whose report it is, and answers that may be kept (reporting interface, Endpoints; T11 and 2.3-C of the decision register).
import { newId } from '../../subgraphs/shared/ids';
import { type Answer, rest } from '../support/client';
import { sandboxCall } from '../support/partner';
import { bookEntry, type Reports, reportsOf, settleDay, today } from '../support/reports';
import { sharedWorld, type World } from '../support/world';

let world: World;
let day: string;
let keys: Record<'merchant' | 'partner' | 'foreign', Reports>;
let payoutId: string;

const currency = 'DKK';

beforeAll(async () => {
  world = await sharedWorld();
  day = await today(world);
  keys = {
    merchant: reportsOf(world, 'alpha', 'merchantApiKey'),
    partner: reportsOf(world, 'alpha', 'partnerApiKey'),
    foreign: reportsOf(world, 'beta', 'merchantApiKey'),
  };
  await bookEntry(world, { tenant: 'alpha', action: 'DEPOSIT', amount: 1_000, currency });
  await bookEntry(world, { tenant: 'alpha', action: 'DEPOSIT', amount: 234, currency });
  await settleDay(world, day);
  const { body } = await keys.merchant.get(`payouts?${days()}&currency=${currency}`);
  payoutId = body.payouts.at(-1).id;
});
afterAll(() => world.stop());

const days = (from = day, to = day) => `fromDate=${from}&toDate=${to}`;
const refusal = ({ status, body }: Answer) => [status, body?.code];

describe('parameters', () => {
  const paths = { balances: 'balances?', payouts: 'payouts?' };

  test.each([
    ['without fromDate', () => `toDate=${day}`, '1003'],
    ['without toDate', () => `fromDate=${day}`, '1003'],
    ['an empty date', () => `fromDate=&toDate=${day}`, '1003'],
    ['a date that does not exist', () => days('2026-02-30'), '5001'],
    ['a date-time', () => days(`${day}T00:00:00Z`), '5001'],
    ['a range that goes back', () => days('2026-02-02', '2026-02-01'), '5001'],
    ['a range of 367 days', () => days('2026-01-01', '2027-01-02'), '5001'],
    ['a merchantNumber that is none', () => `${days()}&merchantNumber=abc`, '1004'],
    ['merchantNumber 0', () => `${days()}&merchantNumber=0`, '1004'],
    ['a parameter twice', () => `${days()}&fromDate=${day}`, '1004'],
  ])('%s is refused by balances and payouts', async (_name, query, code) => {
    for (const path of Object.values(paths))
      expect(refusal(await keys.merchant.get(path + query()))).toEqual([400, code]);
  });

  test('a range of 366 days is taken', async () => {
    const ranges = [
      days('2026-01-01', '2027-01-01'),
      days('9999-01-01', '9999-12-31'),
      days('0001-01-01', '0001-01-02'),
    ];
    for (const query of ranges)
      for (const path of Object.values(paths)) expect((await keys.merchant.get(path + query)).status).toBe(200);
  });

  test.each([
    ['balances', 'currencies=EURO', '5005'],
    ['balances', 'currencies=EUR,', '5005'],
    ['balances', 'currencies=EUR,ZZZ', '5005'],
    ['balances', 'currencies=eur', '5005'],
    ['balances', 'sort=up', '1004'],
    ['payouts', 'currency=ZZZ', '5005'],
    ['payouts', 'currency=EUR,SEK', '5005'],
    ['payouts', 'pageNumber=-1', '5002'],
    ['payouts', 'pageNumber=x', '5002'],
    ['payouts', 'pageNumber=2147483648', '5002'],
    ['payouts', 'pageSize=0', '5002'],
    ['payouts', 'pageSize=501', '5002'],
    ['payouts', 'pageSize=1.5', '5002'],
  ])('%s refuses %s', async (path, query, code) => {
    const answer = await keys.merchant.get(`${path}?${days()}&${query}`);
    expect(refusal(answer)).toEqual([400, code]);
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'message', 'source']);
    expect(answer.body.source).toBe(code.startsWith('5') ? 'report' : 'validation');
  });

  test.each(['pageNumber=-1', 'pageSize=501', 'pageSize=0'])('a payout refuses %s', async (query) => {
    expect(refusal(await keys.merchant.get(`payouts/${payoutId}?${query}`))).toEqual([400, '5002']);
  });

  test('known currencies that nobody used are empty, and unknown parameters are named and ignored', async () => {
    const balances = await keys.merchant.get(`balances?${days()}&currencies=ISK,JPY&colour=red`);
    expect(balances.body).toEqual({ data: [] });
    expect(balances.headers['x-unknown-fields']).toBe('colour');
    expect((await keys.merchant.get(`payouts?${days()}&currency=ISK`)).body).toEqual({
      numberOfPayouts: 0,
      payouts: [],
    });
  });
});

describe('pages and directions', () => {
  test('past the end a list is empty and the number true', async () => {
    const all = (await keys.merchant.get(`payouts?${days()}&currency=${currency}`)).body;
    const beyond = (await keys.merchant.get(`payouts?${days()}&currency=${currency}&pageNumber=7&pageSize=500`)).body;
    expect(beyond).toEqual({ numberOfPayouts: all.numberOfPayouts, payouts: [] });
    const first = (await keys.merchant.get(`payouts/${payoutId}?pageSize=1`)).body;
    const second = (await keys.merchant.get(`payouts/${payoutId}?pageSize=1&pageNumber=1`)).body;
    expect(first.numberOfPaymentActions).toBe(2);
    expect([...first.paymentActions, ...second.paymentActions].map(({ amount }: { amount: number }) => amount)).toEqual(
      [1_000, 234],
    );
    const third = (await keys.merchant.get(`payouts/${payoutId}?pageSize=1&pageNumber=2`)).body;
    expect(third).toMatchObject({ numberOfPaymentActions: 2, paymentActions: [] });
  });

  test('desc turns the days of each currency round', async () => {
    const monthBefore = new Date(Date.parse(day) - 30 * 86_400_000).toISOString().slice(0, 10);
    const read = async (sort: string) =>
      (await keys.merchant.get(`balances?${days(monthBefore, day)}&currencies=${currency}${sort}`)).body.data[0]
        .balances;
    const ascending = await read('&sort=asc');
    expect(await read('')).toEqual(ascending);
    expect(await read('&sort=desc')).toEqual([...ascending].reverse());
  });
});

describe('whose report it is', () => {
  test('a partner key sees the merchants of its account, one or all', async () => {
    const { merchantNumber } = keys.merchant;
    const all = await keys.partner.get(`payouts?${days()}&currency=${currency}`);
    const ours = await keys.partner.get(`payouts?${days()}&currency=${currency}&merchantNumber=${merchantNumber}`);
    expect(all.body).toEqual(ours.body);
    const balances = await keys.partner.get(`balances?${days()}&currencies=${currency}`);
    expect(balances.body).toEqual((await keys.merchant.get(`balances?${days()}&currencies=${currency}`)).body);
    expect((await keys.partner.get(`payouts/${payoutId}?merchantNumber=${merchantNumber}`)).status).toBe(200);
  });

  test('a partner key must say whose payout it means, a merchant key may', async () => {
    expect(refusal(await keys.partner.get(`payouts/${payoutId}`))).toEqual([400, '5004']);
    const { merchantNumber } = keys.merchant;
    const [without, with_] = [
      await keys.merchant.get(`payouts/${payoutId}`),
      await keys.merchant.get(`payouts/${payoutId}?merchantNumber=${merchantNumber}`),
    ];
    expect(with_.body).toEqual(without.body);
  });

  test.each(['merchant', 'partner'] as const)(
    'a foreign or absent merchantNumber looks the same to a %s key',
    async (key) => {
      for (const number of [keys.foreign.merchantNumber, '999999999']) {
        expect(refusal(await keys[key].get(`balances?${days()}&merchantNumber=${number}`))).toEqual([401, '2003']);
        expect(refusal(await keys[key].get(`payouts?${days()}&merchantNumber=${number}`))).toEqual([404, '5003']);
        expect(refusal(await keys[key].get(`payouts/${payoutId}?merchantNumber=${number}`))).toEqual([404, '5003']);
      }
    },
  );

  test('a foreign payout looks like an absent one, and like none at all', async () => {
    const [foreign, absent, malformed] = [
      await keys.foreign.get(`payouts/${payoutId}`),
      await keys.foreign.get(`payouts/${newId()}`),
      await keys.foreign.get('payouts/not-a-payout'),
    ];
    expect(refusal(foreign)).toEqual([404, '5003']);
    expect(foreign.body).toEqual(absent.body);
    expect(refusal(malformed)).toEqual([404, '5003']);
    expect((await keys.foreign.get(`payouts?${days()}&currency=${currency}`)).body.numberOfPayouts).toBe(0);
  });

  test('keys and tokens of other families are not taken', async () => {
    const { admin, checkout } = world.credentials.tenants.alpha;
    const pair = Buffer.from(`${admin.consumerKey}:${admin.consumerSecret}`).toString('base64');
    const get = (headers: Record<string, string>) =>
      rest(world.urls.rest).call('GET', `/report/v1/payouts?${days()}`, { headers });
    expect(refusal(await get({}))).toEqual([401, '2001']);
    for (const Authorization of ['nobody', `Bearer ${pair}`, checkout.implicit.apiKey])
      expect(refusal(await get({ Authorization }))).toEqual([401, '2002']);
  });
});

describe('answers that may be kept', () => {
  test('have a tag, and 304 for who has it; another report has another', async () => {
    const path = `payouts/${payoutId}`;
    const first = await keys.merchant.get(path);
    const { etag = '' } = first.headers;
    expect(first.headers).toMatchObject({ 'cache-control': 'private, max-age=60', vary: 'Authorization' });
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect((await keys.merchant.get(path, { 'If-None-Match': tag })).status).toBe(304);
    const again = await keys.merchant.get(path, { 'If-None-Match': '"other"' });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await keys.merchant.get(`${path}?pageSize=1`)).headers['etag']).not.toBe(etag);
  });

  test('a closed payout stays as it is when its day is closed again', async () => {
    const before = await keys.merchant.get(`payouts/${payoutId}`);
    await bookEntry(world, { tenant: 'alpha', action: 'DEPOSIT', amount: 77, currency });
    await settleDay(world, day);
    expect((await keys.merchant.get(`payouts/${payoutId}`)).text).toBe(before.text);
  });
});

describe('levers', () => {
  test.each([
    ['settlement', { date: '2026-02-30' }, 400],
    ['settlement', { date: '2999-01-01' }, 400],
    ['settlement', {}, 400],
    ['ledger', { tenant: 'nobody', action: 'DEPOSIT', amount: 1, currency: 'EUR' }, 404],
    ['ledger', { tenant: 'alpha', action: 'PAYOUT', amount: 1, currency: 'EUR' }, 400],
    ['ledger', { tenant: 'alpha', action: 'DEPOSIT', amount: -1, currency: 'EUR' }, 400],
    ['ledger', { tenant: 'alpha', action: 'ADJUSTMENT', amount: 0, currency: 'EUR' }, 400],
    ['ledger', { tenant: 'alpha', action: 'DEPOSIT', amount: 1.5, currency: 'EUR' }, 400],
    ['ledger', { tenant: 'alpha', action: 'DEPOSIT', amount: 1, currency: 'ZZZ' }, 400],
  ])('%s refuses %j', async (lever, body, status) => {
    expect((await sandboxCall(world, 'POST', `/sandbox/${lever}`, body)).status).toBe(status);
  });
});
