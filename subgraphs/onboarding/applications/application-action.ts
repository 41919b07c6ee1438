// What staff may do with an application, and what refuses it: asked by the mutations themselves and by whoever shows choices.
import type { Caller } from '../../shared/callers/caller';
import { type JudgedAction, judgeActions } from '../../shared/callers/judged-action';
import type { Rule } from '../../shared/callers/rights';
import { DomainError } from '../../shared/errors';
import { decideResend, type OnboardingCase, resendsPerDayMax } from './application';
import { decideMove } from './moves';
import { assertPayable } from './quote-bounds';

export const staffActions = ['approve', 'refuse', 'abandon', 'resend'] as const;
export type StaffAction = (typeof staffActions)[number];

/** What opens the mutation of each. */
export const staffActionRights = {
  approve: ['onboarding:approve'],
  refuse: ['onboarding:write'],
  abandon: ['onboarding:write'],
  resend: ['onboarding', 'onboarding:write'],
} as const satisfies Record<StaffAction, readonly [Rule, ...Rule[]]>;

export function statusRefusal({ status }: Pick<OnboardingCase, 'status'>): DomainError {
  return new DomainError('applicationStatusInvalid', `The application is ${status}, which does not allow this.`);
}

/** Refuses with `applicationStatusInvalid` what is not PROCESSING, or is being approved already, and with `invalidData` fees that nobody can pay. */
export function assertApprovable(onboarding: OnboardingCase): void {
  if (onboarding.status !== 'PROCESSING' || onboarding.approval !== null) throw statusRefusal(onboarding);
  if (onboarding.facts.quote) assertPayable(onboarding.facts.quote);
}

/** When the link was sent, with this time. Refuses with `applicationStatusInvalid` or `resendLimit`. */
export function decideResending(onboarding: OnboardingCase, now: Date): Date[] {
  if (!['INITIATED', 'AWAITING_SIGNATURE', 'SIGNATURE_FAILED'].includes(onboarding.status))
    throw statusRefusal(onboarding);
  const resentAt = decideResend(onboarding.resentAt, now);
  if (resentAt) return resentAt;
  throw new DomainError('resendLimit', `The link was sent ${resendsPerDayMax} times in a day, which is the most.`);
}

/** Each act of staff, as this caller would find it. */
export function judgeApplication(caller: Caller, onboarding: OnboardingCase, now: Date): JudgedAction<StaffAction>[] {
  const end = (action: 'REFUSE' | 'ABANDON') => () => {
    if (decideMove(onboarding, { action }, now) === null) throw statusRefusal(onboarding);
  };
  const decides: Record<StaffAction, () => unknown> = {
    approve: () => assertApprovable(onboarding),
    refuse: end('REFUSE'),
    abandon: end('ABANDON'),
    resend: () => decideResending(onboarding, now),
  };
  return judgeActions(
    caller,
    staffActions.map((action) => ({ action, rights: staffActionRights[action], decide: decides[action] })),
  );
}
