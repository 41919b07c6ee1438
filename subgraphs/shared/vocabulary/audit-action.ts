// Every act that the audit knows, `<resource>.<past participle>`, and which of them an event of the log tells.

/** Things that can be looked at unmasked. */
const lookedAt = ['application', 'callback', 'operation', 'order', 'payout', 'proposal'] as const;
export type LookedAt = (typeof lookedAt)[number];

const refusalActions = [
  'credential.refused',
  'login.refused',
  'login.throttled',
  'right.refused',
  'signIn.refused',
] as const;
export type RefusalAction = (typeof refusalActions)[number];

/** Each record of these brings an event of its own. */
export const toldActions = [
  'account.created',
  'account.dataDestroyed',
  'agreement.created',
  'agreement.schemesChanged',
  'agreement.statusChanged',
  'apiKey.issued',
  'apiKey.revoked',
  'apiKey.seeded',
  'callback.redelivered',
  'client.accessTokensRevoked',
  'client.created',
  'client.disabled',
  'client.enabled',
  'client.encryptionKeyRegistered',
  'client.encryptionKeyRetired',
  'client.scopesChanged',
  'client.secretRotated',
  'client.seeded',
  'client.seededAgain',
  'day.settled',
  'decryptionKey.retired',
  'decryptionKey.rolled',
  'list.exported',
  'merchant.changed',
  'merchant.created',
  'merchant.deleted',
  'merchant.enrolled',
  'merchant.statusChanged',
  'onboarding.activationResent',
  'onboarding.approvalRequested',
  'person.disabled',
  'person.enabled',
  'person.rolesChanged',
  'person.signInRefused',
  'person.signedIn',
  'person.signedOut',
  'person.signedOutEverywhere',
  'proposal.confirmed',
  'proposal.made',
  'proposal.rejected',
  'terminal.changed',
  'terminal.created',
  ...lookedAt.map((subject) => `${subject}.shown` as const),
] as const;

/**
 * Of these the log has an event already, written with the record; but for logins of programs, which come with every token, and refusals: neither is a
 * change, and whoever has no credential shall write nothing into the log through which money is told.
 */
export const untoldActions = [
  'accessToken.issued',
  'callbackEndpoint.addressChanged',
  'callbackEndpoint.authorizationChanged',
  'callbackEndpoint.enabled',
  'callbackEndpoint.secretRotated',
  'job.cancelled',
  'job.paused',
  'job.resumed',
  'job.started',
  'ledger.booked',
  'merchant.payoutAccountSet',
  'onboarding.abandoned',
  'payment.authorized',
  'payment.cancelled',
  'payment.captureCancelled',
  'payment.captured',
  'payment.refunded',
  'payment.voided',
  ...refusalActions,
] as const;

export type AuditAction = (typeof toldActions)[number] | (typeof untoldActions)[number];

const told: ReadonlySet<AuditAction> = new Set(toldActions);
const known: ReadonlySet<unknown> = new Set([...toldActions, ...untoldActions]);

export function isAuditAction(word: unknown): word is AuditAction {
  return known.has(word);
}

export function isTold(action: AuditAction): boolean {
  return told.has(action);
}
