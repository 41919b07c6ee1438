// How a callback and an endpoint are doing, beside the bare state: what a status means, why something ended, and how the latest ones came out.
import type { CallbackStatus } from '../graph/contract';
import { Chip } from '../kit/chip';
import { None } from '../kit/none';
import { toneOf } from '../kit/tone';
import { words } from '../strings/language';
import { type AttemptedEndpoint, isFailing } from './failing';

export function StatusChip({ status }: { status: CallbackStatus }) {
  return <Chip state={status} hint={words().callbackHints[status]} />;
}

/** In words; a reason that has none yet as the graph tells it. */
export function endWords(reason: string | null): string | null {
  const known: Partial<Record<string, string>> = words().callbackEnds;
  return reason && (known[reason] ?? reason);
}

/** The graph's health counts schedules that were used up, which takes three days: what fails meanwhile is not called healthy. */
export function HealthChip({ endpoint }: { endpoint: AttemptedEndpoint }) {
  const { state } = endpoint.health;
  if (isFailing(endpoint)) return <Chip state="DEGRADED" hint={words().callbackFacts.failingHint} />;
  const { delivered, count } = endpoint.lastOutcomes;
  const isLosing = state === 'HEALTHY' && delivered < count;
  return <Chip state={state} tone={isLosing ? 'quiet' : toneOf(state)} />;
}

interface LastProps {
  of: Pick<AttemptedEndpoint['lastOutcomes'], 'count' | 'delivered' | 'rejected'>;
}

export function LastOutcomes({ of: { count, delivered, rejected } }: LastProps) {
  const text = words().callbackFacts;
  const lost = count - delivered;
  if (count === 0) return <None />;
  if (lost === 0) return <Chip state={text.lastDelivered(count)} tone="good" />;
  const said = rejected === lost ? text.lastRejected(lost, count) : text.lastGivenUp(lost, count);
  return <Chip state={said} tone={lost * 2 >= count ? 'bad' : 'warn'} />;
}
