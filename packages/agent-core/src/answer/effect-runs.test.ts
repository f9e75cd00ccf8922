import { visible } from "@plasm/core/internal";
import type { EffectEntry } from "@plasm/runtime";
import { eachEffect, HOSTILE_PIECES } from "@plasm/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layoutRuns } from "./effect-runs.ts";

type Told = Pick<EffectEntry, "label" | "entity" | "target"> & {
  readonly status?: EffectEntry["status"];
};

const entry = ({ label, entity, target, status = "done" }: Told): EffectEntry => ({
  seq: 1,
  node: "n1",
  row: null,
  entryId: "orchard",
  entity,
  capability: `${entity}_${label}`,
  label,
  target,
  args: {},
  fingerprint: "f",
  idempotencyKey: null,
  status,
  startedAt: 1,
  endedAt: 2,
  httpStatus: 200,
  result: null,
  error: null,
});

const on = (label: string, ...targets: readonly (string | null)[]): readonly EffectEntry[] =>
  targets.map((target) => {
    return entry({ label, entity: target?.split(":")[0] ?? "Tree", target });
  });

describe("SURF-15 effects that follow each other and differ in their keys alone share a line", () => {
  it.each<[string, readonly EffectEntry[], readonly string[]]>([
    ["one", on("prune", "Tree:7"), ["done prune orchard.Tree 7"]],
    ["simple keys", on("prune", "Tree:7", "Tree:9"), ["done prune orchard.Tree ×2 7 9"]],
    ["one key twice", on("prune", "Tree:7", "Tree:7"), ["done prune orchard.Tree ×2 7 7"]],
    ["no keys", on("create", null, null), ["done create orchard.Tree ×2"]],
    [
      "compound keys, whose equal parts are said once",
      on("cut", "Row:bed=2,plot=n,side=a", "Row:bed=4,plot=n,side=a"),
      ["done cut orchard.Row ×2 plot=n,side=a · bed=2 4"],
    ],
    [
      "compound keys of several parts that differ",
      on("cut", "Row:bed=2,plot=n", "Row:bed=4,plot=s"),
      ["done cut orchard.Row ×2 bed,plot=2,n 4,s"],
    ],
    [
      "one compound key twice",
      on("cut", "Row:bed=2,plot=n", "Row:bed=2,plot=n"),
      ["done cut orchard.Row ×2 bed=2,plot=n"],
    ],
    [
      "another label or entity between them",
      [...on("prune", "Tree:7"), ...on("cut", "Tree:7", "Row:7"), ...on("prune", "Tree:9")],
      [
        "done prune orchard.Tree 7",
        "done cut orchard.Tree 7",
        "done cut orchard.Row 7",
        "done prune orchard.Tree 9",
      ],
    ],
    [
      "a key too long for a list",
      on("prune", "Tree:1", "Tree:2", `Tree:${"x".repeat(201)}`, "Tree:3"),
      [
        "done prune orchard.Tree ×2 1 2",
        `done prune orchard.Tree ${"x".repeat(200)}… (+1)`,
        "done prune orchard.Tree 3",
      ],
    ],
    [
      "keys that could be read as others",
      on("prune", "Tree:1 2", "Tree:a, b", "Tree:a=b", 'Tree:"', "Tree:×3", "Tree:a\nb"),
      ['done prune orchard.Tree ×6 "1 2" "a, b" "a=b" "\\"" "×3" "a\\nb"'],
    ],
    [
      "one key that reads like a list",
      [...on("prune", "Tree:×3 a b c"), ...on("cut", 'Tree:"a" b')],
      ['done prune orchard.Tree "×3 a b c"', 'done cut orchard.Tree "\\"a\\" b"'],
    ],
    [
      "what is not done has a line of its own",
      [
        entry({ label: "prune", entity: "Tree", target: "Tree:1", status: "in_doubt" }),
        entry({ label: "prune", entity: "Tree", target: "Tree:2", status: "in_doubt" }),
      ],
      ["in doubt prune orchard.Tree 1", "in doubt prune orchard.Tree 2"],
    ],
  ])("%s", (_, effects, lines) => {
    expect(layoutRuns(effects).lines).toEqual(lines);
  });
});

const text = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
  fc.constantFrom(...HOSTILE_PIECES, "7", "b1", "×2", "×2 a b", "a, b", "a=b,c=d", '"', " · "),
);
/** A key part as identities hold it (RUN-046). */
const part = text.map((value) => value.replaceAll(/[%,=]/g, (sign) => encodeURIComponent(sign)));
const key = fc.oneof(
  text,
  fc.integer({ min: 1, max: 99 }).map(String),
  fc.tuple(part, part).map(([plot, bed]) => `bed=${bed},plot=${plot}`),
  part.map((bed) => `bed=${bed},plot=n,side=a`),
);
const told = fc.record({
  label: fc.constantFrom("prune", "add-labels"),
  entity: fc.constantFrom("Tree", "Row"),
  key: fc.option(key, { freq: 9 }),
});

describe("P16, SURF-15: whatever keys hold", () => {
  it("each is read back from the lines, in order, and no line is forged", () => {
    fc.assert(
      fc.property(fc.array(told, { maxLength: 30 }), (effects) => {
        const { lines } = layoutRuns(
          effects.map(({ label, entity, key: id }) =>
            entry({ label, entity, target: id === null ? null : `${entity}:${id}` }),
          ),
        );
        const read = lines.flatMap(eachEffect).map(visible);
        const wanted = effects.map(({ label, entity, key: id }) =>
          visible(`done ${label} orchard.${entity}${id === null ? "" : ` ${id}`}`),
        );
        expect(read).toEqual(wanted);
        expect(lines.filter((line) => visible(line) !== line)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("effects of one kind take one line, however many", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 2, maxLength: 50 }), (ids) => {
        const { lines } = layoutRuns(on("prune", ...ids.map((id) => `Tree:${id}`)));
        expect(lines).toEqual([`done prune orchard.Tree ×${ids.length} ${ids.join(" ")}`]);
      }),
    );
  });
});
