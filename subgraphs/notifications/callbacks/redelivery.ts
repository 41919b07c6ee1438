// Whether a callback may be sent again now.
import { DomainError } from '../../shared/errors';
import type { Callback } from './callback';

/** What opens the mutation. */
export const redeliveryRights = ['callbacks:write'] as const;

/** Refuses with `conflict` while an attempt is on its way. */
export function decideRedelivery({ status }: Pick<Callback, 'status'>): void {
  if (status !== 'SENDING') return;
  throw new DomainError('conflict', 'An attempt of this callback is in flight.', { retryAfterSeconds: 10 });
}
