// A callback endpoint: where the callbacks of one kind of one account go, its signing secrets, and its health (2.1 and 2.4-A of the decision register).
import type { Environment } from '../../shared/callers/caller';
import type { Sealed } from '../../shared/crypto/vault';
import type { CallbackKind } from '../kinds/callback-kinds';

export interface SigningSecret {
  secretId: string;
  /** `whsec_` + 32 bytes base64, sealed. */
  sealed: Sealed;
  createdAt: Date;
  /** Set by a rotation: until then both secrets sign. On the one clock. */
  expiresAt: Date | null;
}

export const endpointStates = ['HEALTHY', 'DEGRADED', 'DISABLED'] as const;
export type EndpointState = (typeof endpointStates)[number];

export const disablingReasons = ['gone', 'exhausted'] as const;

/** Kept per full address: another address starts healthy. */
export interface EndpointHealth {
  state: EndpointState;
  /** Events in a row whose schedule was used up. */
  exhaustedInARow: number;
  /** First failed attempt of the row's first event. */
  failingSince: Date | null;
  /** Highest warning given so far, in percent of the way to being disabled. */
  warnedPercent: number;
  reason: (typeof disablingReasons)[number] | null;
  changedAt: Date;
}

export interface CallbackEndpoint {
  endpointId: string;
  environment: Environment;
  accountId: string;
  kind: CallbackKind;
  /** Base address without a slash at its end, null until one is set; of an endpoint with an `addressKey` the whole address. */
  address: string | null;
  /** Tells the addresses of one account and kind apart; null for the account's own endpoint, whose secrets sign for all of them. */
  addressKey: string | null;
  /** Static Authorization value, sealed. */
  authorization: Sealed | null;
  /** Newest first, two at most. */
  secrets: SigningSecret[];
  health: EndpointHealth;
  createdAt: Date;
  version: number;
  /** Sequence of its last event. */
  sequence: number;
}

const secretOverlapMs = 24 * 3_600_000;
const exhaustedInARowMax = 5;
const failingMsMax = 3 * 24 * 3_600_000;
const warningPercents = [50, 70, 90, 100] as const;

export function healthy(now: Date): EndpointHealth {
  return { state: 'HEALTHY', exhaustedInARow: 0, failingSince: null, warnedPercent: 0, reason: null, changedAt: now };
}

export interface HealthDecision {
  health: EndpointHealth;
  /** What happened, in order, as event types with their facts. */
  facts: { type: 'callbackEndpoint.degraded' | 'callbackEndpoint.disabled'; data: Record<string, unknown> }[];
}

/** The health after one more event used up its schedule; `firstFailedAt` is that event's own first failed attempt. */
export function decideHealthAfterExhaustion(health: EndpointHealth, firstFailedAt: Date, now: Date): HealthDecision {
  if (health.state === 'DISABLED') return { health, facts: [] };
  const exhaustedInARow = health.exhaustedInARow + 1;
  const failingSince = health.failingSince ?? firstFailedAt;
  const percent = Math.floor(
    100 * Math.min(1, exhaustedInARow / exhaustedInARowMax, (now.getTime() - failingSince.getTime()) / failingMsMax),
  );
  const warned = warningPercents.filter((step) => step > health.warnedPercent && step <= percent);
  const warnedPercent = Math.max(health.warnedPercent, ...warned);
  const isDisabled = percent >= 100;
  const facts: HealthDecision['facts'] = [];
  if (health.state === 'HEALTHY' || warned.length > 0) {
    facts.push({ type: 'callbackEndpoint.degraded', data: { exhaustedInARow, percent } });
  }
  if (isDisabled) facts.push({ type: 'callbackEndpoint.disabled', data: { reason: 'exhausted', exhaustedInARow } });
  return {
    health: {
      state: isDisabled ? 'DISABLED' : 'DEGRADED',
      exhaustedInARow,
      failingSince,
      warnedPercent,
      reason: isDisabled ? 'exhausted' : null,
      changedAt: now,
    },
    facts,
  };
}

/** The health after a 410: nothing is sent until somebody enables the endpoint. */
export function decideHealthAfterGone(health: EndpointHealth, now: Date): HealthDecision {
  if (health.state === 'DISABLED') return { health, facts: [] };
  return {
    health: { ...health, state: 'DISABLED', reason: 'gone', changedAt: now },
    facts: [{ type: 'callbackEndpoint.disabled', data: { reason: 'gone' } }],
  };
}

/** The secrets that sign now: the newest, and the one before it during the overlap. */
export function signingSecrets(secrets: readonly SigningSecret[], now: Date): SigningSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
}

/** The secrets after a rotation: the new one first, the former until the overlap ends, older ones gone. */
export function rotatedSecrets(secrets: readonly SigningSecret[], fresh: SigningSecret, now: Date): SigningSecret[] {
  const expiresAt = new Date(now.getTime() + secretOverlapMs);
  const former = signingSecrets(secrets, now).slice(0, 1);
  return [fresh, ...former.map((secret) => ({ ...secret, expiresAt: secret.expiresAt ?? expiresAt }))];
}
