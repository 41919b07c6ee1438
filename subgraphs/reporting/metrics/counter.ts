// What the name of a counter says; each is read once, for an answer asks thousands of rows for the same few names. Pure.
import { type Movement, movementOf, type Verdict, verdictOf } from './figures';

/** Named `<word>`, or `<word> <rest>`; of an operation `op <type> <result>`. */
export interface Counter {
  word: string;
  rest: string;
  /** Of an operation. */
  movement: Movement | null;
  verdict: Verdict | null;
}

/** The rests of counters named `3ds <rest>` that are shown. */
export const authenticationWays = ['challenge', 'failed', 'frictionless', 'exempted'] as const;
/** The rests of counters named `onboarding <rest>`. */
export const onboardingSteps = ['created', 'signed', 'approved', 'refused', 'abandoned'] as const;

const known = new Map<string, Counter>();

/** The same name gives the same counter. */
export function counterOf(name: string): Counter {
  const there = known.get(name);
  if (there) return there;
  const counter = readCounter(name);
  known.set(name, counter);
  return counter;
}

function readCounter(name: string): Counter {
  const [word = '', type = '', result = ''] = name.split(' ');
  const isOperation = word === 'op';
  return {
    word,
    rest: name.slice(word.length + 1),
    movement: isOperation ? movementOf(type, result) : null,
    verdict: isOperation ? verdictOf(type, result) : null,
  };
}
