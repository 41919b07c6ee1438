// What a row of each act asks of the graph: how it is looked up and judged, how it is done, and what the answer means. Persisted operations of schema/operations/jobs; nothing of other domains is imported. Pure.
import type { JobAct } from './job';
import { failure, type JobRow, nothingKnown, type RowEnding, unknown } from './job-row';

/** What stands before the act: the thing that it is done to, and how much it moves. */
export interface Ready {
  target: string;
  amount: string | null;
  currency: string | null;
}

interface StepRequest {
  operation: string;
  variables: Record<string, unknown>;
}

interface ActStep {
  look(row: JobRow): StepRequest;
  /** May it be done now, and to what; else how the row ends. */
  judge(found: FoundSubject, row: JobRow): Ready | RowEnding;
  act(row: JobRow & { target: string }, reason: string): StepRequest;
  ended(answer: FoundSubject): RowEnding;
}

interface JudgedAct {
  action: string;
  allowed: boolean;
  reason: { code: string; message: string } | null;
}

/** An answer's data, as far as the documents below ask for it. */
interface FoundSubject {
  found?: {
    actions?: JudgedAct[];
    currency?: string;
    authorizedAmount?: string;
    capturedAmount?: string;
    refundedAmount?: string;
    status?: string;
    operations?: { edges: { node: TargetOperation }[] };
  } | null;
  done?: {
    operationId?: string;
    operation?: { operationResult: string; operationAmount: string; operationCurrency: string } | null;
  };
}

interface TargetOperation {
  operationId: string;
  operationType: string;
  /** The fee of a page is told in it. */
  additionalData?: Record<string, unknown>;
  possibleActions: JudgedAct[];
}

const absent = failure('notFound', 'The resource is absent, or belongs to somebody else: the two look alike.');
const succeeded: RowEnding = { ...nothingKnown, outcome: 'SUCCEEDED' };

export function isReady(judged: Ready | RowEnding): judged is Ready {
  return 'target' in judged;
}

/** The judgement of the mutation itself, asked ahead of it. */
function judgedBy(action: string, { found }: FoundSubject, row: JobRow): Ready | RowEnding {
  if (!found) return absent;
  const judged = found.actions?.find((each) => each.action === action);
  if (judged?.allowed) return { target: row.key, amount: null, currency: null };
  return failure(judged?.reason?.code ?? 'invalidState', judged?.reason?.message ?? 'It cannot be done now.');
}

function simple(action: string, lookUp: string, doing: string): ActStep {
  return {
    look: ({ key }) => ({ operation: lookUp, variables: { id: key } }),
    judge: (found, row) => judgedBy(action, found, row),
    act: ({ target }, reason) => ({ operation: doing, variables: { id: target, reason } }),
    ended: () => succeeded,
  };
}

type MoneyAct = 'CAPTURE' | 'REFUND' | 'VOID';

function ofMoney(action: MoneyAct, doing: string): ActStep {
  return {
    look: ({ key }) => ({ operation: 'LookAtPaymentOfJob', variables: { id: key } }),
    judge(found, row) {
      const judged = judgedBy(action, found, row);
      if (!isReady(judged) || !found.found) return judged;
      const left = leftOf(action, found.found);
      const operation = operationFor(action, found.found.operations?.edges ?? []);
      const target = action === 'VOID' ? row.key : operation?.operationId;
      if (!target) return failure('invalidState', 'The payment has no operation that this can be done to.');
      const fee = action === 'CAPTURE' && BigInt(found.found.capturedAmount ?? 0) === 0n ? feeOf(operation) : 0n;
      const amount = row.asked === null ? left : BigInt(row.asked) + fee;
      if (amount > left)
        return failure(
          action === 'REFUND' ? 'amountAboveCaptured' : 'amountAboveAuthorized',
          `Of the payment ${left - fee} is left.`,
        );
      return { target, amount: amount.toString(), currency: found.found.currency ?? null };
    },
    act: ({ target, asked }, reason) => ({ operation: doing, variables: { id: target, amount: asked, reason } }),
    ended: ({ done }) => endingOf(done),
  };
}

function leftOf(action: MoneyAct, found: NonNullable<FoundSubject['found']>): bigint {
  const [authorized, captured, refunded] = [found.authorizedAmount, found.capturedAmount, found.refundedAmount];
  const left =
    action === 'REFUND'
      ? BigInt(captured ?? 0) - BigInt(refunded ?? 0)
      : BigInt(authorized ?? 0) - BigInt(captured ?? 0);
  return left < 0n ? 0n : left;
}

/** The authorization where it will do: it stands for the whole payment, and a capture for itself alone. */
function operationFor(action: MoneyAct, edges: readonly { node: TargetOperation }[]) {
  const open = edges
    .map(({ node }) => node)
    .filter(({ possibleActions }) => possibleActions.some((each) => each.action === action && each.allowed));
  return open.find(({ operationType }) => operationType !== 'CAPTURE') ?? open[0] ?? null;
}

/** Of the page, on top of the amount that is named: the first capture takes it along. */
function feeOf(authorization: TargetOperation | null): bigint {
  const fee = authorization?.additionalData?.['fee'];
  return typeof fee === 'string' && /^\d+$/.test(fee) ? BigInt(fee) : 0n;
}

const moved: ReadonlySet<string> = new Set(['EXECUTED', 'REFUNDED', 'VOIDED']);

function endingOf(done: FoundSubject['done']): RowEnding {
  const { operationId = null, operation } = done ?? {};
  const known = {
    ...nothingKnown,
    operationId,
    amount: operation?.operationAmount ?? null,
    currency: operation?.operationCurrency ?? null,
  };
  const result = operation?.operationResult ?? '';
  if (moved.has(result)) return { ...known, outcome: 'SUCCEEDED' };
  if (result === 'PENDING')
    return { ...known, ...said('outcomeUnknown', 'The acquirer has not answered; the operation tells it later.') };
  return { ...known, outcome: 'FAILED', code: 'declined', message: `The acquirer answered ${result}.` };
}

function said(code: string, message: string): Pick<RowEnding, 'outcome' | 'code' | 'message'> {
  const { outcome } = unknown(code, message);
  return { outcome, code, message };
}

export const jobSteps: Readonly<Record<JobAct, ActStep>> = {
  REDELIVER_CALLBACK: simple('REDELIVER', 'LookAtCallbackOfJob', 'RedeliverInJob'),
  CAPTURE_PAYMENT: ofMoney('CAPTURE', 'CaptureInJob'),
  REFUND_PAYMENT: ofMoney('REFUND', 'RefundInJob'),
  VOID_PAYMENT: ofMoney('VOID', 'VoidInJob'),
  ABANDON_APPLICATION: simple('ABANDON', 'LookAtApplicationOfJob', 'AbandonInJob'),
  RESEND_ACTIVATION: simple('RESEND', 'LookAtApplicationOfJob', 'ResendInJob'),
  DEACTIVATE_MERCHANT: {
    ...simple('', 'LookAtMerchantOfJob', 'DeactivateInJob'),
    judge({ found }, { key }) {
      if (!found) return absent;
      if (found.status === 'INACTIVE') return failure('merchantInactive', 'The merchant is inactive already.');
      return { target: key, amount: null, currency: null };
    },
  },
};
