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
  const isQuiet = state === 'HEALTHY' && isLosing(endpoint.lastOutcomes);
  return <Chip state={state} tone={isQuiet ? 'quiet' : toneOf(state)} />;
}

interface LastProps {
  of: Pick<AttemptedEndpoint['lastOutcomes'], 'count' | 'delivered' | 'rejected' | 'retried'>;
}

/** Something did not come through, for good or as yet. */
export const isLosing = ({ count, delivered, retried }: LastProps['of']) => delivered < count || retried > 0;

/** What came to an end, where some of that was lost; else what was tried in vain, and only then that all came through. */
export function LastOutcomes({ of: { count, delivered, rejected, retried } }: LastProps) {
  const text = words().callbackFacts;
  const lost = count - delivered;
  if (lost === 0 && retried > 0) return <Chip state={text.lastRetried(retried)} tone="warn" />;
  if (count === 0) return <None />;
  if (lost === 0) return <Chip state={text.lastDelivered(count)} tone="good" />;
  const said = rejected === lost ? text.lastRejected(lost, count) : text.lastGivenUp(lost, count);
  return <Chip state={said} tone={lost * 2 >= count ? 'bad' : 'warn'} />;
}
