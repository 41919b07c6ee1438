// Captures, refunds, cancels and voids on behalf of a merchant or of staff: ownership, reason, audit, idempotency around the money core (hosted checkout; 2.2-B of the decision register, Post-operations).
import type { RecordChange } from '../../shared/callers/audit';
import { isStaff } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { reasonChange, reasonOfMoney } from '../../shared/callers/reason';
import { DomainError } from '../../shared/errors';
import type { OnceBegun } from '../../shared/idempotency/once-begun';
import { parseMinor } from '../../shared/money';
import { type InsertWrite, together } from '../../shared/store/unit-of-work';
import type { AuditAction } from '../../shared/vocabulary/audit-action';
import type { Money, Outcome, PostOperation, Reached } from '../money/money';
import type { Operation } from '../operations/operation';
import { mayActOn } from '../operations/operation-query';
import { orderFreeText, part } from './order-fields';

export interface OperationActionDeps {
  money: Pick<Money, 'capture' | 'refund' | 'cancelCapture' | 'voidAuthorization' | 'readOperation' | 'readPayment'>;
  onceBegun: OnceBegun;
  audit: RecordChange;
}

/** As the callers send it; amounts in minor units. */
export interface ActionInput {
  amount?: string | null;
  currency?: string | null;
  description?: string | null;
  /** Required of staff; audited. */
  reason?: string | null;
}

/** What is kept under an idempotency key: facts of the moment, so that a repetition is answered in the same words. */
export interface ActionResult {
  operationId: string;
  paymentId: string;
  operationTime: Date;
}

export type OperationActions = ReturnType<typeof createOperationActions>;

/** How the audit record names each action. */
const words = {
  captureOperation: 'captured',
  refundOperation: 'refunded',
  cancelOperation: 'captureCancelled',
  voidPayment: 'voided',
} as const;
type ActionField = keyof typeof words;

/** Each refuses with `notFound`, `invalidInput`, `scriptContent`, `amountInvalid`, and as the money core does. */
export function createOperationActions({ money, onceBegun, audit }: OperationActionDeps) {
  type Act = (context: RequestContext, told: Omit<PostOperation, 'operationId' | 'paymentId'>) => Promise<Outcome>;

  function act(context: RequestContext, field: ActionField, input: ActionInput, run: Act): Promise<ActionResult> {
    const { amount, currency } = input;
    const description = orderFreeText(part(input, ''), 'description');
    const reason = reasonOfMoney(context, input.reason);
    const amountMinor = amount === null || amount === undefined ? null : parseMinor(amount);
    return onceBegun<ActionResult>(context, field, async (key) => {
      const outcome = await run(context, {
        amountMinor,
        currency: currency ?? null,
        description,
        reason,
        channel: 'BACKOFFICE',
        channelDetail: 'POST_OPERATION',
        claim: key,
        alongside: (outcome) => {
          const action = `payment.${words[field]}` as const;
          return together(
            { inserts: actionRecord(audit, context, { ...outcome, action, reason }) },
            key.complete(resultOf(outcome.operation)),
          );
        },
      });
      return resultOf(outcome.operation);
    });
  }

  /** What the caller may read but not act on is refused like what does not exist. */
  async function requireOwnOperation(context: RequestContext, operationId: string): Promise<Operation> {
    const operation = await money.readOperation(context, operationId);
    if (!operation || !mayActOn(context.caller)(operation)) throw new DomainError('notFound');
    return operation;
  }

  const ofOperation =
    (
      field: ActionField,
      run: (context: RequestContext, input: PostOperation & { operationId: string }) => Promise<Outcome>,
    ) =>
    async (context: RequestContext, operationId: string, input: ActionInput): Promise<ActionResult> => {
      const { paymentId } = await requireOwnOperation(context, operationId);
      return act(context, field, input, (_context, told) => run(context, { ...told, paymentId, operationId }));
    };

  return {
    captureOperation: ofOperation('captureOperation', money.capture),
    refundOperation: ofOperation('refundOperation', money.refund),
    /** Takes back a capture of the same day (+01:00). */
    cancelOperation: ofOperation('cancelOperation', money.cancelCapture),
    /** Gives back a whole authorization before anything was captured. */
    async voidPayment(context: RequestContext, paymentId: string, input: ActionInput): Promise<ActionResult> {
      const payment = await money.readPayment(context, paymentId);
      if (!payment || !mayActOn(context.caller)(payment)) throw new DomainError('notFound');
      return act(context, 'voidPayment', input, (_context, told) =>
        money.voidAuthorization(context, { ...told, paymentId }),
      );
    },
  };
}

function resultOf({ operationId, paymentId, time }: Operation): ActionResult {
  return { operationId, paymentId, operationTime: time };
}

interface StaffActOutcome extends Reached {
  action: AuditAction;
  reason: string | null;
}

/** The audit record, as a write for the transaction of the operation itself; nothing for callers who move their own money. */
export function actionRecord(
  audit: RecordChange,
  context: RequestContext,
  { payment, operation, before, action, reason }: StaffActOutcome,
): InsertWrite[] {
  if (!isStaff(context.caller)) return [];
  return [
    audit(context, {
      action,
      subjectType: 'payment',
      subjectId: payment.paymentId,
      accountId: payment.accountId,
      changes: [
        { field: 'operation', from: null, to: operation.operationId },
        ...(before === null ? [] : [{ field: 'state', from: before, to: payment.state }]),
        ...reasonChange(reason),
      ],
    }),
  ];
}
