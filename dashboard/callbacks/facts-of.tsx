// How a callback and an endpoint are doing, beside the bare state: what a status means, why something ended, and how the latest ones came out.
import type { CallbackStatus } from '../graph/contract';
import { Chip } from '../kit/chip';
import { None } from '../kit/none';
import { words } from '../strings/language';
import type { EndpointRowFragment } from './queries';

export function StatusChip({ status }: { status: CallbackStatus }) {
  return <Chip state={status} hint={words().callbackHints[status]} />;
}

/** In words; a reason that has none yet as the graph tells it. */
export function endWords(reason: string | null): string | null {
  const known: Partial<Record<string, string>> = words().callbackEnds;
  return reason && (known[reason] ?? reason);
}

type Endpoint = Pick<EndpointRowFragment, 'health' | 'lastOutcomes'>;

/** Health counts schedules that were used up: beside it stands how the latest callbacks came out, and it is no comfort while these are lost. */
export function HealthChip({ endpoint: { health, lastOutcomes } }: { endpoint: Endpoint }) {
  const isLosing = health.state === 'HEALTHY' && lastOutcomes.delivered < lastOutcomes.count;
  return <Chip state={health.state} {...(isLosing ? { tone: 'quiet' } : {})} />;
}

export function LastOutcomes({ of: { count, delivered, rejected } }: { of: Endpoint['lastOutcomes'] }) {
  const text = words().callbackFacts;
  const lost = count - delivered;
  if (count === 0) return <None />;
  if (lost === 0) return <Chip state={text.lastDelivered(count)} tone="good" />;
  const said = rejected === lost ? text.lastRejected(lost, count) : text.lastGivenUp(lost, count);
  return <Chip state={said} tone={lost * 2 >= count ? 'bad' : 'warn'} />;
}
