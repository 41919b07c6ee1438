// Amounts of the reports at the edges of their documented sizes: printed exactly, or not at all (document 3 C; T9 of the decision register).
import type { GraphAction, Route, RouteRequest } from '../../rest-facade/route-record';
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

describe('a balance', () => {
  test.each(['2147483647', '-2147483648', '-1'])('of %s is printed', (closing) => {
    const { body } = print('/report/v1/balances', balances({ closing }));
    expect(body).toMatchObject({ data: [{ balances: [{ closingBalance: Number(closing) }] }] });
  });

  test.each([
    { closing: '2147483648' },
    { opening: '-2147483649' },
    { credits: '2147483648' },
    { debits: '9999999999' },
  ])('of %j is a failure of ours that the log tells, never a wrong number', (change) => {
    expect(() => print('/report/v1/balances', balances(change))).toThrow('left the int32 range');
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
