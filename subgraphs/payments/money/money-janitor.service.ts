// The janitor of money: lost calls, outcomes that were open, authorizations that died, DEFERRED captures and the capture batch (payment interface; 2.2-A of the decision register).
import { systemCaller } from '../../shared/callers/caller';
import { type RequestContext, requestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { newId } from '../../shared/ids';
import { inParallel, inRounds, taken } from '../../shared/store/in-parallel';
import { allSlots, isFirst, type SlotRange } from '../../shared/store/slot';
import { WriteConflict } from '../../shared/store/unit-of-work';
import { noAnswerAnywhere } from '../connectors/acquirer';
import {
  type AcquirerCall,
  acquirerKinds,
  type CallKind,
  type CallStep,
  callResultOf,
  decideNextAsk,
  isSilentForGood,
  methodKinds,
} from '../payment/acquirer-call';
import type { Payment } from '../payment/payment';
import { expiryEvent } from '../payment/payment.events';
import { requirePayment } from '../payment/payment-lock.service';
import { type Conclusion, conclude } from './acquirer-call.service';
import type { CallDeps } from './acquirer-intent.service';
import { decideExpiry } from './expire';
import type { Alongside, Money, Settled } from './money';
import { noAnswer } from './outcome';
import { askCall } from './sent-call';

export interface SettleDeps extends CallDeps {
  environment: 'sandbox' | 'production';
  /** Writes of the rest of the domain when an outcome becomes known without the request that asked for it. */
  settledAlongside?: Alongside;
  capture: Money['capture'];
}

const perRunMax = 1_024;
/** Payments worked on at the same time: while one transaction's worth of them commits, the next is decided. */
const width = 256;
/** For as long captures that are due follow each other without a pause. */
const captureMsMax = 20_000;

/** One round of a lane; what is not done in it is done in the next. */
export async function settleAll(
  deps: SettleDeps,
  stopping?: AbortSignal,
  slots: SlotRange = allSlots,
): Promise<Settled> {
  const settled: Settled = { settled: 0, postponed: 0, raised: 0, expired: 0, captured: 0 };
  const reachable = () => reachableKinds(deps);
  const count = (outcome: 'settled' | 'postponed') => {
    settled[outcome] += 1;
  };
  await inParallel(
    taken(perRunMax, () => deps.payments.takeLost(deps.environment, slots, reachable())),
    width,
    async (payment) => count(await settleLost(deps, underwayOf(payment), payment)),
  );
  await inParallel(
    taken(perRunMax, () => deps.calls.takeLost(slots, reachable())),
    width,
    async (call) => count(await settleLost(deps, call)),
  );
  await inParallel(
    taken(perRunMax, () => deps.calls.takeDue(deps.clock.now(), slots, reachable())),
    width,
    async (call) => count(await settleOpen(deps, call)),
  );
  settled.expired = await expireAuthorizations(deps, slots);
  settled.captured = await captureDue(deps, slots, stopping);
  if (isFirst(slots)) settled.raised = await deps.calls.countRaised();
  return settled;
}

/** Whose circuit is open is not asked what became of its calls; undefined: everybody is. */
function reachableKinds({ connectors }: SettleDeps): ReadonlySet<CallKind> | undefined {
  const { acquirer, alternativeMethods } = connectors;
  if (!acquirer.isOpen() && !alternativeMethods.isOpen()) return undefined;
  return new Set([...(acquirer.isOpen() ? [] : acquirerKinds), ...(alternativeMethods.isOpen() ? [] : methodKinds)]);
}

function underwayOf({ paymentId, underway }: Payment): AcquirerCall {
  if (!underway) throw new Error(`payment ${paymentId} was taken without a call under way`);
  return underway;
}

/** A call whose process is gone: nobody waits for it. What never arrived leaves no trace but frees the payment. */
async function settleLost(deps: SettleDeps, call: AcquirerCall, seen?: Payment): Promise<'settled' | 'postponed'> {
  const payment = seen ?? (await requirePayment(deps, systemCaller(call.environment, 'money'), call.paymentId));
  const answer = await askCall(deps.connectors, payment, call);
  if (answer !== 'neverArrived') {
    const learned = { step: 'ASKED' } as const;
    const conclusion = { payment, answer: answer ?? noAnswer, learned, ...alongsideOf(deps) };
    const { operation } = await conclude(deps, call, conclusion);
    return operation.result === 'PENDING' ? 'postponed' : 'settled';
  }
  const freed: Payment = { ...payment, activeCallId: null, underway: null, version: payment.version + 1 };
  const abandoned = payment.underway ? [] : [deps.calls.abandonedOf(call)];
  return bySomebody(async () => {
    await deps.inTransaction({ updates: [...abandoned, deps.payments.updateOf(payment, freed)] });
    return 'settled' as const;
  }, 'postponed');
}

/** An operation that is PENDING: asked at 1 m, 5 m, 1 h and 1 d, then daily and raised for a person. */
async function settleOpen(deps: SettleDeps, call: AcquirerCall): Promise<'settled' | 'postponed'> {
  const payment = await requirePayment(deps, systemCaller(call.environment, 'money'), call.paymentId);
  const answer = await askCall(deps.connectors, payment, call);
  const now = deps.clock.now();
  const isStillOpen = answer === null || (answer !== 'neverArrived' && answer.result === 'PENDING');
  if (isStillOpen && !isSilentForGood(call, now)) {
    const { askAt, isRaised } = decideNextAsk(call, now, answer?.askAgainAfterMs);
    const asked: CallStep = {
      at: now,
      step: 'ASKED',
      outcome: answer ? callResultOf(call, answer.result) : 'NO_ANSWER',
    };
    const isNewlyRaised = isRaised && call.raisedAt === null;
    const steps: CallStep[] = isNewlyRaised ? [asked, { at: now, step: 'RAISED', outcome: null }] : [asked];
    await deps.calls.postpone(call, { askAt, raisedAt: isNewlyRaised ? now : call.raisedAt }, steps);
    return 'postponed';
  }
  const final = isStillOpen || answer === 'neverArrived' ? noAnswerAnywhere : answer;
  const asked: Conclusion['learned'] =
    answer === 'neverArrived' ? { step: 'ASKED', outcome: 'NEVER_ARRIVED' } : { step: 'ASKED' };
  const learned: Conclusion['learned'] = isStillOpen ? { step: 'GIVEN_UP' } : asked;
  await conclude(deps, call, { payment, answer: final, learned, ...alongsideOf(deps) });
  return 'settled';
}

async function expireAuthorizations(deps: SettleDeps, slots: SlotRange): Promise<number> {
  const { environment } = deps;
  const due = await deps.payments.listExpired({ environment, now: deps.clock.now(), slots, limit: perRunMax });
  let expired = 0;
  await inParallel(due, width, async (payment) => {
    if (await bySomebody(() => expire(deps, payment), false)) expired += 1;
  });
  return expired;
}

async function expire(deps: SettleDeps, payment: Payment): Promise<boolean> {
  const decided = decideExpiry(payment, deps.clock.now());
  if (!decided) return false;
  const { next } = decided;
  const { operationId } = decided.authorization;
  const authorization = await deps.operations.find(systemCaller(payment.environment, 'money'), operationId);
  if (!authorization) return false;
  await deps.inTransaction({
    updates: [deps.payments.updateOf(payment, next)],
    events: [expiryEvent(newId(), next, authorization)],
  });
  return true;
}

async function captureDue(deps: SettleDeps, slots: SlotRange, stopping?: AbortSignal): Promise<number> {
  const { environment } = deps;
  let captured = 0;
  await inRounds({ msMax: captureMsMax, stopping }, async () => {
    const due = await deps.payments.listDueCaptures({ environment, now: deps.clock.now(), slots, limit: perRunMax });
    const context = requestContext(systemCaller(environment, 'money'), newId());
    const count = await captureEach(deps, context, due, 'DEFERRED');
    captured += count;
    return { hasMore: due.length === perRunMax && count > 0 };
  });
  return captured;
}

/** Captures whatever waits for the batch and belongs to the caller. */
export async function captureBatch(deps: SettleDeps, context: RequestContext): Promise<number> {
  let [captured, after] = [0, ''];
  for (;;) {
    const waiting = await deps.payments.listForBatch(context.caller, after, perRunMax);
    captured += await captureEach(deps, context, waiting, 'BATCH');
    const last = waiting.at(-1);
    if (!last) return captured;
    after = last.paymentId;
  }
}

/** A payment that cannot be captured any more has been dealt with by somebody else. */
async function captureEach(
  deps: SettleDeps,
  context: RequestContext,
  payments: readonly Payment[],
  channelDetail: string,
): Promise<number> {
  let captured = 0;
  await inParallel(payments, width, async (payment) => {
    const isCaptured = await bySomebody(async () => {
      const seen = { paymentId: payment.paymentId, seen: payment, isAutomatic: true };
      const { operation } = await deps.capture(context, { ...seen, channelDetail });
      return operation.result === 'EXECUTED';
    }, false);
    if (isCaptured) captured += 1;
  });
  return captured;
}

/** Runs what another worker or a caller may be doing at this moment too: their doing it is as good. */
async function bySomebody<Result>(run: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const isTaken = error instanceof DomainError && error.code !== 'unavailable';
    if (isTaken || error instanceof WriteConflict) return otherwise;
    throw error;
  }
}

function alongsideOf({ settledAlongside }: SettleDeps): { alongside?: Alongside } {
  return settledAlongside ? { alongside: settledAlongside } : {};
}
