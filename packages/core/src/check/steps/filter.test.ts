import { expect, test } from "vitest";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { parse } from "../../language/grammar/parse.ts";
import { ALL_FEATURES } from "../../policy/policy.ts";
import { checkProgram } from "../check-program.ts";
import type { FilterRows, Rows, TypedPred } from "../typed-program.ts";
import { namesOneRow } from "./filter.ts";

function checked(text: string) {
  const { source, program } = parse(text);
  const rules = { exposure: quayExposure, features: ALL_FEATURES, untaught: new Set<string>() };
  const { context, program: typed } = checkProgram(rules, source, program);
  const [root] = typed.roots;
  if (root === undefined) throw new Error(`${text} has no root`);
  return { context, rows: root.rows };
}

test.each([
  ["Boat{id=b1}", "opt"],
  ["Boat.filter{name=x}.filter{id=b1}", "opt"],
  ["Boat.filter{id=b1}.filter{name=x}", "opt"],
  ["Boat{id in [b1, b2]}", "many"],
  ["Boat{name=x}", "many"],
  ["Boat{any{id=b1, id=b2}}", "many"],
  ["Boat.filter{near=north}.filter{id=b1}", "many"],
  ["Boat.filter{id!=b1}", "many"],
  ["Boat.limit(5).filter{id=b1}", "many"],
  ["Boat{id=null}", "many"],
])("LANG-060: %s holds %s", (text, card) => {
  expect(checked(text).rows.type.card).toBe(card);
});

/** A condition that counts how often anything looks at it. */
function counting(pred: TypedPred, seen: () => void): TypedPred {
  return new Proxy(pred, {
    get: (target, name, receiver) => {
      seen();
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

/** How many looks at conditions it takes to ask at each filter of a chain over a list. */
function looks(filters: number): number {
  const { context, rows } = checked("Boat.filter{name=x}");
  if (rows.kind !== "filter") throw new Error("no filter");
  let count = 0;
  let source: Rows = rows.source;
  for (let made = 0; made < filters; made += 1) {
    const pred = counting(rows.pred, () => (count += 1));
    const next: FilterRows = { ...rows, source, pred };
    expect(namesOneRow(context, next)).toBe(false);
    source = next;
  }
  return count;
}

test("LANG-001: a filter costs what its own conditions cost, however many stand below it", () => {
  const [one, few] = [looks(1), looks(10)];
  expect(one).toBeGreaterThan(0);
  expect(few).toBe(10 * one);
  expect(looks(1_000)).toBe(1_000 * one);
});
