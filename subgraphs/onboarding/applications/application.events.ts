// Events of an application, ready for the log: one for its creation and one per change of its status, and the terms of its merchant where they lie elsewhere (onboarding interface, Events).
import type { Sealed } from '../../shared/crypto/vault';
import { newOrderedId } from '../../shared/ids';
import { withoutAbsent } from '../../shared/present-members';
import type { NewEvent } from '../../shared/store/unit-of-work';
import type { OnboardingStatus } from '../../shared/vocabulary/onboarding-status';
import type { BankAccount, OnboardingCase } from './application';
import type { Quote } from './quote';
import { eventNames } from './transitions';

export interface OnboardingEventData {
  onboardingId: number;
  status: OnboardingStatus;
  /** null: it was created. */
  previousStatus: OnboardingStatus | null;
  reason?: string;
  merchantId: string;
  merchantNumber?: number;
  /** Who asked to be told of this event. */
  webhooks: { url: string; authorizationSealed: Sealed }[];
}

/** With the approval: what fees and payouts are made from. */
interface AgreedTerms {
  quote: Quote | null;
  bankAccount: BankAccount | null;
  currency: string;
}

interface ReachedStatus {
  requestId: string;
  previousStatus: OnboardingStatus | null;
  /** Of the merchant's events. */
  merchantSlot: number;
}

/** The events of having reached `onboarding.status`; what was agreed is told in the merchant's slot, before anything is sold. */
export function statusEvents(
  onboarding: OnboardingCase,
  { requestId, previousStatus, merchantSlot }: ReachedStatus,
): NewEvent[] {
  const { environment, accountId, merchantId, applicationId, sequence, status, updatedAt, facts } = onboarding;
  const { quote = null, bankAccount = null, currency } = facts;
  const agreed: AgreedTerms | null = status === 'APPROVED' ? { quote, bankAccount, currency } : null;
  const slot = onboarding.logSlot ?? merchantSlot;
  const [own, ofMerchant] = slot === merchantSlot ? [agreed, null] : [null, agreed];
  const said = { environment, accountId, merchantId, version: 1, occurredAt: updatedAt, requestId } as const;
  const reached: NewEvent = {
    ...said,
    _id: newOrderedId(slot),
    slot,
    aggregateType: 'application',
    aggregateId: applicationId,
    sequence,
    type: eventNames[status],
    data: { ...dataOf(onboarding, previousStatus), ...own },
  };
  if (!ofMerchant) return [reached];
  const _id = newOrderedId(merchantSlot);
  const aggregate = { aggregateType: 'ledger', aggregateId: _id, sequence: 1 } as const;
  return [reached, { ...said, ...aggregate, _id, type: 'ledger.termsAgreed', data: { ...ofMerchant } }];
}

function dataOf(onboarding: OnboardingCase, previousStatus: OnboardingStatus | null): OnboardingEventData {
  const { applicationId, status, reason, merchantId, merchantNumber, webhooks } = onboarding;
  const told = (webhooks ?? []).filter(({ eventName }) => eventName === eventNames[status]);
  return {
    onboardingId: Number(applicationId),
    status,
    previousStatus,
    merchantId,
    ...withoutAbsent({ reason, merchantNumber }),
    webhooks: told.map(({ url, authorizationSealed }) => ({ url, authorizationSealed })),
  };
}
