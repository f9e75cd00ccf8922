const RANGE = 0x1_0000_0000;

/** Whole numbers from 0 up to 2^32 from a seed (mulberry32): equal seeds give equal numbers on every machine. */
export function wholesFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** The same as numbers from 0 up to 1. */
export function partsFrom(seed: number): () => number {
  const wholes = wholesFrom(seed);
  return () => wholes() / RANGE;
}

/** Draws numbers from 0 up to 1, and things of a list, that follow from a seed. */
export type Drawer = ReturnType<typeof drawer>;

export function drawer(seed: number) {
  const next = partsFrom(seed);
  return {
    next,
    pick: <Value>(of: readonly Value[]): Value => of[Math.floor(next() * of.length)] as Value,
  };
}
