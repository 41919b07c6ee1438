// Every type of event that is written to the log, by the kind that shows it: what a filter may name.
import { type Holder, may } from '../../shared/callers/rights';
import type { AggregateType } from '../../shared/store/unit-of-work';

const eventTypesOf = {
  virtualAccount: [
    'virtualAccount.created',
    'virtualAccount.suspended',
    'virtualAccount.resumed',
    'virtualAccount.cardUpdated',
    'virtualAccount.deleted',
  ],
  payment: ['operation.recorded', 'operation.resultChanged', 'payment.expired'],
  application: [
    'onboarding.initiated',
    'onboarding.awaiting_signature',
    'onboarding.signature_failed',
    'onboarding.processing',
    'onboarding.approved',
    'onboarding.abandoned',
  ],
  callback: ['callback.attempted'],
  callbackEndpoint: [
    'callbackEndpoint.created',
    'callbackEndpoint.addressChanged',
    'callbackEndpoint.authorizationChanged',
    'callbackEndpoint.secretRotated',
    'callbackEndpoint.enabled',
    'callbackEndpoint.recovered',
    'callbackEndpoint.degraded',
    'callbackEndpoint.disabled',
    'callbackEndpoint.callbackExhausted',
  ],
  ledger: [
    'ledger.depositBooked',
    'ledger.chargebackBooked',
    'ledger.adjustmentBooked',
    'ledger.payoutAccountSet',
    'ledger.termsAgreed',
  ],
  payout: ['payout.closed'],
  job: ['job.started', 'job.progressed', 'job.paused', 'job.resumed', 'job.cancelled', 'job.finished'],
  audit: ['audit.recorded'],
} as const satisfies Partial<Record<AggregateType, readonly string[]>>;

export const eventTypes: ReadonlySet<string> = new Set(Object.values(eventTypesOf).flat());

/** That something came into the audit is told to those only who may read it: when somebody manages keys is nobody else's to know. */
export function mayHearOf(caller: Holder, { aggregateType }: { aggregateType: AggregateType }): boolean {
  return aggregateType !== 'audit' || may(caller, 'audit:read');
}
