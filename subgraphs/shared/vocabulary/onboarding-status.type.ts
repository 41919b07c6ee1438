// What the graph says of each status of an application.
import { graphEnum } from '../graph/graph-enum';
import { onboardingStatuses } from './onboarding-status';

export const OnboardingStatuses = graphEnum(onboardingStatuses, {
  name: 'OnboardingStatus',
  description: 'How far an onboarding application has come.',
  values: {
    INITIATED: 'The partner handed it in; the merchant has not filled in its part.',
    AWAITING_SIGNATURE: 'The merchant filled in its part and is to sign.',
    SIGNATURE_FAILED: 'A signature failed; the merchant may try again.',
    PROCESSING: 'It is signed, and staff are to judge it.',
    APPROVED: 'Staff approved it: the merchant exists.',
    ABANDONED: 'It ended without a merchant.',
  },
});
