// How far an application for a merchant has come (onboarding interface, States and transitions).

export const onboardingStatuses = [
  'INITIATED',
  'AWAITING_SIGNATURE',
  'SIGNATURE_FAILED',
  'PROCESSING',
  'APPROVED',
  'ABANDONED',
] as const;
export type OnboardingStatus = (typeof onboardingStatuses)[number];
