import type { EffectEntry } from "@plasm/runtime";
import { describe, expect, it } from "vitest";
import { safeToRepeat } from "./failure-text.ts";

/** Effects by line: `1 done` is a done one on line 1. */
const effects = (...all: readonly string[]): readonly EffectEntry[] =>
  all.map((text, index) => {
    const [line = "", status = ""] = text.split(" ");
    return { seq: index + 1, node: `n${line}`, status } as EffectEntry;
  });

const lineOf = (node: string): number => Number(node.slice(1));

describe("what is safe to repeat (ERR-020)", () => {
  it.each<[readonly string[], string]>([
    [["1 failed"], "no effect was performed, so the whole program may be planned and run again"],
    [
      ["1 skipped", "2 skipped"],
      "no effect was performed, so the whole program may be planned and run again",
    ],
    [["1 done", "3 skipped"], "do not repeat line 1, its effect is done"],
    [["1 done", "1 done", "2 failed"], "do not repeat line 1, its effects are done"],
    [
      ["1 done", "2 done", "4 done", "5 failed"],
      "do not repeat lines 1, 2 and 4, their effects are done",
    ],
    [
      ["2 done", "2 done", "2 failed", "2 skipped"],
      "do not repeat line 2 as it stands, 2 of its 4 effects are done",
    ],
    [
      ["1 done", "2 done", "2 in_doubt", "3 skipped"],
      "do not repeat line 1, its effect is done; " +
        "do not repeat line 2 as it stands, 1 of its 2 effects is done; " +
        "look at what line 2 left in doubt before you repeat it",
    ],
  ])("%j", (all, advice) => expect(safeToRepeat(effects(...all), lineOf)).toBe(advice));

  it("does not offer a whole program of which an effect may have happened all the same", () => {
    expect(safeToRepeat(effects("1 failed"), lineOf, true)).toBe("nothing else was performed");
  });

  it("says nothing twice of an effect in doubt", () => {
    expect(safeToRepeat(effects("1 in_doubt"), lineOf, true)).toBe("nothing else was performed");
    expect(safeToRepeat(effects("1 done", "2 in_doubt"), lineOf, true)).toBe(
      "do not repeat line 1, its effect is done",
    );
  });
});
