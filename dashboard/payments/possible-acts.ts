// Which money acts a payment has now, by what the graph says of each of its operations, and how much each may be about at most; of a row of the list by what it shows.
import type { JobAct } from '../graph/contract';
import type { ShownPayment } from './life';
import type { PaymentRowFragment } from './queries';

export interface PossibleAct {
  act: 'capture' | 'refund' | 'void';
  /** The operation that it is done to; a void is done to the payment. */
  operationId: string;
  /** Minor units. */
  most: string;
  /** Not all of it need be taken. */
  isPartial: boolean;
  /** Why this caller may not do it now, as the graph's code; null: nothing stands in its way, or a new sign-in alone does. */
  why: string | null;
}

type Amounts = Pick<PaymentRowFragment, 'authorizedAmount' | 'capturedAmount' | 'refundedAmount'>;

export function possibleActs(payment: ShownPayment): PossibleAct[] {
  const operations = payment.operations.edges.map(({ node }) => node);
  const found: PossibleAct[] = [];
  for (const act of ['capture', 'refund', 'void'] as const) {
    const operation = operations.find(({ actions }) => actions.includes(act));
    if (!operation) continue;
    const { operationId, possibleActions } = operation;
    const judged = possibleActions.find(({ action }) => action.toLowerCase() === act);
    const code = judged?.reason?.code ?? null;
    const why = code === 'freshSignInNeeded' ? null : code;
    const most = mostOf(act, payment);
    // The graph takes a refund of what was not captured for a void, which is offered by its own name.
    if (most !== '0') found.push({ act, operationId, most, isPartial: act !== 'void', why });
  }
  return found;
}

function mostOf(act: PossibleAct['act'], { authorizedAmount, capturedAmount, refundedAmount }: Amounts): string {
  const left =
    act === 'refund'
      ? BigInt(capturedAmount) - BigInt(refundedAmount)
      : BigInt(authorizedAmount) - BigInt(capturedAmount);
  return String(left < 0n ? 0n : left);
}

/** Whether a job would find something to move; what else stands in its way the dry run tells. */
export function rowCan(act: JobAct, payment: Amounts & Pick<PaymentRowFragment, 'state'>): boolean {
  const { state } = payment;
  if (act === 'REFUND_PAYMENT') return mostOf('refund', payment) !== '0';
  if (act === 'CAPTURE_PAYMENT')
    return (state === 'Authorized' || state === 'PartiallyCaptured') && mostOf('capture', payment) !== '0';
  return state === 'Authorized' && mostOf('void', payment) !== '0';
}
