// The sandbox calls that move money without a payer: the capture batch, settlement of a day, and entries booked by hand.
import { jsonBytesMax } from '../checks/request-body';
import { defineRoute, type Route } from '../route-record';

const control = { family: 'sandbox', scheme: 'sandboxKey', scopes: [], rateLimit: null } as const;
const posted = { ...control, method: 'POST', bodyKind: 'json', bodyBytesMax: jsonBytesMax } as const;

/** Closing many open days may take longer than other calls. */
const settlementTimeoutMs = 60_000;

export const sandboxMoneyRoutes: readonly Route[] = [
  defineRoute<null, { captureBatch: number }>({
    ...control,
    bodyKind: 'none',
    bodyBytesMax: 0,
    method: 'POST',
    path: '/sandbox/capture-batch',
    action: {
      operation: 'CaptureBatch',
      variables: () => ({}),
      reply: ({ captureBatch }) => ({ status: 200, body: { captures: captureBatch } }),
    },
  }),
  defineRoute<{ date: string }, { settleDay: { payouts: { payoutId: string }[] } }>({
    ...posted,
    path: '/sandbox/settlement',
    timeoutMs: settlementTimeoutMs,
    action: {
      operation: 'SettleDay',
      variables: ({ body }) => ({ date: body.date }),
      reply: ({ settleDay }) => ({ status: 200, body: { payouts: settleDay.payouts.length } }),
    },
  }),
  defineRoute<
    { tenant: string; action: string; amount: number; currency: string },
    { bookSandboxEntry: { ledgerEntryId: string; merchantId: string } }
  >({
    ...posted,
    path: '/sandbox/ledger',
    action: {
      operation: 'BookSandboxEntry',
      variables: ({ body: { tenant, action, amount, currency } }) => ({
        tenant,
        action,
        currency,
        amount: String(amount),
      }),
      reply: ({ bookSandboxEntry: { ledgerEntryId, merchantId } }) => ({
        status: 200,
        body: { ledgerEntryId, merchantId },
      }),
    },
  }),
];
