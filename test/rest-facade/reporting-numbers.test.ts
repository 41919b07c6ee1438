// Amounts of the reports at the edges of their documented sizes: printed exactly, or not at all (reporting interface; T9 of the decision register).
import type { GraphAction, Route, RouteRequest } from '../../rest-facade/route-record';
import { paymentRoutes } from '../../rest-facade/routes/payments';
import { reportingRoutes } from '../../rest-facade/routes/reporting';

const request = { header: () => '' } as unknown as RouteRequest<unknown>;

/** What the route of that path prints of an answer of the graph. */
function print(path: string, data: unknown) {
  const route = reportingRoutes.find((one) => one.path === path) as Route;
  return (route.action as GraphAction<unknown, unknown>).reply(data, request);
}

const zero = { opening: '0', closing: '0', credits: '0', creditsCount: 0, debits: '0', debitsCount: 0 };
const balances = (change: object) => ({
  balanceReport: [{ currency: 'EUR', balances: [{ day: '2026-03-01', ...zero, ...change }] }],
});

const edges = ['-2147483649', '-2147483648', '-1', '2147483647', '2147483648', '4000000000', '9007199254740991'];

describe('every amount of a report', () => {
  const ofBalance: Record<string, string> = { opening: 'openingBalance', closing: 'closingBalance' };
  const cases = ['opening', 'closing', 'credits', 'debits'].flatMap((field) => edges.map((minor) => [field, minor]));

  test.each(cases)('%s of %s is printed exactly, also beyond the int32 of the document', (field, minor) => {
    const { body } = print('/report/v1/balances', balances({ [field as string]: minor }));
    const name = ofBalance[field as string];
    const printed = name ? { [name]: Number(minor) } : { [field as string]: { amount: Number(minor) } };
    expect(body).toMatchObject({ data: [{ balances: [printed] }] });
  });

  test('beyond exact numbers, which no booking reaches, is never a wrong number', () => {
    const beyond = balances({ closing: '9007199254740992' });
    expect(() => print('/report/v1/balances', beyond)).toThrow('exact numbers');
  });
});

describe('every amount of a payment', () => {
  const details = {
    amount: '0',
    authorizedAmount: '0',
    capturedAmount: '0',
    refundedAmount: '0',
    token: null,
    transactions: [],
    circuit: null,
    hostedPageUrl: null,
    createdAt: '2026-03-01T00:00:00Z',
  };
  const cases = ['amount', 'authorizedAmount', 'capturedAmount', 'refundedAmount'].flatMap((field) =>
    ['2147483647', '2147483648', '9007199254740991'].map((minor) => [field, minor]),
  );

  test.each(cases)('%s of %s is printed exactly', (field, minor) => {
    const route = paymentRoutes.find(({ method, path }) => method === 'GET' && path.endsWith('{paymentId}')) as Route;
    const data = { paymentServiceDetails: { ...details, [field as string]: minor } };
    const { body } = (route.action as GraphAction<unknown, unknown>).reply(data, request);
    expect(body).toMatchObject({ [field as string]: Number(minor) });
  });
});

describe('a payout', () => {
  const sums = {
    charged: '0',
    refunded: '0',
    deposited: '0',
    fees: '0',
    chargeCount: 0,
    refundCount: 0,
    depositCount: 0,
  };
  const payouts = (amount: string) => ({
    payoutReport: { numberOfPayouts: 1, payouts: [{ payoutId: 'p', date: 'd', iban: null, bic: null, amount, sums }] },
  });

  test('has 64 bits as far as a JSON number is exact', () => {
    const { body } = print('/report/v1/payouts', payouts('9007199254740991'));
    expect(body).toMatchObject({ payouts: [{ amount: 9_007_199_254_740_991 }] });
    expect(() => print('/report/v1/payouts', payouts('9007199254740992'))).toThrow('exact numbers');
  });

  test('without a payout account has empty texts for it', () => {
    const { body } = print('/report/v1/payouts', payouts('1'));
    expect(body).toMatchObject({ payouts: [{ bankAccountIban: '', bankAccountBic: '' }] });
  });
});
