// Sets of serials as runs: what a payout consists of is a few ranges of a book, so that every page of it is found at once, however many actions it has.

/** Both ends belong to it. */
export interface Run {
  from: number;
  to: number;
}

export function serialCountOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

/** Ascending serials as runs. */
export function runsOf(serials: Iterable<number>): Run[] {
  const runs: Run[] = [];
  let last: Run | undefined;
  for (const serial of serials) {
    if (last && serial === last.to + 1) last.to = serial;
    else {
      last = { from: serial, to: serial };
      runs.push(last);
    }
  }
  return runs;
}

/** `runs` without `taken`; both ascending and free of overlaps. */
export function without(runs: readonly Run[], taken: readonly Run[]): Run[] {
  const left: Run[] = [];
  let next = 0;
  for (const run of runs) {
    let { from } = run;
    while (next < taken.length && (taken[next] as Run).to < from) next += 1;
    for (let index = next; index < taken.length && (taken[index] as Run).from <= run.to; index += 1) {
      const hole = taken[index] as Run;
      if (hole.from > from) left.push({ from, to: hole.from - 1 });
      from = Math.max(from, hole.to + 1);
    }
    if (from <= run.to) left.push({ from, to: run.to });
  }
  return left;
}

/** The runs of the `size` serials that follow the first `skip`. */
export function runsSliceOf(runs: readonly Run[], skip: number, size: number): Run[] {
  const slice: Run[] = [];
  let toSkip = skip;
  let toTake = size;
  for (const { from, to } of runs) {
    if (toTake <= 0) break;
    const length = to - from + 1;
    if (toSkip >= length) {
      toSkip -= length;
      continue;
    }
    const first = from + toSkip;
    const last = Math.min(to, first + toTake - 1);
    slice.push({ from: first, to: last });
    toTake -= last - first + 1;
    toSkip = 0;
  }
  return slice;
}
