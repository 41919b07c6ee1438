// API keys and consumer keys of the payment and administration interfaces: a visible id, a secret kept as a keyed hash, two active per holder so that they can be
// rotated without a gap (decision register 2.2-B and 2.3-A, how keys are issued). Pure.
import type { Environment } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import { line } from '../../shared/field-reader';

/** checkout: X-API-KEY of a terminal; consumer: key and secret of administration; merchant, partner: secret keys of the administration interface. */
export const apiKeyKinds = ['checkout', 'consumer', 'partner', 'merchant'] as const;
export type ApiKeyKind = (typeof apiKeyKinds)[number];

/** A live-test key exists in production, never moves money, and marks every record it makes. */
export const apiKeyModes = ['live', 'live-test'] as const;
export type ApiKeyMode = (typeof apiKeyModes)[number];

export const apiKeyStatuses = ['ACTIVE', 'REVOKED'] as const;

export interface ApiKey {
  /** Visible, and what the key is looked up by: kind, environment, mode and 96 random bits. */
  keyId: string;
  environment: Environment;
  accountId: string;
  kind: ApiKeyKind;
  mode: ApiKeyMode;
  /** What the key speaks for: a terminal, a merchant or the account. */
  holderId: string;
  /** The merchant that its holder belongs to; null for a key of the account. */
  merchantId: string | null;
  label: string;
  /** Keyed hash of the secret half. */
  hash: string;
  status: (typeof apiKeyStatuses)[number];
  /** Which of the holder's two places it takes; a unique index keeps it to two. */
  place: 0 | 1;
  createdAt: Date;
  revokedAt: Date | null;
}

export interface NewApiKey {
  kind: ApiKeyKind;
  mode: ApiKeyMode;
  accountId: string;
  holderId: string;
  merchantId: string | null;
  label: string;
}

const readLabel = line(100);

/** The label in its final form and a free place among the holder's active keys. Refuses a third active key with `invalidData`. */
export function decideApiKey(input: NewApiKey, active: readonly ApiKey[]): { label: string; place: 0 | 1 } {
  const label = readLabel(input.label, 'label');
  const place = ([0, 1] as const).find((candidate) => active.every((key) => key.place !== candidate));
  if (place === undefined) throw new DomainError('invalidData', 'two keys are active; revoke one of them first');
  return { label, place };
}

export interface KeyHalves {
  keyId: string;
  secret: string;
}

/** The two halves of a key as it is sent whole; null when it cannot be one of ours. */
export function splitApiKey(presented: string): KeyHalves | null {
  const [, keyId, secret] = /^([a-z_-]{1,40}_[A-Za-z0-9]{1,40})\.([A-Za-z0-9_-]{43})$/.exec(presented) ?? [];
  return keyId && secret ? { keyId, secret } : null;
}

export function apiKeyIdPrefix(environment: Environment, kind: ApiKeyKind, mode: ApiKeyMode): string {
  return `${kind}_${environment}_${environment === 'sandbox' && mode === 'live' ? 'test' : mode}_`;
}

/** How a release before 0.4 spelled the id of the same key: keys of the sandbox said `live`. Every other id as it is. */
export function formerKeyId(keyId: string): string {
  return keyId.replace('_sandbox_test_', '_sandbox_live_');
}
