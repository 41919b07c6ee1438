// Random choices of a proof that come out the same for the same seed, so that a failure can be played again.

export interface Random {
  /** 0 up to 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(values: readonly [T, ...T[]] | readonly T[]): T;
  shuffled<T>(values: readonly T[]): T[];
  /** A stream of its own that depends on nothing but the seed and the name. */
  branch(name: string): Random;
}

/** A generator of 32 bits of state (mulberry32): good enough to choose, useless to keep secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const random: Random = {
    next,
    between,
    pick(values) {
      const value = values[between(0, values.length - 1)];
      if (value === undefined) throw new Error('nothing to pick from');
      return value;
    },
    shuffled(values) {
      const rest = [...values];
      return values.flatMap(() => rest.splice(between(0, rest.length - 1), 1));
    },
    branch: (name) =>
      createRandom([...name].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619), seed)),
  };
  return random;
}
