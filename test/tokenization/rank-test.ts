// Can kinds of answers be told apart by their times? The rank test of Mann and Whitney, which asks nothing of how times are spread.

export interface Timed {
  kind: string;
  ms: number;
}

export interface Compared {
  kind: string;
  count: number;
  /** How often an answer of this kind comes later than one of the others; 0.5: that says nothing. */
  laterShare: number;
  /** How often mere chance puts the share that far from 0.5. */
  byChance: number;
}

/** Each kind against all others together. */
export function compareKinds(samples: readonly Timed[]): Compared[] {
  const ranks = ranksOf(samples.map(({ ms }) => ms));
  const sums = new Map<string, { count: number; ranks: number }>();
  for (const [index, { kind }] of samples.entries()) {
    const sum = sums.get(kind) ?? { count: 0, ranks: 0 };
    sums.set(kind, { count: sum.count + 1, ranks: sum.ranks + (ranks[index] ?? 0) });
  }
  return [...sums].map(([kind, { count, ranks: sum }]) => {
    const others = samples.length - count;
    const laterShare = (sum - (count * (count + 1)) / 2) / (count * others);
    const deviation = Math.sqrt((samples.length + 1) / (12 * count * others));
    return { kind, count, laterShare, byChance: bothTails((laterShare - 0.5) / deviation) };
  });
}

/** 1 for the earliest; equal values share their ranks. */
function ranksOf(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1] ?? 0] === values[order[from] ?? 0]) to += 1;
    for (let at = from; at <= to; at += 1) ranks[order[at] ?? 0] = (from + to) / 2 + 1;
    from = to + 1;
  }
  return ranks;
}

/** The share of a normal distribution beyond that many deviations, on both sides (Abramowitz and Stegun 7.1.26, to seven places). */
function bothTails(deviations: number): number {
  const x = Math.abs(deviations) / Math.SQRT2;
  const t = 1 / (1 + 0.327_591_1 * x);
  const terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
  return terms.reduce((sum, term) => (sum + term) * t, 0) * Math.exp(-x * x);
}
