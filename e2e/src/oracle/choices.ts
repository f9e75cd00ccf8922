import { wholesFrom } from "../drawer.ts";

/** Where everything drawn comes from: numbers below a bound, one after the other. */
export interface Choices {
  /** a whole number from 0 to below `bound`; 0 is the simplest */
  below(bound: number): number;
  /** true in so many of a hundred draws; false is the simplest */
  chance(percent: number): boolean;
  /** one of the list; the first is the simplest */
  pick<T>(list: readonly [T, ...T[]]): T;
  /** one of the list, or null where it is empty */
  pickAny<T>(list: readonly T[]): T | null;
  /** so many of the list at most, in its order */
  some<T>(list: readonly T[], most: number): readonly T[];
  /** all of the list in another order */
  shuffled<T>(list: readonly T[]): readonly T[];
}

/** The numbers that were chosen: the same tape gives the same draws. */
export type Tape = readonly number[];

const LARGEST = 0x1_0000_0000;

/** Choices that come from `next` and are written down on `tape`. */
function choicesOf(next: (bound: number) => number, tape: number[]): Choices {
  const below = (bound: number): number => {
    const drawn = next(bound);
    tape.push(drawn);
    return drawn;
  };
  const chance = (percent: number): boolean => below(100) >= 100 - percent;
  const pickAny = <T>(list: readonly T[]): T | null => list[below(list.length)] ?? null;
  const shuffled = <T>(list: readonly T[]): readonly T[] => {
    const left = [...list];
    const taken: T[] = [];
    while (left.length > 0) taken.push(...left.splice(below(left.length), 1));
    return taken;
  };
  return {
    below,
    chance,
    pickAny,
    shuffled,
    pick: (list) => list[below(list.length)] ?? list[0],
    some: (list, most) => {
      const count = below(Math.min(most, list.length) + 1);
      const kept = new Set(shuffled(list.map((_, at) => at)).slice(0, count));
      return list.filter((_, at) => kept.has(at));
    },
  };
}

/** What was drawn, and the tape that draws it again. */
export interface Drawn<T> {
  readonly value: T;
  readonly tape: Tape;
}

/** Draws with numbers of a seed. */
export function drawFrom<T>(seed: number, draw: (choices: Choices) => T): Drawn<T> {
  const numbers = wholesFrom(seed);
  const tape: number[] = [];
  const next = (bound: number): number => Math.floor((numbers() / LARGEST) * bound);
  return { value: draw(choicesOf(next, tape)), tape };
}

/** Draws as a tape says; behind its end everything is the simplest. */
export function drawAgain<T>(tape: Tape, draw: (choices: Choices) => T): T {
  let at = 0;
  return draw(choicesOf((bound) => Math.max(0, Math.min(tape[at++] ?? 0, bound - 1)), []));
}
