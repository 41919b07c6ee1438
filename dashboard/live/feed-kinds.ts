// The kinds of events that the feed is narrowed to, with the types of the log that each has.
export const feedKinds = {
  payments: ['operation.recorded', 'operation.resultChanged', 'payment.expired'],
  tokens: ['created', 'suspended', 'resumed', 'cardUpdated', 'deleted'].map((word) => `virtualAccount.${word}`),
  onboarding: ['initiated', 'awaiting_signature', 'signature_failed', 'processing', 'approved', 'abandoned'].map(
    (word) => `onboarding.${word}`,
  ),
  payouts: ['payout.closed'],
  ledger: ['depositBooked', 'chargebackBooked', 'adjustmentBooked', 'payoutAccountSet'].map((word) => `ledger.${word}`),
  callbacks: ['callback.attempted'],
  endpoints: [
    'created',
    'addressChanged',
    'authorizationChanged',
    'secretRotated',
    'enabled',
    'recovered',
    'degraded',
    'disabled',
    'callbackExhausted',
  ].map((word) => `callbackEndpoint.${word}`),
  jobs: ['started', 'progressed', 'paused', 'resumed', 'cancelled', 'finished'].map((word) => `job.${word}`),
  audit: ['audit.recorded'],
} as const satisfies Record<string, readonly string[]>;

export type ShownFeedKind = keyof typeof feedKinds;

export function typesOf(kind: ShownFeedKind): string[] {
  return [...feedKinds[kind]];
}
