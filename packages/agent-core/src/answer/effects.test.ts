import type { EffectEntry } from "@plasm/runtime";
import { eachEffect } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { doneLines, effectsText, failedEffectLines, failedLines } from "./effects.ts";

/** One token a character, and room for what a test does not measure. */
const ample = { tokens: 100_000, count: (text: string) => text.length };

const entry = (over: Partial<EffectEntry>): EffectEntry => ({
  seq: 1,
  node: "n1",
  row: null,
  entryId: "orchard",
  entity: "Tree",
  capability: "tree_create",
  label: "create",
  target: null,
  args: {},
  fingerprint: "f",
  idempotencyKey: null,
  status: "done",
  startedAt: 1,
  endedAt: 2,
  httpStatus: 201,
  result: null,
  error: null,
  ...over,
});

const update = { capability: "tree_update", label: "update" } as const;

describe("SURF-15 a line of an effect, with what it was done to", () => {
  it.each<[Partial<EffectEntry>, string]>([
    [{ result: [{ ref: "Tree:12", values: { id: 12 } }] }, "done create orchard.Tree 12"],
    [{ result: [{ ref: null, values: { ok: true } }] }, "done create orchard.Tree"],
    [{ result: [{ values: { ok: true } }] }, "done create orchard.Tree"],
    [{ result: [] }, "done create orchard.Tree"],
    [{ result: [{ ref: "Tree:12" }, { ref: "Tree:13" }] }, "done create orchard.Tree"],
    [{ ...update, target: "Tree:7", result: [{ ref: "Tree:8" }] }, "done update orchard.Tree 7"],
    [{ ...update, target: "Tree:a:b" }, "done update orchard.Tree a:b"],
  ])("%j", (over, line) => {
    expect(effectsText(doneLines([entry(over)], ample))).toEqual([line]);
  });

  it("ERR-020, OPS-29 a failed run counts done, failed, in doubt and not started, then lists them", () => {
    const each = { ...update, node: "n4" } as const;
    const effects = [
      entry({ ...each, row: 0, target: "Tree:12" }),
      entry({ ...each, row: 1, target: "Tree:15" }),
      entry({ ...each, row: 2, target: "Tree:19", status: "in_doubt" }),
      entry({ ...each, row: 3, target: "Tree:20", status: "skipped" }),
    ];
    expect(failedEffectLines(effects)).toEqual([
      "effects: 2 done, 1 in doubt, 1 not started",
      "done n4[0] update orchard.Tree 12",
      "done n4[1] update orchard.Tree 15",
      "in doubt n4[2] update orchard.Tree 19",
      "not started n4[3] update orchard.Tree 20",
    ]);
  });
});

describe("SURF-11, SURF-15: effects within the tokens of an answer", () => {
  const all = (count: number, over: (at: number) => Partial<EffectEntry> = () => ({})) =>
    Array.from({ length: count }, (_, at) =>
      entry({ ...update, node: "n2", row: at, target: `Tree:${at}`, ...over(at) }),
    );
  const within = (tokens: number) => ({ tokens, count: (text: string) => text.length });
  const cost = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);

  it("whole counts of what has no line, and where all of them are", () => {
    const lines = doneLines(all(10_000), within(400));
    const text = effectsText(lines, "plasm://session/s0/r/3");
    const told = text.slice(0, -1).flatMap(eachEffect);
    expect(told.length).toBeGreaterThan(100);
    expect(told).toEqual(told.map((_, at) => `done update orchard.Tree ${at}`));
    expect(text.at(-1)).toBe(`${10_000 - told.length} done left out · all: plasm://session/s0/r/3`);
    expect(cost(text.slice(0, -1))).toBeLessThanOrEqual(400);
    expect(lines.tokens).toBeLessThanOrEqual(400);
    expect(effectsText(lines).at(-1)).toMatch(/ · all: _meta\.plasm\.effects$/);
  });

  it("what was left open is told before what is done, in the order of all", () => {
    const effects = all(2_000, (at) => (at === 1_500 ? { status: "in_doubt" } : {}));
    const text = effectsText(failedLines(effects, within(300)));
    expect(text[0]).toBe("effects: 1999 done, 1 in doubt");
    expect(text.at(-2)).toBe("in doubt n2[1500] update orchard.Tree 1500");
    expect(text.at(-1)).toMatch(/^\d+ done left out · all: /);
    expect(text[1]).toBe("done n2[0] update orchard.Tree 0");
  });

  it("all of them where they fit exactly, and the count alone where not one does", () => {
    const effects = all(3);
    const whole = effectsText(doneLines(effects, ample));
    expect(whole).toEqual(["done update orchard.Tree ×3 0 1 2"]);
    expect(effectsText(doneLines(effects, within(cost(whole))))).toEqual(whole);
    expect(effectsText(doneLines(effects, within(cost(whole) - 1))).at(-1)).toMatch(/left out/);
    expect(effectsText(doneLines(effects, within(5)))).toEqual([
      "3 done left out · all: _meta.plasm.effects",
    ]);
  });

  it("an identity of a megabyte takes no more than its place", () => {
    const [line = ""] = effectsText(
      doneLines([entry({ ...update, target: `Tree:${"x".repeat(1_000_000)}` })], ample),
    );
    expect(line).toBe(`done update orchard.Tree ${"x".repeat(200)}… (+999800)`);
  });

  it("a thousand effects are weighed by as many tokens as fit, not by all there are", () => {
    let counted = 0;
    const count = (text: string): number => {
      counted += 1;
      return text.length;
    };
    const looked = (effects: number): number => {
      counted = 0;
      doneLines(all(effects), { tokens: 1_000, count });
      return counted;
    };
    // A head that counts more leaves room for no more.
    expect(looked(50_000)).toBeLessThanOrEqual(looked(500));
  });
});
