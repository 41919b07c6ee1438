// Writes down how attempts came out: results in bulk under the fencing number; what changes the endpoint's health in one transaction with its event.
import {
  type Attempt,
  type AttemptOutcome,
  callbackDefinitions,
  type DueCallback,
  type HeldEndpoint,
} from '../subgraphs/notifications';
import type { CountedAttempt } from '../subgraphs/reporting';
import { DomainError } from '../subgraphs/shared/errors';
import { WriteConflict } from '../subgraphs/shared/store/unit-of-work';
import type { DrainDeps } from './drain-deps';
import type { EgressReply } from './egress';
import { decideNext, type RetryDecision } from './retry';

export interface Finished {
  callback: DueCallback;
  reply: EgressReply;
  /** Start and end of the attempt, on the one clock. */
  at: Date;
  endedAt: Date;
}

/** How often a result is written again while the database is away, and how long between; the lease's end is the real limit. */
const writeTriesMax = 12;
const writeWaitMs = 500;

interface RecordedResults {
  /** The endpoint takes nothing any more. */
  isOff: boolean;
  /** When retries are due. */
  dueTimes: Date[];
}

export async function recordFinished(
  deps: DrainDeps,
  held: HeldEndpoint,
  finished: readonly Finished[],
): Promise<RecordedResults> {
  const recordedAt = deps.clock.now();
  const decided = finished.map((each) => decide({ ...deps, endpointId: held.endpoint.endpointId }, each, recordedAt));
  const plain = decided.filter(({ decision }) => !concernsHealth(decision)).map(({ outcome }) => outcome);
  const told = plain.filter((outcome) => deps.tellsEveryAttempt || !isOrdinary(outcome));
  const untold = plain.filter((outcome) => !told.includes(outcome));
  const { deliveries } = deps.stores;
  await Promise.all([
    untold.length > 0 && untilWritten(() => deliveries.record(untold, held.fence)),
    told.length > 0 && untilWritten(() => deliveries.recordTold(told, held.fence, recordedAt)),
  ]);
  let isOff = false;
  for (const { outcome, decision, finished: each } of decided.filter(({ decision: made }) => concernsHealth(made))) {
    isOff = (await recordWithHealth(deps, held, { outcome, decision, finished: each })) || isOff;
  }
  for (const each of decided) deps.tally?.add(countedOf(each));
  const hasSuccess = decided.some(({ decision }) => decision.status === 'DELIVERED');
  const { endpointId, health } = held.endpoint;
  if (hasSuccess && health.state === 'DEGRADED') {
    held.endpoint.health = (await untilWritten(() => deps.stores.health.succeeded(endpointId))) ?? health;
  }
  const dueTimes = decided.flatMap(({ decision }) => (decision.status === 'PENDING' ? [decision.dueAt] : []));
  return { isOff, dueTimes };
}

interface DecidedAttempt {
  finished: Finished;
  decision: RetryDecision;
  outcome: AttemptOutcome;
}

function decide(
  { log, metrics, endpointId, chance = Math.random }: DrainDeps & { endpointId: string },
  finished: Finished,
  recordedAt: Date,
): DecidedAttempt {
  const { callback, reply, at, endedAt } = finished;
  const tries = callback.tries + 1;
  const decision = decideNext({
    policy: callbackDefinitions[callback.kind].policy,
    hasOwnAddress: Boolean(callback.address),
    report: reply,
    tries,
    now: endedAt,
    realNow: new Date(),
    // Half of the jitter is left to the worker's own lateness: what a receiver sees stays inside the published tenth.
    chance: chance() / 2,
  });
  metrics?.callbackAttempts.inc({ kind: callback.kind, outcome: reply.result });
  const attempt: Attempt = {
    number: callback.attemptsMade + 1,
    at: decision.status === 'DELIVERED' ? toCentisecond(at) : at,
    result: reply.result,
    status: reply.status,
    durationMs: decision.status === 'DELIVERED' ? roughly(reply.durationMs) : reply.durationMs,
    excerpt: reply.excerpt,
    nextAt: decision.status === 'PENDING' ? decision.dueAt : null,
    isManual: callback.redelivery !== null,
  };
  const isOpen = decision.status === 'PENDING';
  const closedAt = decision.status === 'DELIVERED' ? toCentisecond(new Date(recordedAt.getTime() + 9)) : recordedAt;
  const outcome: AttemptOutcome = {
    callbackId: callback._id,
    endpointId,
    attempt,
    redelivery: callback.redelivery,
    status: decision.status,
    reason: decision.status === 'ENDED' ? decision.reason : decision.status === 'REJECTED' ? 'rejected' : null,
    tries,
    ordered: callback.ordered && isOpen && tries < 2,
    dueAt: isOpen ? decision.dueAt : closedAt,
    endedAt: isOpen ? null : closedAt,
  };
  if (decision.status !== 'DELIVERED') {
    log.info(
      {
        requestId: callback.requestId,
        endpointId,
        deliveryId: callback._id,
        eventId: callback.eventId,
        attempt: attempt.number,
        outcome: reply.result,
        status: reply.status,
        waitMs: decision.status === 'PENDING' ? decision.dueAt.getTime() - endedAt.getTime() : undefined,
      },
      isOpen ? 'a callback was not delivered and will be tried again' : 'a callback was not delivered',
    );
  }
  return { finished, decision, outcome };
}

/** Successes are kept to the hundredth of a second (begun by then, closed at the next), their duration to its first digit: those that are alike are written as one. */
function toCentisecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 10) * 10);
}

function roughly(durationMs: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, durationMs))));
  return Math.ceil(durationMs / step) * step;
}

function countedOf({ finished: { callback, reply, at }, decision }: DecidedAttempt): CountedAttempt {
  const { accountId, merchantId } = callback;
  const answeredInMs = reply.status === null ? null : reply.durationMs;
  return { accountId, merchantId, at, isDelivered: decision.status === 'DELIVERED', answeredInMs };
}

/** Nothing that anybody has to hear of: it went out as it should, at once. */
function isOrdinary({ attempt, status }: AttemptOutcome): boolean {
  return attempt.number === 1 && status === 'DELIVERED' && !attempt.isManual;
}

function concernsHealth(decision: RetryDecision): boolean {
  return decision.status === 'EXHAUSTED' || (decision.status === 'ENDED' && decision.disablesEndpoint);
}

/** Returns whether the endpoint is off now. A result whose fencing number is no longer the present one is dropped. */
async function recordWithHealth(
  { stores, clock, log }: DrainDeps,
  { endpoint, fence }: HeldEndpoint,
  { outcome, decision, finished }: DecidedAttempt,
): Promise<boolean> {
  const { callback, at } = finished;
  const now = clock.now();
  const { firstAttemptAt, writes } = await untilWritten(() => stores.deliveries.toldWrites(outcome, fence, now));
  const ended = {
    callbackId: callback._id,
    eventId: callback.eventId,
    attempts: outcome.attempt.number,
    firstFailedAt: firstAttemptAt ?? at,
    record: writes,
  };
  const tell = decision.status === 'EXHAUSTED' ? stores.health.exhausted : stores.health.gone;
  try {
    const health = await untilWritten(() => tell(endpoint.endpointId, ended));
    log.warn(
      { endpointId: endpoint.endpointId, eventId: callback.eventId, outcome: outcome.status },
      'a callback ended without success',
    );
    if (health) endpoint.health = health;
    return health?.state === 'DISABLED';
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    await untilWritten(() => stores.deliveries.recordTold([outcome], fence, now));
    log.warn(
      { endpointId: endpoint.endpointId, deliveryId: callback._id },
      'the outcome of a stale attempt was dropped',
    );
    return false;
  }
}

/** Writes again while the database cannot serve: a result that is known should not be lost to a short absence. */
async function untilWritten<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      const isAway = error instanceof DomainError ? error.code === 'unavailable' : !(error instanceof WriteConflict);
      if (!isAway || attempt >= writeTriesMax) throw error;
      await new Promise((resolve) => setTimeout(resolve, writeWaitMs));
    }
  }
}
