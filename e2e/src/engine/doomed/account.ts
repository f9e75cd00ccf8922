import type { Harbour } from "../../harness/harbour.ts";
import type { FiveEffects } from "./five-effects.ts";
import { effectsTold, type Ending } from "./told.ts";

/** What an answer tells of the effects of a plan, and what happened to them. */
export interface Account {
  /** of each effect, in order */
  readonly endings: readonly Ending[];
  readonly done: number;
  readonly doubtful: number;
  /** requests that changed something, in the order the API got them */
  readonly performed: readonly string[];
  /** the same as the answer names them: those done, and the one in doubt if it was performed */
  readonly named: readonly (string | null)[];
  /** how often the register says that each effect was performed */
  readonly counts: readonly number[];
}

export async function accountOf(
  text: string,
  five: FiveEffects,
  harbour: Harbour,
): Promise<Account> {
  const told = effectsTold(text, five.perRow);
  const endings = told.map(({ ending }) => ending);
  const performed = harbour.performed();
  return {
    endings,
    done: endings.filter((ending) => ending === "done").length,
    doubtful: endings.filter((ending) => ending === "in doubt").length,
    performed,
    named: told.slice(0, performed.length).map(({ what }) => what),
    counts: five.counts(await harbour.register()),
  };
}

const several = <Value>(count: number, value: Value): readonly Value[] =>
  Array.from({ length: count }, () => value);

/**
 * The account that agrees with itself: each of five effects is told once, some done, then at most one in
 * doubt, then none that started; done and nothing else was performed, or done and the one in doubt, each
 * once (PLAN-072, PLAN-073).
 */
export function agreeing({ done, doubtful, performed }: Account): Account {
  const doubt = Math.min(doubtful, 1);
  const times = Math.min(Math.max(performed.length, done), done + doubt);
  return {
    endings: [
      ...several(done, "done" as const),
      ...several(doubt, "in doubt" as const),
      ...several(5 - done - doubt, "not started" as const),
    ],
    done,
    doubtful: doubt,
    performed,
    named: performed.slice(0, times),
    counts: [...several(times, 1), ...several(5 - times, 0)],
  };
}
