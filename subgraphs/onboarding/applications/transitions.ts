// The states of an application and the one table of arrows between them (onboarding interface, States and transitions; 2.3-B of the decision register).
import type { OnboardingStatus } from '../../shared/vocabulary/onboarding-status';

/** What can happen to an application. */
export const onboardingActions = [
  'COMPLETE_FORM',
  'SIGN',
  'FAIL_SIGNATURE',
  'FAIL_LAST_SIGNATURE',
  'UPDATE',
  'APPROVE',
  'REFUSE',
  'ABANDON',
] as const;
export type OnboardingAction = (typeof onboardingActions)[number];

/** Our own reasons to abandon an application; those of staff are free text. */
export const endings = ['BY_MERCHANT', 'IDLE', 'SIGNATURE_FAILED', 'MERCHANT_ID_TAKEN'] as const;
export type ApplicationEnding = (typeof endings)[number];

/** From each state, what leads where; what is not here has no arrow. An update of an INITIATED application changes no status and tells nobody. */
const transitions: Readonly<Record<OnboardingStatus, Readonly<Partial<Record<OnboardingAction, OnboardingStatus>>>>> = {
  INITIATED: { COMPLETE_FORM: 'AWAITING_SIGNATURE', UPDATE: 'INITIATED', ABANDON: 'ABANDONED' },
  AWAITING_SIGNATURE: {
    SIGN: 'PROCESSING',
    FAIL_SIGNATURE: 'SIGNATURE_FAILED',
    FAIL_LAST_SIGNATURE: 'ABANDONED',
    UPDATE: 'INITIATED',
    ABANDON: 'ABANDONED',
  },
  SIGNATURE_FAILED: { COMPLETE_FORM: 'AWAITING_SIGNATURE', UPDATE: 'INITIATED', ABANDON: 'ABANDONED' },
  PROCESSING: { APPROVE: 'APPROVED', REFUSE: 'ABANDONED' },
  APPROVED: {},
  ABANDONED: {},
};

/** The event of reaching each state. */
export const eventNames = {
  INITIATED: 'onboarding.initiated',
  AWAITING_SIGNATURE: 'onboarding.awaiting_signature',
  SIGNATURE_FAILED: 'onboarding.signature_failed',
  PROCESSING: 'onboarding.processing',
  APPROVED: 'onboarding.approved',
  ABANDONED: 'onboarding.abandoned',
} as const satisfies Record<OnboardingStatus, string>;
export type OnboardingEventName = (typeof eventNames)[OnboardingStatus];
export const onboardingEventNames: readonly OnboardingEventName[] = Object.values(eventNames);

/** Where the action leads; null: there is no such arrow. */
export function decideStatus(status: OnboardingStatus, action: OnboardingAction): OnboardingStatus | null {
  return transitions[status][action] ?? null;
}
