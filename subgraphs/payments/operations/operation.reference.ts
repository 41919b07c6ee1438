// Operations and payments by their keys, for this subgraph and for others: one query per request, foreign ones look absent.
import type DataLoader from 'dataloader';
import type { RequestContext } from '../../shared/callers/context';
import { shownMembersOf } from '../../shared/graph/shown-members';
import type { ResolveReference } from '../../shared/graph/subgraph';
import { requestLoader } from '../../shared/store/loaders';
import type { Payment } from '../payment/payment';
import { type PaymentPart, paymentShownBy } from '../payment/payment-parts';
import type { PaymentQueryRepository } from '../payment/payment-query.repository';
import type { Operation } from './operation';
import { type OperationPart, operationShownBy } from './operation-parts';
import { isOwn } from './operation-query';
import type { OperationQueryRepository } from './operation-query.repository';

export interface PaymentReads {
  operations: OperationQueryRepository;
  payments: PaymentQueryRepository;
}

export function operationLoader(
  context: RequestContext,
  { operations }: PaymentReads,
): DataLoader<string, Operation | null> {
  return requestLoader(
    context,
    'Operation',
    async (ids) => (await operations.findMany(context.caller, ids)).filter(isOwn(context.caller)),
    ({ operationId }) => operationId,
  );
}

export function paymentLoader(context: RequestContext, { payments }: PaymentReads): DataLoader<string, Payment | null> {
  return requestLoader(
    context,
    'Payment',
    async (ids) => (await payments.findMany(context.caller, ids)).filter(isOwn(context.caller)),
    ({ paymentId }) => paymentId,
  );
}

/** Another subgraph mostly wants a few fields of many: no more is read than they show. A loader for each set of members keeps a part from whoever wants more. */
export function operationReference(reads: PaymentReads): ResolveReference {
  const shownIn = shownMembersOf('Operation', operationShownBy);
  return ({ operationId }, context, info) => {
    const id = String(operationId);
    const shown = shownIn(info);
    if (!shown) return operationLoader(context, reads).load(id);
    return requestLoader<OperationPart>(
      context,
      `Operation ${shown.key}`,
      async (ids) =>
        (await reads.operations.findParts(context.caller, ids, shown.members)).filter(isOwn(context.caller)),
      (part) => part.operationId,
    ).load(id);
  };
}

export function paymentReference(reads: PaymentReads): ResolveReference {
  const shownIn = shownMembersOf('Payment', paymentShownBy);
  return ({ paymentId }, context, info) => {
    const id = String(paymentId);
    const shown = shownIn(info);
    if (!shown) return paymentLoader(context, reads).load(id);
    return requestLoader<PaymentPart>(
      context,
      `Payment ${shown.key}`,
      async (ids) => (await reads.payments.findParts(context.caller, ids, shown.members)).filter(isOwn(context.caller)),
      (part) => part.paymentId,
    ).load(id);
  };
}

/** Merchants belong to another subgraph: here they only carry their payments and operations. */
export const operationMerchantReference: ResolveReference = ({ merchantId }) => ({ merchantId });
