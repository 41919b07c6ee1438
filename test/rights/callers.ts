// Every kind of caller there is, with the rights that it is meant to have: written by hand, so that a slip in the tables of the product shows.
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';

const reading = `payments:read merchants:read tokens:read callbacks:read events:read ledger:read onboarding:read clients:read
  keys:read audit:read proposals:read people:read jobs:read`;
const supporting = `${reading} callbacks:write onboarding:write lists:export`;
const operating = `${supporting} payments:authorize payments:capture payments:cancel payments:refund ledger:book ledger:settle
  payout-account:write onboarding:approve merchants:write`;
const everything = `${operating} clients:write keys:write rights:write people:write jwe-keys:write schema:read graph:ad-hoc`;

const client: Caller = {
  kind: 'client',
  credentialId: 'somebody',
  environment: 'sandbox',
  accountId: 'alpha',
  scopes: [],
  identifiers: [],
};

function callerOf(rest: Partial<Caller> & { scopes: Scope[] }): Caller {
  return { ...client, ...rest };
}

function staff(...scopes: Scope[]): Caller {
  return callerOf({ accountId: null, scopes });
}

const ofAlpha = { accountId: 'alpha', merchantId: 'merchant-alpha' };

/** Name, the caller, and its rights. */
export const callers: [string, Caller, string][] = [
  ['nobody', callerOf({ kind: 'anonymous', accountId: '', scopes: [] }), ''],
  [
    'a tokenization client',
    callerOf({ scopes: ['mts:token', 'mts:transaction', 'mts:lifecycle'] }),
    'mts:token mts:transaction mts:lifecycle',
  ],
  [
    'a payments client',
    callerOf({ ...ofAlpha, scopes: ['payments:write', 'payments:read'] }),
    'payment-service:write payment-service:read',
  ],
  ['a payments client that only reads', callerOf({ ...ofAlpha, scopes: ['payments:read'] }), 'payment-service:read'],
  ['a graph client of an account', callerOf({ scopes: ['graph:read'] }), reading],
  ['a graph client of another account', callerOf({ accountId: 'beta', scopes: ['graph:read'] }), reading],
  ['an account with its own callbacks', callerOf({ scopes: ['graph:callbacks:write'] }), 'callbacks:write'],
  ['an account that was once granted graph:admin', callerOf({ scopes: ['graph:admin'] }), `${reading} callbacks:write`],
  ['an account with a role of staff', callerOf({ scopes: ['graph:operator'] }), `${reading} callbacks:write`],
  ['an account with a right of staff', callerOf({ scopes: ['graph:ledger:book'] }), ''],
  ["a terminal's key", callerOf({ kind: 'apiKey', ...ofAlpha, scopes: ['checkout'] }), 'checkout'],
  ['a consumer key', callerOf({ kind: 'apiKey', scopes: ['administration'] }), 'administration'],
  ["a partner's key", callerOf({ kind: 'apiKey', scopes: ['onboarding', 'reporting'] }), 'onboarding reporting'],
  ["a merchant's key", callerOf({ kind: 'apiKey', ...ofAlpha, scopes: ['reporting'] }), 'reporting'],
  ['a page', callerOf({ kind: 'page', accountId: null, scopes: ['pages'] }), 'pages'],
  [
    'the sandbox key',
    callerOf({ kind: 'sandboxKey', accountId: null, scopes: ['sandbox:control'] }),
    'sandbox:control',
  ],
  ['a worker', callerOf({ kind: 'system', accountId: null, scopes: ['system'] }), ''],
  ['a viewer', staff('graph:viewer'), reading],
  ['support', staff('graph:support'), supporting],
  ['an operator', staff('graph:operator'), operating],
  ['an administrator', staff('graph:administrator'), everything],
  ['the viewing machine', staff('graph:read'), reading],
  ['the administering machine', staff('graph:admin'), everything],
  ['a machine that refunds', staff('graph:payments:refund'), 'payments:refund'],
];

export function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
