// The reports of the reporting interface as a test asks for them, with the keys of a tenant, and the levers that make them.
import { type Answer, rest } from './client';
import { graph, sandboxCall } from './partner';
import { eventually } from './stores';
import type { World } from './world';

export type ReportKey = 'merchantApiKey' | 'partnerApiKey';

export interface Reports {
  merchantNumber: string;
  /** A path below /report/v1, with its query. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export function reportsOf(world: World, tenant: 'alpha' | 'beta', key: ReportKey): Reports {
  const { merchantNumber, reporting } = world.credentials.tenants[tenant];
  const client = rest(world.urls.rest);
  return {
    merchantNumber,
    get: (path, headers = {}) =>
      client.call('GET', `/report/v1/${path}`, { headers: { Authorization: reporting[key], ...headers } }),
  };
}

/** The UTC day of the one clock. */
export async function today(world: World): Promise<string> {
  const { body } = await sandboxCall(world, 'GET', '/sandbox/clock');
  return body.now.slice(0, 10);
}

/** Closes a day, asking again while the books have not caught up with the events. */
export async function settleDay(world: World, date: string): Promise<void> {
  const { status, text } = await eventually(async () => {
    const answer = await sandboxCall(world, 'POST', '/sandbox/settlement', { date });
    return answer.status === 503 ? null : answer;
  });
  if (status !== 200) throw new Error(`settlement of ${date} was answered with ${status} ${text}`);
}

/** Books a deposit, chargeback or adjustment by the lever. */
export async function bookEntry(
  world: World,
  entry: {
    tenant: 'alpha' | 'beta';
    action: 'DEPOSIT' | 'CHARGEBACK' | 'ADJUSTMENT';
    amount: number;
    currency: string;
  },
): Promise<void> {
  const { status, text } = await sandboxCall(world, 'POST', '/sandbox/ledger', entry);
  if (status !== 200) throw new Error(`${JSON.stringify(entry)} was answered with ${status} ${text}`);
}

/** A payout of a deposit; its id. In a currency that nothing else is booked in: a book whose refunds of the day outweigh its deposits pays nothing. */
export async function paidOutDeposit(world: World, tenant: 'alpha' | 'beta'): Promise<string> {
  const currency = 'CHF';
  const fromDate = await today(world);
  await bookEntry(world, { tenant, action: 'DEPOSIT', amount: 1_000, currency });
  const toDate = await today(world);
  await settleDay(world, toDate);
  const path = `payouts?${new URLSearchParams({ fromDate, toDate, currency })}`;
  const { status, text, body } = await reportsOf(world, tenant, 'merchantApiKey').get(path);
  const payout = body?.payouts?.at(-1);
  if (!payout) throw new Error(`${path} was answered with ${status} ${text}`);
  return payout.id;
}

/** The balance of a day in one currency, once `isThere` says so. */
export async function balanceWhen(
  reports: Reports,
  { day, currency }: { day: string; currency: string },
  isThere: (balance: Answer['body']) => boolean,
): Promise<Answer['body']> {
  return eventually(async () => {
    const { body } = await reports.get(`balances?fromDate=${day}&toDate=${day}&currencies=${currency}`);
    const balance = body.data[0]?.balances[0];
    return balance && isThere(balance) ? balance : null;
  });
}

/** A query on the graph that must succeed; its data. */
export async function askGraph(world: World, query: string, variables: object = {}): Promise<Answer['body']> {
  const { data, errors } = await graph(world, query, variables);
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}
