// Which money acts a payment has now, by what the graph says of each of its operations, and how much each may be about at most.
import type { ShownPayment } from './life';

export interface PossibleAct {
  act: 'capture' | 'refund' | 'void';
  /** The operation that it is done to; a void is done to the payment. */
  operationId: string;
  /** Minor units. */
  most: string;
  /** Not all of it need be taken. */
  isPartial: boolean;
}

export function possibleActs(payment: ShownPayment): PossibleAct[] {
  const operations = payment.operations.edges.map(({ node }) => node);
  const found: PossibleAct[] = [];
  for (const act of ['capture', 'refund', 'void'] as const) {
    const operation = operations.find(({ actions }) => actions.includes(act));
    if (!operation) continue;
    const { operationId } = operation;
    found.push({ act, operationId, most: mostOf(act, payment), isPartial: act !== 'void' });
  }
  return found;
}

function mostOf(act: PossibleAct['act'], { authorizedAmount, capturedAmount, refundedAmount }: ShownPayment): string {
  const left =
    act === 'refund'
      ? BigInt(capturedAmount) - BigInt(refundedAmount)
      : BigInt(authorizedAmount) - BigInt(capturedAmount);
  return String(left < 0n ? 0n : left);
}
