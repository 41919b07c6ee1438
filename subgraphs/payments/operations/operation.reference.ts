// Operations and payments by their keys, for this subgraph and for others: one query per request, foreign ones look absent.
import type DataLoader from 'dataloader';
import type { RequestContext } from '../../shared/callers/context';
import type { ResolveReference } from '../../shared/graph/subgraph';
import { requestLoader } from '../../shared/store/loaders';
import type { Payment } from '../payment/payment';
import type { PaymentQueryRepository } from '../payment/payment-query.repository';
import type { Operation } from './operation';
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

export function operationReference(reads: PaymentReads): ResolveReference {
  return ({ operationId }, context) => operationLoader(context, reads).load(String(operationId));
}

export function paymentReference(reads: PaymentReads): ResolveReference {
  return ({ paymentId }, context) => paymentLoader(context, reads).load(String(paymentId));
}

/** Merchants belong to another subgraph: here they only carry their payments and operations. */
export const operationMerchantReference: ResolveReference = ({ merchantId }) => ({ merchantId });
