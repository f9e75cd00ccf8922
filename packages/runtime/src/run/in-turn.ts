import { FIXED } from "../limits/limits.ts";

/** Pieces of work that are done side by side. */
export interface Pieces<W, T> {
  /** the next one; null where there is none */
  readonly next: () => W | null;
  readonly work: (piece: W) => Promise<T>;
  /** whether no other one may begin after it, nor any behind it be taken */
  readonly isLast: (done: T) => boolean;
  /** takes what became of a piece: all in their order, each as soon as those before it were taken */
  readonly take: (done: T) => void;
}

/**
 * Does pieces of work, as many at a time as a run may have requests under way, each as soon as there is room
 * for it (PLAN-060). Rejects as the first that does, and takes none from then on.
 */
export async function inTurn<W, T>({ next, work, isLast, take }: Pieces<W, T>): Promise<void> {
  const done = new Map<number, T>();
  let begun = 0;
  let taken = 0;
  let over = false;

  const takeAll = (): void => {
    for (;;) {
      const what = done.get(taken);
      if (what === undefined) return;
      done.delete(taken);
      // Those behind the last one are never reached.
      taken = isLast(what) ? Number.POSITIVE_INFINITY : taken + 1;
      take(what);
    }
  };

  const goOn = async (): Promise<void> => {
    for (let piece = next(); piece !== null; piece = over ? null : next()) {
      const at = begun++;
      try {
        const what = await work(piece);
        over ||= isLast(what);
        done.set(at, what);
        takeAll();
      } catch (error) {
        over = true;
        // Whoever asked for it has gone on: what is still under way is for nobody.
        taken = Number.POSITIVE_INFINITY;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: FIXED.perRun }, goOn));
}
