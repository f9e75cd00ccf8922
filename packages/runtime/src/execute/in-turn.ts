import { FIXED } from "../limits/limits.ts";

/** Pieces of work that are done side by side. */
export interface Pieces<W, T> {
  /** the next one; null where there is none */
  readonly next: () => W | null;
  readonly work: (piece: W) => Promise<T>;
  /** whether no other one may begin after it */
  readonly isLast: (done: T) => boolean;
}

/**
 * Does pieces of work, as many at a time as a run may have requests under way, each as soon as there is room
 * for it, and gives what became of those that began, in their order (PLAN-060). Rejects as the first that does.
 */
export async function inTurn<W, T>({ next, work, isLast }: Pieces<W, T>): Promise<readonly T[]> {
  const done: T[] = [];
  let begun = 0;
  let over = false;
  const goOn = async (): Promise<void> => {
    for (let piece = next(); piece !== null; piece = over ? null : next()) {
      const at = begun++;
      try {
        const what = await work(piece);
        done[at] = what;
        over ||= isLast(what);
      } catch (error) {
        over = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: FIXED.perRun }, goOn));
  return done;
}
