// Acts of money, keys and secrets by a person: only within ten minutes of a sign-in, so that an unattended screen moves nothing. Programs are not asked.
import { DomainError } from '../errors';
import type { RequestContext } from './context';

/** How long a sign-in counts as fresh, on the one clock. */
const freshSignInMs = 10 * 60_000;

/** Until when a sign-in counts as fresh; null when the provider has not said when that was. */
export function freshUntil(authTime: Date | null | undefined): Date | null {
  return authTime ? new Date(authTime.getTime() + freshSignInMs) : null;
}

/** Refuses a person with `freshSignInNeeded`. */
export function assertFreshSignIn({ caller }: Pick<RequestContext, 'caller'>, now: Date): void {
  if (caller.kind !== 'person') return;
  const until = freshUntil(caller.authTime);
  if (!until || until <= now) throw new DomainError('freshSignInNeeded');
}
