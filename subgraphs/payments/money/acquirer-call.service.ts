// Money moves with memory: the intent is committed before the call, outcome, operations and events in one unit of work after it (payment interface; 2.2-A of the decision register).
import { type Caller, systemCaller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import type { KeyClaim } from '../../shared/idempotency/once-begun';
import { sha256 } from '../../shared/ids';
import { withoutAbsent } from '../../shared/present-members';
import { decideAgain } from '../../shared/store/decide-again';
import { together, type UnitOfWork } from '../../shared/store/unit-of-work';
import type { AcquirerAnswer } from '../connectors/acquirer';
import type { Printed } from '../operations/operation';
import {
  type AcquirerCall,
  type CallStep,
  type CallStepName,
  decideNextAsk,
  type PlannedCall,
} from '../payment/acquirer-call';
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
import { admit, begin, type CallDeps, type Earlier, findEarlier, type Recorded } from './acquirer-intent.service';
import type { Alongside, Beginning, Outcome, Reached, Target } from './money';
import { decideOutcome, type Known, knownOf, noAnswer } from './outcome';
import { sendCall } from './sent-call';

export interface Performance {
  /** Part of what the idempotency key stands for. */
  name: string;
  target: Target;
  decide(found: Found): PlannedCall;
  alongside?: Alongside;
  /** The payment as the caller has just read it. */
  seen?: Payment;
  beginning?: Beginning;
  claim?: KeyClaim;
}

/** Decides, commits the intent, calls, commits the outcome. A request that did so before under its idempotency key gets that outcome. */
export async function perform(
  deps: CallDeps,
  context: RequestContext,
  { name, target, decide, alongside, beginning, claim, seen: given }: Performance,
): Promise<Outcome> {
  const arrivedMs = performance.now();
  const { operationId } = target;
  const acted = operationId === undefined ? { paymentId: target.paymentId } : { operationId };
  const keys = requestKeysOf(context, name === 'charge' ? name : JSON.stringify([name, acted]), claim);
  const requestKey = keys?.present ?? null;
  const paymentId = target.paymentId ?? (await operationsPayment(deps, context.caller, target.operationId));
  return deps.runExclusive(paymentId, async (notes) => {
    let seen = seenSince(notes, context.caller, arrivedMs) ?? (given?.activeCallId === null ? given : null);
    const find = async (): Promise<Found | Earlier> => {
      let [present, sinceMs] = [seen, performance.now()];
      seen = null;
      for (;;) {
        const payment: Payment = present ?? (await requirePayment(deps, context.caller, paymentId));
        // A call under way may be this request's own, of a process that died; so may an outcome.
        const mayHaveBegun = keys !== null && (claim?.isTakenOver !== false || (await deps.calls.knowsRequests()));
        const earlier = mayHaveBegun ? await findEarlier(deps, payment, Object.values(keys)) : null;
        if (earlier) return earlier;
        if (isQuiet(payment)) {
          if (!present) leaveSeen(notes, context.caller, { payment, sinceMs });
          return foundIn(payment, operationId);
        }
        await claim?.look();
        sinceMs = performance.now();
        present = await findQuiet(deps, context.caller, paymentId);
      }
    };
    const begun = await begin(deps, context, { requestKey, find, decide, beginning, claim });
    if ('earlier' in begun) return resume(deps, begun, alongside);
    const { payment, call } = begun;
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
      if (!isAwaited(payment, call)) return recordedOutcome(deps, call, alongside);
      // Its steps may have become more since.
      if (call.state === 'OPEN') current = await requireCall(deps, call.callId);
    }
    const at = deps.clock.now();
    const known = knownOf(current, answer);
    const outcomeSeen = answer === noAnswer ? 'NO_ANSWER' : known.result;
    const step: CallStep = { at, step: 'CALLED', outcome: outcomeSeen, ...learned };
    const { outcome, unit } = outcomeUnit(deps, { payment, call: current, known, at, step: step.step });
    const askAt = known.result === 'PENDING' ? decideNextAsk(current, at, answer.askAgainAfterMs).askAt : null;
    const ofCall = recordWrites(deps, { payment, call: current, step, askAt });
    await deps.inTransaction(together(ofCall, unit, await alongside?.(outcome)));
    return outcome;
  });
}

/** Whether an outcome of the call, in the state in which it was read, is still to be recorded: each outcome leaves its operation in the payment. */
function isAwaited({ activeCallId, entries }: Payment, { callId, operationId, state }: AcquirerCall): boolean {
  const isRecorded = entries.some((entry) => entry.operationId === operationId);
  return activeCallId === callId && isRecorded === (state === 'OPEN');
}

/** Of a call that was under way in its payment nothing more is written, unless it stays open (`askAt`) or its request was left without an answer. */
function recordWrites(
  { calls }: CallDeps,
  { payment, call, step, askAt }: { payment: Payment; call: AcquirerCall; step: CallStep; askAt: Date | null },
): UnitOfWork {
  if (payment.underway?.callId === call.callId) {
    if (askAt) return { inserts: [calls.insertOpenOf(call, askAt, step)] };
    const wasLeft = step.step !== 'CALLED' && call.requestKey !== null;
    return wasLeft ? { inserts: [calls.insertDoneOf(call, step)] } : {};
  }
  return { updates: [askAt ? calls.openOf(call, askAt, step) : calls.doneOf(call, step)] };
}

/** The outcome as one unit of work, without the row of the call itself. */
export function outcomeUnit(
  deps: Pick<CallDeps, 'payments' | 'operations' | 'limits'>,
  {
    payment,
    call,
    known,
    at,
    step = 'CALLED',
  }: { payment: Payment; call: AcquirerCall; known: Known; at: Date; step?: CallStepName },
): { outcome: Reached; unit: UnitOfWork } {
  const { next, printed } = decideOutcome(payment, call, { known, at, limits: deps.limits, step });
  return {
    outcome: { payment: next, operation: printed[0].operation, before: payment.state },
    unit: {
      inserts: printed.filter(isNew).map(({ operation }) => deps.operations.insertOf(operation)),
      updates: [
        deps.payments.updateOf(payment, next, call.plan.instrument?.card),
        ...printed.filter((one) => !isNew(one)).map(({ operation }) => deps.operations.resultOf(operation)),
      ],
      events: operationEvents(call.requestId, next, printed),
    },
  };
}

/** Goes on with a call whose request was made before: sent again when nobody knows what became of it, which has no second effect. */
async function resume(deps: CallDeps, { earlier, sent }: Earlier, alongside?: Alongside): Promise<Outcome> {
  if (!sent) return recordedOutcome(deps, earlier, alongside);
  admit(deps, sent.kind);
  const payment = await requirePayment(deps, systemCaller(sent.environment, 'money'), sent.paymentId);
  const answer = await sendCall(deps.connectors, payment, sent);
  return conclude(deps, sent, { answer: answer ?? noAnswer, ...withoutAbsent({ alongside }) });
}

/** What was recorded of a call; the caller's own writes are made by themselves. Refuses with unavailable when the call was given up. */
async function recordedOutcome(
  deps: CallDeps,
  { environment, paymentId, operationId }: Recorded,
  alongside?: Alongside,
): Promise<Outcome> {
  const caller = systemCaller(environment, 'money');
  return decideAgain(async () => {
    const payment = await requirePayment(deps, caller, paymentId);
    const operation = await deps.operations.find(caller, operationId);
    if (!operation) throw busy();
    const unit = (await alongside?.({ payment, operation, before: null })) ?? {};
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

/** Who asked for what under which key, and when the key was first used: after its day it stands for another request. Null without a key. */
function requestKeysOf(
  { caller, idempotency }: RequestContext,
  what: string,
  claim?: KeyClaim,
): { present: string; former: string } | null {
  if (!idempotency) return null;
  const { key, scope, fingerprint } = idempotency;
  const said = [caller.environment, caller.credentialId, scope, key, fingerprint, what];
  const former = sha256(JSON.stringify(said));
  return { present: sha256(JSON.stringify([...said, claim?.begunAt?.getTime() ?? null])), former };
}

function isEmpty(unit: UnitOfWork): boolean {
  return Object.values(together(unit)).every((writes) => writes.length === 0);
}

function isNew({ change }: Printed): boolean {
  return change === 'recorded';
}
