// A callback: one event on its way to one endpoint, with a record of every attempt (2.4-A of the decision register).
import type { Environment } from '../../shared/callers/caller';
import type { Sealed } from '../../shared/crypto/vault';
import type { CallbackKind } from '../kinds/callback-kinds';

/**
 * PENDING: due at `dueAt`. SENDING: an attempt is claimed and on its way. DELIVERED: a 2xx came.
 * EXHAUSTED: the schedule is used up (dead letter). REJECTED: the receiver says that it cannot process it.
 * ENDED: given up for the reason named.
 */
export const callbackStatuses = ['PENDING', 'SENDING', 'DELIVERED', 'EXHAUSTED', 'REJECTED', 'ENDED'] as const;
export type CallbackStatus = (typeof callbackStatuses)[number];

/** Why a callback ended without success. */
export const endReasons = [
  'blockedTarget',
  'endpointDisabled',
  'endpointGone',
  'noAddress',
  'rejected',
  'notBuildable',
] as const;
export type EndReason = (typeof endReasons)[number];

/**
 * How one attempt came out; `interrupted`: the process that made it died, and what the receiver saw is not known;
 * `notOpened`: nothing was sent, because the security token or Authorization value could not be opened at that moment.
 */
export const attemptResults = [
  'delivered',
  'httpError',
  'redirect',
  'timeout',
  'connectTimeout',
  'connectFailed',
  'nameNotResolved',
  'tlsFailed',
  'connectionLost',
  'invalidReply',
  'blockedTarget',
  'interrupted',
  'notOpened',
] as const;
export type AttemptResult = (typeof attemptResults)[number];
/** As the graph shows attempts: one that has no result yet is on its way. */
export const attemptStates = [...attemptResults, 'inFlight'] as const;
export type AttemptState = (typeof attemptStates)[number];

export interface Attempt {
  number: number;
  /** On the one clock. */
  at: Date;
  result: AttemptResult;
  /** HTTP status, when one came. */
  status: number | null;
  durationMs: number | null;
  /** A short, escaped part of a failed reply. */
  excerpt: string | null;
  /** When the next attempt is planned, on the one clock. */
  nextAt: Date | null;
  isManual: boolean;
}

export interface Callback {
  callbackId: string;
  environment: Environment;
  accountId: string;
  merchantId: string | null;
  kind: CallbackKind;
  endpointId: string;
  eventId: string;
  /** The request that caused the event. */
  requestId: string;
  /** One attempt in flight per ordering key and endpoint: the aggregate's id. */
  orderingKey: string;
  /** Place among all callbacks by about when they were made; among those of one lane of the log it is that of their events. */
  position: number;
  /** The whole address that came with the event, where that of the endpoint has placeholders; null: that of the endpoint, and `path`. */
  address: string | null;
  /** Appended to the endpoint's address; frozen with the body. */
  path: string;
  headers: Record<string, string>;
  /** The very bytes of every attempt, with `securityTokenMark` in place of a security token. */
  body: string;
  /** Opened only while an attempt is made; null where the body carries none. */
  securityToken: Sealed | null;
  /** Value of the Authorization header that came with the event, opened only while an attempt is made; null where none came. */
  authorization: Sealed | null;
  status: CallbackStatus;
  reason: EndReason | null;
  /** True while something is still to be done: PENDING or SENDING. */
  open: boolean;
  /** True until the first retry was made: later ones of the same key wait (and overtake afterwards). */
  ordered: boolean;
  /** Attempts that count against the schedule. */
  tries: number;
  /** Fencing number of the endpoint lease under which the last attempt was recorded. */
  fence: number;
  dueAt: Date;
  /** When the attempt under way was claimed. */
  sendingAt: Date | null;
  attempts: Attempt[];
  /** Nonce of the manual redelivery that the next attempt belongs to. */
  redelivery: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

/** As it is made and kept; what is on its way stands at the lease of its endpoint. */
export type KeptCallback = Omit<Callback, 'sendingAt'>;
