import type { EffectEntry } from "@plasm/runtime";
import { describe, expect, it } from "vitest";
import { doneLines, failedEffectLines } from "./effect-lines.ts";

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

describe("SURF-15 one line an effect, with what it was done to", () => {
  it.each<[Partial<EffectEntry>, string]>([
    [{ result: [{ ref: "Tree:12", values: { id: 12 } }] }, "done create orchard.Tree 12"],
    [{ result: [{ ref: null, values: { ok: true } }] }, "done create orchard.Tree"],
    [{ result: [{ values: { ok: true } }] }, "done create orchard.Tree"],
    [{ result: [] }, "done create orchard.Tree"],
    [{ result: [{ ref: "Tree:12" }, { ref: "Tree:13" }] }, "done create orchard.Tree"],
    [{ ...update, target: "Tree:7", result: [{ ref: "Tree:8" }] }, "done update orchard.Tree 7"],
    [{ ...update, target: "Tree:a:b" }, "done update orchard.Tree a:b"],
  ])("%j", (over, line) => {
    expect(doneLines([entry(over)])).toEqual([line]);
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
