// What a call is made for, at rest: in the payment while it is under way, in a record of its own once it stays open (payment interface; intent before, outcome after).
import { withoutUndefined } from '../../shared/present-members';
import {
  absentOr,
  maybeText,
  openObject,
  orNull,
  storedPart,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import { operationTypes, paymentMethods } from '../../shared/vocabulary/operation';
import { channels } from '../operations/operation';
import { warningPart } from '../operations/operation.repository';
import { acquirerKinds, methodKinds, type OperationPlan } from './acquirer-call';
import { instrumentPart } from './instrument.repository';

/** Whole numbers of 64 bits come back as number or bigint. */
export type StoredPlan = Omit<OperationPlan, 'amountMinor' | 'feeMinor'> & {
  amountMinor: bigint | number;
  feeMinor?: bigint | number;
};

const planPart = storedPart<StoredPlan>({
  type: there(String, { enum: operationTypes }),
  amountMinor: there(BigInt),
  feeMinor: absentOr(BigInt),
  parentOperationId: maybeText,
  cancelledOperationId: maybeText,
  method: there(String, { enum: paymentMethods }),
  circuit: maybeText,
  instrument: orNull(instrumentPart),
  contractId: maybeText,
  sessionId: maybeText,
  channel: there(String, { enum: channels }),
  channelDetail: maybeText,
  description: maybeText,
  reason: maybeText,
  warnings: there([warningPart]),
  additionalData: there(openObject),
});

/** What the call within its payment and the record of its own have alike. */
export const callParts = {
  operationId: storedText,
  kind: there(String, { enum: [...acquirerKinds, ...methodKinds] }),
  plan: there(planPart),
  captureOperationId: maybeText,
  isMerchantInitiated: there(Boolean),
  requestKey: absentOr(String),
  requestId: storedText,
};

export function planOf({ amountMinor, feeMinor, ...rest }: StoredPlan): OperationPlan {
  return {
    ...rest,
    amountMinor: BigInt(amountMinor),
    ...withoutUndefined({ feeMinor: feeMinor === undefined ? undefined : BigInt(feeMinor) }),
  };
}
