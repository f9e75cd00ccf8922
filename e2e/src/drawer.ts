/** Draws numbers from 0 up to 1, and things of a list, that follow from a seed. */
export type Drawer = ReturnType<typeof drawer>;

export function drawer(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
  return {
    next,
    pick: <Value>(of: readonly Value[]): Value => of[Math.floor(next() * of.length)] as Value,
  };
}
