// The three documented paths of the reporting interface: balances, payouts, and one payout with its actions; each a read that may be kept for a minute.
import { exactNumber } from '../../subgraphs/shared/money';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { cachedReply } from '../cached-reply';
import type { QueryValues } from '../checks/query';
import { defineRoute, type Route, type RouteRequest } from '../route-record';
import { bodiless, reporting } from './numbered-families';

const reading = { ...reporting, ...bodiless, method: 'GET' } as const satisfies Partial<Route>;

interface GraphBalance {
  day: string;
  opening: string;
  closing: string;
  credits: string;
  creditsCount: number;
  debits: string;
  debitsCount: number;
}

interface GraphBalances {
  currency: string;
  balances: GraphBalance[];
}

const balances = defineRoute<null, { balanceReport: GraphBalances[] }>({
  ...reading,
  path: '/report/v1/balances',
  action: {
    operation: 'GetBalanceReport',
    variables: ({ query }) => ({
      ...rangeOf(query),
      ...withoutUndefined({
        currencies: query['currencies'] === undefined ? undefined : String(query['currencies']).split(','),
        sort: query['sort'],
      }),
    }),
    reply: ({ balanceReport }, request) =>
      answer(request, {
        data: balanceReport.map(({ currency, balances }) => ({ currency, balances: balances.map(printBalance) })),
      }),
  },
});

function printBalance({ day, credits, creditsCount, debits, debitsCount, opening, closing }: GraphBalance) {
  return {
    credits: { amount: printMinor(credits), count: creditsCount },
    debits: { amount: printMinor(debits), count: debitsCount },
    openingBalance: printMinor(opening),
    closingBalance: printMinor(closing),
    from: day,
    to: day,
  };
}

interface GraphPayout {
  payoutId: string;
  date: string;
  currency: string;
  reference: string;
  iban: string | null;
  bic: string | null;
  amount: string;
  sums: Record<'charged' | 'refunded' | 'deposited' | 'fees', string> &
    Record<'chargeCount' | 'refundCount' | 'depositCount' | 'actionCount', number>;
}

const payouts = defineRoute<null, { payoutReport: { numberOfPayouts: number; payouts: GraphPayout[] } }>({
  ...reading,
  path: '/report/v1/payouts',
  action: {
    operation: 'GetPayoutReport',
    variables: ({ query }) => ({
      ...rangeOf(query),
      ...pageOf(query),
      ...withoutUndefined({ currency: query['currency'] }),
    }),
    reply: ({ payoutReport }, request) =>
      answer(request, {
        numberOfPayouts: payoutReport.numberOfPayouts,
        payouts: payoutReport.payouts.map((payout) => ({
          ...printPayout(payout),
          numberOfCharges: payout.sums.chargeCount,
          numberOfRefunds: payout.sums.refundCount,
          numberOfDeposits: payout.sums.depositCount,
        })),
      }),
  },
});

interface Action {
  actionId: string;
  action: string;
  paymentId: string | null;
  paymentMethod: string | null;
  paymentType: string | null;
  occurredAt: string | Date;
  reference: string | null;
  myReference: string | null;
  invoiceNumber: string | null;
  currency: string;
  amount: string;
  fee: string;
  flexibleFee: string;
  fixedFee: string;
}

const payout = defineRoute<null, { payoutStatement: { payout: GraphPayout; actions: Action[] } }>({
  ...reading,
  path: '/report/v1/payouts/{id}',
  action: {
    operation: 'GetPayoutStatement',
    variables: ({ params, query }) => ({ payoutId: params['id'], ...merchantOf(query), ...pageOf(query) }),
    reply: ({ payoutStatement }, request) =>
      answer(request, {
        ...printPayout(payoutStatement.payout),
        numberOfPaymentActions: payoutStatement.payout.sums.actionCount,
        paymentActions: payoutStatement.actions.map(printAction),
      }),
  },
});

/** Texts that are not known are empty, so that a typed client finds each. Taxes are none of ours: the rates are 0, and the fields that they replaced are still there. */
const taxes = { feeVATpercent: 0, feeTaxRate: 0, feeTaxAmount: 0, transactionTaxDetails: [] } as const;

function printPayout({ payoutId, reference, date, iban, bic, currency, amount, sums }: GraphPayout) {
  return {
    id: payoutId,
    reference,
    date,
    bankAccountIban: iban ?? '',
    bankAccountBic: bic ?? '',
    currency,
    amount: printMinor(amount),
    chargedAmount: printMinor(sums.charged),
    refundedAmount: printMinor(sums.refunded),
    depositedAmount: printMinor(sums.deposited),
    fees: printMinor(sums.fees),
    ...taxes,
  };
}

function printAction(entry: Action) {
  const { actionId, action, paymentId, currency, amount } = entry;
  return {
    id: actionId,
    paymentId: paymentId ?? undefined,
    paymentAction: action,
    paymentMethod: entry.paymentMethod ?? '',
    paymentType: entry.paymentType ?? '',
    timestamp: new Date(entry.occurredAt).toISOString(),
    reference: entry.reference ?? '',
    myReference: entry.myReference ?? '',
    invoiceNumber: entry.invoiceNumber ?? '',
    amount: printMinor(amount),
    vatAmount: 0,
    currency,
    fee: printMinor(entry.fee),
    flexibleFee: printMinor(entry.flexibleFee),
    fixedFee: printMinor(entry.fixedFee),
    chargebackAmount: action === 'CHARGEBACK' ? printMinor(amount) : 0,
    adjustmentAmount: action === 'ADJUSTMENT' ? printMinor(amount) : 0,
    ...taxes,
  };
}

const keptHeaders = { 'cache-control': 'private, max-age=60', vary: 'Authorization' };

function answer(request: RouteRequest<null>, body: unknown) {
  return cachedReply(body, request.header('if-none-match'), keptHeaders);
}

function merchantOf({ merchantNumber }: QueryValues): Record<string, unknown> {
  return merchantNumber === undefined ? {} : { merchantNumber: String(merchantNumber) };
}

function rangeOf(query: QueryValues): Record<string, unknown> {
  return { ...merchantOf(query), fromDate: query['fromDate'], toDate: query['toDate'] };
}

function pageOf({ pageNumber, pageSize }: QueryValues): Record<string, unknown> {
  return {
    ...withoutUndefined({ pageNumber, pageSize }),
  };
}

/** Sums grow past the sizes that the document names; they are printed exactly (register, Sizes of amounts). */
function printMinor(minor: string): number {
  return exactNumber(BigInt(minor));
}

export const reportingRoutes: readonly Route[] = [balances, payouts, payout];
