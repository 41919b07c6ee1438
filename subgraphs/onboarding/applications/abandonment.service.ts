// Applications that nobody touched for a month are given up, on the one clock (2.3-B of the decision register).
import { systemCaller } from '../../shared/callers/caller';
import { requestContext } from '../../shared/callers/context';
import { dayMs, idleDaysMax } from './application';
import { moveOnce, type OnboardingServiceDeps, requireApplication } from './saving.service';

const abandonedAtOnce = 100;

/** Returns how many it abandoned; safe to run at any time, by several processes. */
export async function abandonIdle(deps: OnboardingServiceDeps): Promise<number> {
  const context = requestContext(systemCaller(deps.environment, 'abandonment'), 'janitor');
  const before = new Date(deps.clock.now().getTime() - idleDaysMax * dayMs);
  const idle = await deps.applications.listIdle(deps.environment, before, abandonedAtOnce);
  const moved = await Promise.all(
    idle.map(({ applicationId }) =>
      moveOnce(deps, context, {
        load: () => requireApplication(deps, context, applicationId),
        // Somebody may have come back in this very moment.
        move: (read) => (read.touchedAt <= before ? { action: 'ABANDON', ending: 'IDLE' } : null),
      }),
    ),
  );
  return moved.filter(({ isMoved }) => isMoved).length;
}
