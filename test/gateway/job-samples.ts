// Variables for each persisted operation of jobs that may be run twice with one answer: what is there and what is not, as staff that may, a reader and another tenant.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { newId } from '../../subgraphs/shared/ids';
import type { Rows, Samples } from './payment-samples';

const administrator: Caller = {
  kind: 'client',
  credentialId: 'administrator',
  environment: 'sandbox',
  accountId: null,
  scopes: ['graph:read', 'graph:administrator'],
  identifiers: [],
};
const viewer: Caller = { ...administrator, credentialId: 'viewer', scopes: ['graph:read'] };
const foreign: Caller = { ...viewer, credentialId: 'beta', accountId: 'beta' };

const id = newId();
const asked = (callers: readonly Caller[], variables: Record<string, unknown>): Rows =>
  callers.map((caller) => [caller, variables]);
const absent = (more: Record<string, unknown> = {}): Rows => [
  ...asked([administrator, viewer, foreign], { id, ...more }),
  [administrator, {}],
];

export const jobSamples: Samples = {
  AbandonInJob: absent({ reason: 'not wanted' }),
  CallbacksOfJob: [
    [administrator, { filter: {} }],
    [administrator, { filter: {}, after: 'nonsense' }],
    [foreign, { filter: {} }],
    [administrator, {}],
  ],
  CaptureInJob: absent({ reason: 'shipped', amount: '1' }),
  DeactivateInJob: absent({ reason: 'closed' }),
  LookAtApplicationOfJob: absent(),
  LookAtCallbackOfJob: absent(),
  LookAtMerchantOfJob: [...absent(), ...asked([administrator, foreign], { id: 'merchant-alpha-1' })],
  LookAtPaymentOfJob: absent(),
  RedeliverInJob: absent({ reason: 'the shop was down' }),
  RefundInJob: absent({ reason: 'sent back', amount: null }),
  ResendInJob: absent({ reason: 'not received' }),
  VoidInJob: absent({ reason: 'not shipped' }),
};
