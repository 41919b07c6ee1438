// A race: calls that start at once on one thing, and the ends that are allowed to come of it.

/** How often each result, or each code of a refusal, came. */
export type Counts = Record<string, number>;

/** One end of a race: who wins, how the others are refused, what is left behind. */
interface End {
  won: Counts;
  /** Codes that the losers may be refused with. */
  refused?: readonly string[];
  state: string;
  /** Type and result of each event, in order. */
  events: readonly string[];
  /** Only where so many were told to come again: they would have won, too. */
  againMin?: number;
}

export interface Round {
  counts: Counts;
  state: string;
  events: readonly string[];
  /** What else is wrong with it. */
  faults?: readonly string[];
}

export interface Race {
  name: string;
  ends: readonly End[];
  run(): Promise<Round>;
}

/** The refusal that says "another call is in flight, come again": allowed in every race, and counted. */
export const comeAgain = 'unavailable';

/** Starts everything at once; counts what each call came to. A defect counts under its own text. */
export async function outcomes(calls: readonly (() => Promise<string>)[]): Promise<Counts> {
  const counts: Counts = {};
  const results = await Promise.all(
    calls.map((call) => call().catch((error: { code?: unknown }) => String(error.code ?? error))),
  );
  for (const result of results) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

/** `make` for each of so many, in turn over what there is. */
export function times<Value, Result>(
  count: number,
  over: readonly Value[],
  make: (value: Value, index: number) => Result,
): Result[] {
  return Array.from({ length: count }, (_, index) => make(over[index % over.length] as Value, index));
}

/** What is wrong with a round; nothing when it came to one of the ends that are allowed. */
export function faultsOf({ name, ends }: Race, { counts, state, events, faults = [] }: Round): string[] {
  const told = JSON.stringify({ counts, state, events });
  const isAllowed = ends.some((end) => {
    const losers = new Set([...(end.refused ?? []), comeAgain]);
    const winners = Object.entries(counts).filter(([what]) => !losers.has(what));
    // Where many are owed the same answer, those who were told to come again have not had it yet.
    const again = counts[comeAgain] ?? 0;
    const isOwed = (what: string, count: number, owed = end.won[what] ?? 0) =>
      count <= owed && count >= Math.max(1, owed - again);
    const isWon =
      winners.length === Object.keys(end.won).length && winners.every(([what, count]) => isOwed(what, count));
    return isWon && again >= (end.againMin ?? 0) && end.state === state && end.events.join() === events.join();
  });
  return [...(isAllowed ? [] : [`${name}: ${told}`]), ...faults.map((fault) => `${name}: ${fault}`)];
}
