// Events of an application, ready for the log: one for its creation and one per change of its status (onboarding interface, Events).
import type { Sealed } from '../../shared/crypto/vault';
import { withoutAbsent } from '../../shared/present-members';
import { type NewEvent, newEventId } from '../../shared/store/unit-of-work';
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
  /** With the approval: what fees and payouts are made from. */
  quote?: Quote | null;
  bankAccount?: BankAccount | null;
  currency?: string;
}

/** The event of having reached `onboarding.status`. */
export function statusEvent(
  requestId: string,
  onboarding: OnboardingCase,
  previousStatus: OnboardingStatus | null,
): NewEvent<OnboardingEventData> {
  const { environment, accountId, merchantId, applicationId, sequence, status, updatedAt } = onboarding;
  return {
    _id: newEventId(onboarding),
    environment,
    accountId,
    merchantId,
    aggregateType: 'application',
    aggregateId: applicationId,
    sequence,
    type: eventNames[status],
    version: 1,
    occurredAt: updatedAt,
    requestId,
    data: dataOf(onboarding, previousStatus),
  };
}

function dataOf(onboarding: OnboardingCase, previousStatus: OnboardingStatus | null): OnboardingEventData {
  const { applicationId, status, reason, merchantId, merchantNumber, webhooks, facts } = onboarding;
  const told = (webhooks ?? []).filter(({ eventName }) => eventName === eventNames[status]);
  const { quote = null, bankAccount = null, currency } = facts;
  const agreed = status === 'APPROVED' ? { quote, bankAccount, currency } : {};
  return {
    onboardingId: Number(applicationId),
    status,
    previousStatus,
    merchantId,
    ...withoutAbsent({ reason, merchantNumber }),
    webhooks: told.map(({ url, authorizationSealed }) => ({ url, authorizationSealed })),
    ...agreed,
  };
}
