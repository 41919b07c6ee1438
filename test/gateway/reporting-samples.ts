// Variables for each persisted operation of reporting that may be run twice with one answer: reports of a merchant without movements, and refusals.
import { type Caller, pageCaller, systemCaller } from '../../subgraphs/shared/callers/caller';
import { newId } from '../../subgraphs/shared/ids';
import type { Samples } from './payment-samples';

const partner: Caller = {
  kind: 'apiKey',
  credentialId: 'partner-alpha',
  environment: 'sandbox',
  accountId: 'alpha',
  identifiers: [],
  scopes: ['onboarding', 'reporting'],
};
const page = pageCaller('sandbox');
const lever: Caller = {
  ...systemCaller('sandbox', 'levers'),
  kind: 'sandboxKey',
  credentialId: 'sandbox-key',
  scopes: ['sandbox:control'],
};
const days = { fromDate: '2020-01-01', toDate: '2020-01-31' };
const reversed = { fromDate: '2020-02-01', toDate: '2020-01-31' };

export const reportingSamples: Samples = {
  GetBalanceReport: [
    [partner, days],
    [partner, reversed],
    [partner, { ...days, currencies: ['EURO'] }],
    [page, days],
    [partner, {}],
  ],
  GetPayoutReport: [
    [partner, days],
    [partner, { ...days, pageSize: 501 }],
    [partner, reversed],
    [page, days],
  ],
  GetPayoutStatement: [
    [partner, { payoutId: newId() }],
    [partner, { payoutId: newId(), merchantNumber: '1' }],
    [page, { payoutId: newId() }],
  ],
  SettleDay: [
    [lever, { date: 'yesterday' }],
    [partner, { date: '2020-01-01' }],
  ],
  BookSandboxEntry: [
    [lever, { tenant: 'nobody', action: 'DEPOSIT', amount: '1', currency: 'EUR' }],
    [lever, { tenant: 'alpha', action: 'GIFT', amount: '1', currency: 'EUR' }],
    [partner, { tenant: 'alpha', action: 'DEPOSIT', amount: '1', currency: 'EUR' }],
  ],
};
