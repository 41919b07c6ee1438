// Operations and payments by their keys, for this subgraph and for others: one query per request, foreign ones look absent.
import type DataLoader from 'dataloader';
import type { Caller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import type { ResolveReference, ResolveReferences } from '../../shared/graph/entities';
import { type ShownBy, shownMembersOf } from '../../shared/graph/shown-members';
import { requestListLoader, requestLoader } from '../../shared/store/loaders';
import type { Payment } from '../payment/payment';
import { paymentShownBy } from '../payment/payment-parts';
import type { PaymentQueryRepository } from '../payment/payment-query.repository';
import type { Operation } from './operation';
import { operationShownBy } from './operation-parts';
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

interface Parts<Part extends { merchantId: string }, Member extends string> {
  typeName: 'Operation' | 'Payment';
  keyName: string & keyof Part;
  shownBy: ShownBy<Member>;
  whole(context: RequestContext): DataLoader<string, object | null>;
  findParts(caller: Caller, ids: readonly string[], members: readonly Member[]): Promise<Part[]>;
}

/** Another subgraph mostly wants a few fields of many: no more is read than they show. A loader for each set of members keeps a part from whoever wants more. */
function partsReference<Part extends { merchantId: string }, Member extends string>({
  typeName,
  keyName,
  shownBy,
  whole,
  findParts,
}: Parts<Part, Member>): ResolveReferences {
  const shownIn = shownMembersOf(typeName, shownBy);
  return {
    async many(representations, context, info) {
      const ids = representations.map((representation) => String(representation[keyName]));
      const shown = shownIn(info);
      if (!shown) return whole(context).loadMany(ids);
      const load = requestListLoader<Part>(context, `${typeName} ${shown.key}`, {
        loadMany: async (asked) =>
          (await findParts(context.caller, asked, shown.members)).filter(isOwn(context.caller)),
        keyOf: (part) => String(part[keyName]),
      });
      return load(ids);
    },
  };
}

export function operationReference(reads: PaymentReads): ResolveReferences {
  return partsReference({
    typeName: 'Operation',
    keyName: 'operationId',
    shownBy: operationShownBy,
    whole: (context) => operationLoader(context, reads),
    findParts: reads.operations.findParts,
  });
}

export function paymentReference(reads: PaymentReads): ResolveReferences {
  return partsReference({
    typeName: 'Payment',
    keyName: 'paymentId',
    shownBy: paymentShownBy,
    whole: (context) => paymentLoader(context, reads),
    findParts: reads.payments.findParts,
  });
}

/** Merchants belong to another subgraph: here they only carry their payments and operations. */
export const operationMerchantReference: ResolveReference = ({ merchantId }) => ({ merchantId });
