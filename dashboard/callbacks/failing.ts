// Whether an endpoint fails just now, which its health tells only when a schedule of three days is used up.
import type { EndpointRowFragment } from './queries';

export type AttemptedEndpoint = Pick<EndpointRowFragment, 'health' | 'lastOutcomes' | 'lastAttempt'>;

/** Since it was made or enabled its last attempt failed; one callback that a receiver refuses for good among others that it takes is no failing. */
export function isFailing({ health, lastOutcomes, lastAttempt }: AttemptedEndpoint): boolean {
  if (health.state !== 'HEALTHY' || !lastAttempt || lastAttempt.at <= health.changedAt) return false;
  if (lastAttempt.result === 'delivered' || lastAttempt.result === 'inFlight') return false;
  return lastOutcomes.delivered === 0 || lastAttempt.status === null || lastAttempt.status >= 500;
}
