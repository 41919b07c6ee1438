// Money moves with memory: the intent is committed before the call, outcome, operations and events in one unit of work after it (payment interface; 2.2-A of the decision register).
import { type Caller, systemCaller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { sha256 } from '../../shared/ids';
import { decideAgain } from '../../shared/store/decide-again';
import { type UnitOfWork } from '../../shared/store/unit-of-work';
import type { AcquirerAnswer } from '../connectors/acquirer';
import { sendCall } from '../connectors/connectors';
import { decideOutcome, type Known, knownOf, noAnswer, type Printed } from '../payment/outcome';
import type { Payment } from '../payment/payment';
import { operationEvents } from '../payment/payment.events';
import {
  busy,
  type Found,
  findQuiet,
  foundIn,
  isQuiet,
  leaveSeen,
  requirePayment,
  seenSince,
} from '../payment/payment-lock.service';
import { type AcquirerCall, type CallStep, decideNextAsk, type PlannedCall } from './acquirer-call';
import { admit, type CallDeps, claim, type Earlier } from './acquirer-intent.service';
import type { Alongside, Beginning, Outcome, Target } from './money';

export interface Performance {
  /** Part of what the idempotency key stands for. */
  name: string;
  target: Target;
  decide(found: Found): PlannedCall;
  alongside?: Alongside;
  /** The payment as the caller has just read it. */
  seen?: Payment;
  beginning?: Beginning;
}

/** Decides, commits the intent, calls, commits the outcome. A request that did so before under its idempotency key gets that outcome. */
export async function perform(
  deps: CallDeps,
  context: RequestContext,
  { name, target, decide, alongside, beginning, seen: given }: Performance,
): Promise<Outcome> {
  const arrivedMs = performance.now();
  const { operationId } = target;
  const acted = operationId === undefined ? { paymentId: target.paymentId } : { operationId };
  const requestKey = requestKeyOf(context, name === 'charge' ? name : JSON.stringify([name, acted]));
  const paymentId = target.paymentId ?? (await operationsPayment(deps, context.caller, target.operationId));
  return deps.runExclusive(paymentId, async (notes) => {
    let seen = seenSince(notes, context.caller, arrivedMs) ?? (given?.activeCallId === null ? given : null);
    const find = async (): Promise<Found | Earlier> => {
      const present = seen;
      seen = null;
      if (present) return foundIn(present, operationId);
      const sinceMs = performance.now();
      const payment = await requirePayment(deps, context.caller, paymentId);
      // The call under way may be this request's own, of a process that died.
      const earlier = requestKey && !isQuiet(payment) ? await deps.calls.findByRequest(requestKey) : null;
      if (earlier) return { earlier };
      const found = isQuiet(payment)
        ? foundIn(payment, operationId)
        : await findQuiet(deps, context.caller, { paymentId, operationId });
      leaveSeen(notes, context.caller, { payment: found.payment, sinceMs });
      return found;
    };
    const claimed = await claim(deps, context, { requestKey, find, decide, beginning });
    if ('earlier' in claimed) return resume(deps, claimed.earlier, alongside);
    const { payment, call } = claimed;
    const answer = await sendCall(deps.connectors, payment, call);
    const sinceMs = performance.now();
    const outcome = await conclude(deps, call, { payment, answer: answer ?? noAnswer, alongside });
    leaveSeen(notes, context.caller, { payment: outcome.payment, sinceMs });
    return outcome;
  });
}

export interface Conclusion {
  /** As it was when the call was read; read anew, with the call, when it moved since. */
  payment?: Payment;
  answer: AcquirerAnswer;
  /** How it was learned; by the call itself when absent. */
  learned?: Pick<CallStep, 'step'> & Partial<Pick<CallStep, 'outcome'>>;
  alongside?: Alongside;
}

/** Records the outcome of a call once, whoever learns of it first; the others get what was recorded. */
export function conclude(deps: CallDeps, call: AcquirerCall, conclusion: Conclusion): Promise<Outcome> {
  const { answer, alongside, learned } = conclusion;
  let unmoved = conclusion.payment;
  return decideAgain(async () => {
    let [payment, current] = [unmoved, call];
    unmoved = undefined;
    if (!payment) {
      payment = await requirePayment(deps, systemCaller(call.environment, 'money'), call.paymentId);
      // In this order: a call that is open now was open when its payment was read, which holds nothing of its outcome then.
      current = await requireCall(deps, call.callId);
      if (current.state !== call.state) return recordedOutcome(deps, current, alongside);
    }
    const at = deps.clock.now();
    const known = knownOf(current, answer);
    const { outcome, unit } = outcomeUnit(deps, { payment, call: current, known: known, at });
    const { askAt } = decideNextAsk(current, at, answer.askAgainAfterMs);
    const outcomeSeen = answer === noAnswer ? 'NO_ANSWER' : known.result;
    const step: CallStep = { at, step: 'CALLED', outcome: outcomeSeen, ...learned };
    const { calls } = deps;
    const ofCall = known.result === 'PENDING' ? calls.openOf(current, askAt, step) : calls.doneOf(current, step);
    await deps.inTransaction(together({ updates: [ofCall] }, unit, await alongside?.(outcome)));
    return outcome;
  });
}

/** The outcome as one unit of work, without the row of the call itself. */
export function outcomeUnit(
  deps: Pick<CallDeps, 'payments' | 'operations' | 'limits'>,
  { payment, call, known, at }: { payment: Payment; call: AcquirerCall; known: Known; at: Date },
): { outcome: Outcome; unit: UnitOfWork } {
  const { next, printed } = decideOutcome(payment, call, { known, at, limits: deps.limits });
  return {
    outcome: { payment: next, operation: printed[0].operation },
    unit: {
      inserts: printed.filter(isNew).map(({ operation }) => deps.operations.insertOf(operation)),
      updates: [
        deps.payments.updateOf(payment, next),
        ...printed.filter((one) => !isNew(one)).map(({ operation }) => deps.operations.resultOf(operation)),
      ],
      events: operationEvents(call.requestId, next, printed),
    },
  };
}

/** Goes on with a call whose request was made before: sent again when nobody knows what became of it, which has no second effect. */
async function resume(deps: CallDeps, call: AcquirerCall, alongside?: Alongside): Promise<Outcome> {
  if (call.state !== 'SENT') return recordedOutcome(deps, call, alongside);
  admit(deps, call.kind);
  const payment = await requirePayment(deps, systemCaller(call.environment, 'money'), call.paymentId);
  const answer = await sendCall(deps.connectors, payment, call);
  return conclude(deps, call, { answer: answer ?? noAnswer, ...(alongside ? { alongside } : {}) });
}

/** What was recorded of a call; the caller's own writes are made by themselves. Refuses with unavailable when the call was given up. */
async function recordedOutcome(deps: CallDeps, call: AcquirerCall, alongside?: Alongside): Promise<Outcome> {
  if (call.state === 'ABANDONED') throw busy();
  const caller = systemCaller(call.environment, 'money');
  return decideAgain(async () => {
    const payment = await requirePayment(deps, caller, call.paymentId);
    const operation = await deps.operations.find(caller, call.operationId);
    if (!operation) throw new Error('a recorded call has no operation');
    const unit = (await alongside?.({ payment, operation })) ?? {};
    if (!isEmpty(unit)) await deps.inTransaction(unit);
    return { payment, operation };
  });
}

async function requireCall({ calls }: CallDeps, callId: string): Promise<AcquirerCall> {
  const call = await calls.find(callId);
  if (!call) throw new Error('a call under way has no row');
  return call;
}

async function operationsPayment({ operations }: CallDeps, caller: Caller, operationId: string): Promise<string> {
  const operation = await operations.find(caller, operationId);
  if (!operation) throw new DomainError('notFound', 'There is no such operation.');
  return operation.paymentId;
}

/** Who asked for what under which key; null without a key. */
function requestKeyOf({ caller, idempotency }: RequestContext, what: string): string | null {
  if (!idempotency) return null;
  const { key, scope, fingerprint } = idempotency;
  return sha256(JSON.stringify([caller.environment, caller.credentialId, scope, key, fingerprint, what]));
}

/** Several units as one. */
export function together(...units: (UnitOfWork | undefined)[]): UnitOfWork {
  return {
    inserts: units.flatMap((unit) => unit?.inserts ?? []),
    updates: units.flatMap((unit) => unit?.updates ?? []),
    events: units.flatMap((unit) => unit?.events ?? []),
  };
}

function isEmpty({ inserts, updates, events }: UnitOfWork): boolean {
  return ![inserts, updates, events].some((writes) => writes && writes.length > 0);
}

function isNew({ change }: Printed): boolean {
  return change === 'recorded';
}
