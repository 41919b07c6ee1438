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

/** The name of a counter in the sums of a part. */
export interface PartName {
  /** What it is of: a country, or a method with its circuit. */
  part: string;
  /** The name that it has without that. */
  name: string;
}

const knownParts = new Map<string, PartName>();

/** Takes `<part>|<name>` apart. */
export function partNameOf(whole: string): PartName {
  const there = knownParts.get(whole);
  if (there) return there;
  const end = whole.indexOf('|');
  const read = { part: whole.slice(0, end), name: whole.slice(end + 1) };
  knownParts.set(whole, read);
  return read;
}
