// The call under way within its payment at rest: written by the intent, gone with the outcome (payment interface; intent before, outcome after).
import { withoutAbsent } from '../../shared/present-members';
import { slotOf } from '../../shared/store/slot';
import { storedPart, there } from '../../shared/store/stored-schema';
import type { AcquirerCall } from './acquirer-call';
import { callParts, planOf, type StoredPlan } from './call-plan.repository';
import type { Payment } from './payment';

/** Its id is the payment's `activeCallId`. */
export type StoredUnderway = Pick<
  AcquirerCall,
  'operationId' | 'kind' | 'captureOperationId' | 'isMerchantInitiated' | 'requestId' | 'startedAt'
> & {
  plan: StoredPlan;
  /** Absent without a key. */
  requestKey?: string;
  lostAt: Date;
};

export const underwayPart = storedPart<StoredUnderway>({
  ...callParts,
  startedAt: there(Date),
  lostAt: there(Date),
});

export function underwayOf(call: AcquirerCall): StoredUnderway {
  const { operationId, kind, plan, captureOperationId, isMerchantInitiated, requestKey, requestId, startedAt } = call;
  if (!call.lostAt) throw new Error('a call under way counts as lost at some time');
  return {
    operationId,
    kind,
    plan,
    captureOperationId,
    isMerchantInitiated,
    ...withoutAbsent({ requestKey }),
    requestId,
    startedAt,
    lostAt: call.lostAt,
  };
}

export function underwayCallOf({
  _id,
  environment,
  accountId,
  merchantId,
  activeCallId,
  underway,
}: Pick<Payment, 'environment' | 'accountId' | 'merchantId' | 'activeCallId'> & {
  _id: string;
  underway?: StoredUnderway | undefined;
}): AcquirerCall | null {
  if (!underway || !activeCallId) return null;
  return {
    ...underway,
    callId: activeCallId,
    environment,
    accountId,
    slot: slotOf({ merchantId, accountId }),
    paymentId: _id,
    plan: planOf(underway.plan),
    requestKey: underway.requestKey ?? null,
    state: 'SENT',
    askAt: null,
    askedCount: 0,
    raisedAt: null,
    steps: [],
  };
}
