// Which counters the fields of a row are worked out of, so that of thousands of sums only these are read; pure.
import { operationResults, operationTypes } from '../../shared/vocabulary/operation';
import { authenticationWays, type Counter, counterOf, onboardingSteps } from './counter';
import type { Movement } from './figures';

const ofOperations = operationTypes.flatMap((type) => operationResults.map((result) => `op ${type} ${result}`));

function operationCounters(isShown: (counter: Counter) => boolean): string[] {
  return ofOperations.filter((name) => isShown(counterOf(name)));
}

const moved = (movement: Movement) => operationCounters((counter) => counter.movement === movement);
const named = (word: string, rests: readonly string[]) => rests.map((rest) => `${word} ${rest}`);

/** Null: reasons are acquirers' own words, of which there is no list. */
const countersOfField: Readonly<Record<string, readonly string[] | null>> = {
  __typename: [],
  start: [],
  group: [],
  operations: ofOperations,
  captured: moved('captured'),
  refunded: moved('refunded'),
  undone: moved('undone'),
  approved: operationCounters(({ verdict }) => verdict === 'approved'),
  declined: operationCounters(({ verdict }) => verdict === 'declined'),
  approvalRate: operationCounters(({ verdict }) => verdict !== null),
  declines: null,
  authentication: named('3ds', authenticationWays),
  chargebacks: ['chargeback'],
  callbacks: [],
  onboarding: named('onboarding', onboardingSteps),
};

/** Of the fields of a row by name; null: all counters, or none that has a name here. */
export function countersShownBy(fields: ReadonlySet<string>): readonly string[] | null {
  const found = new Set<string>();
  for (const field of fields) {
    const names = countersOfField[field];
    if (!names) return null;
    for (const name of names) found.add(name);
  }
  return found.size === 0 ? null : [...found];
}
