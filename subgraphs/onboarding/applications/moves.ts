// What an action makes of an application, decided without clock or store: the next state of the document, or that there is no such arrow (onboarding interface, States and transitions).
import { idleDaysMax, linkDaysMax, type OnboardingCase, signatureFailuresMax } from './application';
import { type ApplicationEnding, decideStatus, type OnboardingAction } from './transitions';

export interface Move {
  action: OnboardingAction;
  /** Why it ends, when that is none of ours. */
  reason?: string | null;
  /** Why it ends, when that is one of ours. */
  ending?: ApplicationEnding;
  /** What changes beside the status. */
  change?: Partial<OnboardingCase>;
}

/** The application after the action; null: no arrow leads from its status. An approval that is under way can no longer be refused. */
export function decideMove(
  onboarding: OnboardingCase,
  { action, reason = null, ending, change = {} }: Move,
  now: Date,
): OnboardingCase | null {
  if (action === 'REFUSE' && onboarding.approval !== null) return null;
  const failures = onboarding.signatureFailures + 1;
  const isLastFailure = action === 'FAIL_SIGNATURE' && failures >= signatureFailuresMax;
  const status = decideStatus(onboarding.status, isLastFailure ? 'FAIL_LAST_SIGNATURE' : action);
  if (status === null) return null;
  const end = isLastFailure ? 'SIGNATURE_FAILED' : (ending ?? null);
  const next = {
    ...onboarding,
    ...change,
    status,
    updatedAt: now,
    touchedAt: now,
    version: onboarding.version + 1,
    sequence: onboarding.sequence + (status === onboarding.status ? 0 : 1),
  };
  if (action === 'FAIL_SIGNATURE') next.signatureFailures = failures;
  if (action === 'UPDATE') next.signatureFailures = 0;
  if (status === 'PROCESSING' || status === 'ABANDONED') next.adminUserSealed = null;
  return status === 'ABANDONED' ? { ...next, isLive: false, reason: end ? endings[end] : reason, ending: end } : next;
}

/** As partners and staff read them; the signing page says them in its own language. */
const endings: Readonly<Record<ApplicationEnding, string>> = {
  BY_MERCHANT: 'Abandoned by the merchant.',
  IDLE: `Nothing happened for ${idleDaysMax} days.`,
  SIGNATURE_FAILED: `The signature failed ${signatureFailuresMax} times.`,
  MERCHANT_ID_TAKEN: 'The merchantId was taken by somebody else.',
};

/** Whether a link opens the signing page now. */
export function isLinkAlive({ link }: Pick<OnboardingCase, 'link'>, now: Date): boolean {
  return link !== null && link.expiresAt > now;
}

export function linkExpiry(now: Date): Date {
  return new Date(now.getTime() + linkDaysMax * 86_400_000);
}
