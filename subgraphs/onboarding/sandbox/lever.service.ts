// The sandbox lever: plays the merchant on the signing page and the staff who decide; an event without an arrow changes nothing (docs/sandbox.md, sections 6 and 9).
import type { RequestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import type { OnboardingCase } from '../applications/application';
import { finishApproval, requestApproval } from '../applications/approval.service';
import type { Move } from '../applications/moves';
import { moveOnce, type OnboardingServiceDeps, requireApplication } from '../applications/saving.service';

const leverEvents = ['OPEN', 'SIGN', 'FAIL_SIGNATURE', 'APPROVE', 'REFUSE', 'ABANDON'] as const;
type LeverEvent = (typeof leverEvents)[number];

const moves: Readonly<Record<Exclude<LeverEvent, 'APPROVE'>, Move>> = {
  OPEN: { action: 'COMPLETE_FORM' },
  SIGN: { action: 'SIGN' },
  FAIL_SIGNATURE: { action: 'FAIL_SIGNATURE' },
  REFUSE: { action: 'REFUSE', reason: 'Refused in the sandbox.' },
  ABANDON: { action: 'ABANDON', reason: 'Abandoned in the sandbox.' },
};

/** The application after the event. Refuses with `notFound`, or `invalidInput` what is no event. */
export async function applyOnboardingEvent(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  applicationId: string,
  event: string,
): Promise<OnboardingCase> {
  if (!deps.isSandbox) throw new DomainError('notFound', 'There are no levers in production.');
  const known = leverEvents.find((name) => name === event);
  if (!known)
    throw new DomainError('invalidInput', `event must be one of ${leverEvents.join(', ')}.`, { field: 'event' });
  if (known === 'APPROVE') {
    const requested = await requestApproval(deps, context, applicationId);
    return finishApproval(deps, context, requested);
  }
  const move = moves[known];
  const signature = { name: 'Sandbox', at: deps.clock.now() };
  const load = () => requireApplication(deps, context, applicationId);
  const moved = await moveOnce(deps, context, {
    load,
    move: () => (known === 'SIGN' ? { ...move, change: { signature } } : move),
  });
  return moved.onboarding;
}
