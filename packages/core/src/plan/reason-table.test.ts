import { describe, expect, test } from "vitest";
import { fullPlan, reasonsOf } from "../../test/bill-of.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { mill } from "../../test/mill-catalog.ts";
import { store } from "../../test/store-catalog.ts";
import type { Exposure } from "../symbols/exposure.ts";
import type { Reason } from "./ir.ts";
import { isExpensive } from "./commit.ts";

const UNBOUNDED = "expensive unbounded_read n1";
const FAN_OUT = "expensive relation_fanout n2";

const found = (text: string, code: string, exposure: Exposure = quayExposure): Reason => {
  const reason = fullPlan(text, exposure).summary.reasons.find((each) => each.code === code);
  if (reason === undefined) throw new Error(`No ${code}.`);
  return reason;
};

describe("OPS-6, RUN-076: who reads all pages, and is named for it", () => {
  test.each([
    ["sort", "Boat.sort(length)", [UNBOUNDED]],
    ["distinct", "Boat.distinct(owner)", [UNBOUNDED]],
    ["aggregate", "Boat.aggregate(n=count)", [UNBOUNDED]],
    ["group_by", "Boat.group_by(owner, n=count)", [UNBOUNDED]],
    ["template", "Boat <<X\n{{ rows | length }}\nX", [UNBOUNDED]],
    [".owner", "Boat.owner", [UNBOUNDED, FAN_OUT]],
    ["=>", "Boat => {n: _.name}", [UNBOUNDED]],
    ["=>", "Boat => Visit.query(boat=_)", [UNBOUNDED, "review unbounded_for_each n2"]],
    ["=>", "Boat => _.ping()", [UNBOUNDED, "expensive mutating_for_each n2", "review effect n2"]],
    ["condition", "a = Person\nBoat{owner in a.login}", [UNBOUNDED, FAN_OUT]],
    ["condition", "a = Boat\nPerson{login in a.owner}", [UNBOUNDED, FAN_OUT]],
    ["filter", "Boat{length>10}", [UNBOUNDED]],
    ["filter", 'Boat{owner.name="Ann"}', [UNBOUNDED, FAN_OUT]],
  ])("%s: %s", (consumer, text, reasons) => {
    expect(reasonsOf(text)).toEqual(reasons);
    expect(found(text, "unbounded_read").detail).toContain(consumer);
    expect(fullPlan(text).summary.verdict).toBe("review");
    expect(isExpensive(fullPlan(text))).toBe(true);
  });

  test.each([
    ["the first of several that reads it all", "a = Boat\na.sort(name), a.limit(3)", [UNBOUNDED]],
    ["behind a projection", "Boat[id, name].sort(name)", [UNBOUNDED]],
    ["behind a local condition", "a = Boat\na, a.filter{length>3}.sort(name)", [UNBOUNDED]],
    ["behind rows joined to it", "Boat.sort(owner.name)", [UNBOUNDED, FAN_OUT]],
    ["behind a singleton", "Boat.singleton().sort(name)", []],
    ["behind a limit", "Boat.limit(4).aggregate(n=count)", []],
    ["of one row", 'Boat("b1").sort(name)', []],
    ["of a condition that is sent", "Boat{owner=ann}.group_by(state, n=count)", []],
    ["of an anchored relation", 'Boat("b1").visits.aggregate(n=count)', []],
    ["of a page that is returned beside", "a = Boat\na, a.limit(2)", []],
    ["a condition behind a page size", "a = Boat{length>3}\na.page_size(2)", ["info scan n1"]],
    ["a page size behind derived rows", "a = Boat => {n: _.name}\na.page_size(9)", []],
    ["a limit behind derived rows", "a = Boat => {n: _.name}\na.limit(9)", []],
    ["all of derived rows", "a = Boat => {n: _.name}\na.sort(n)", [UNBOUNDED]],
  ])("%s: %s", (_, text, reasons) => {
    expect(reasonsOf(text)).toEqual(reasons);
    expect(isExpensive(fullPlan(text))).toBe(reasons.includes(UNBOUNDED));
  });

  test("a list without pages is never unbounded", () => {
    expect(reasonsOf("Crate.sort(label)", store)).toEqual([]);
    expect(reasonsOf("Crate{label!=x}", store)).toEqual([]);
    expect(reasonsOf("Sack{label!=x}.limit(3)", mill)).toEqual([]);
  });

  test("a column that is an argument takes all rows, too", () => {
    const text = "w = Wide\nCrate(c).tag(plus=w.f1)";
    expect(reasonsOf(text, store)).toEqual([UNBOUNDED, "review effect n2"]);
    expect(found(text, "unbounded_read", store).detail).toContain("value");
  });

  test("a scan says how many rows it is for (PLAN-021)", () => {
    expect(found("Boat{length>10}.limit(3)", "scan")).toMatchObject({
      severity: "info",
      detail: expect.stringMatching(/\b3\b/),
      estimate: { requests: null, rows: 3 },
    });
    expect(found("Boat{length>10}.page_size(7)", "scan").detail).toMatch(/\b7\b/);
    expect(found("Boat{length>10}.singleton()", "scan").detail).toMatch(/\b2\b/);
    const two = "a = Boat\na.limit(30), a.filter{length>3}.limit(2)";
    expect(found(two, "scan").detail).toMatch(/\b30\b/);
    expect(found("a = Boat\na.filter{length>3}.limit(40), a.limit(4)", "scan").detail).toMatch(
      /\b40\b/,
    );
  });
});

describe("PLAN-021: a request per row, above 25 of them", () => {
  test.each([
    ["a relation", "Boat.limit(26).owner", "n2", /\b26\b/, { requests: 26, rows: 26 }],
    ["a join", "Boat.limit(30)[owner.name]", "n2", /\b30\b/, { requests: 30, rows: 30 }],
    ["of unknown rows", "Boat.owner", "n2", /unknown/, { requests: null, rows: null }],
    ["a get per row", "Boat.limit(30)[note]", "n1", /\bnote\b/, { requests: 32, rows: 30 }],
    ["per value", "a = Person.limit(30)\nBoat{owner in a.login}", "n2", /\b30\b/, {}],
  ])("%s: %s", (_, text, node, detail, estimate) => {
    const reason = found(text, "relation_fanout");
    expect(reason).toMatchObject({ severity: "expensive", node, estimate });
    expect(reason.detail).toMatch(detail);
  });

  test("the fields a get per row is for are named, a few of them", () => {
    const fields = (text: string): string => found(text, "relation_fanout").detail;
    expect(fields("Boat.limit(30)[note]")).not.toMatch(/,|…/);
    expect(fields("Boat.limit(30)[flags, note]")).toMatch(/flags, note$/);
    expect(fields("Boat.limit(30)[flags, meta, note]")).toMatch(/flags, meta, note$/);
    const many =
      "Boat.limit(30) <<X\n{% for r in rows %}{{ r.flags }}{{ r.meta }}{{ r.note }}{{ r.papers }}{% endfor %}\nX";
    expect(fields(many)).toMatch(/flags, meta, note …$/);
  });

  test.each([
    ["25 rows", "Boat.limit(25).owner", []],
    ["reads per row, 25", "Boat.limit(25) => Visit.query(boat=_)", []],
    [
      "reads per row, 26",
      "Boat.limit(26) => Visit.query(boat=_)",
      ["review unbounded_for_each n2"],
    ],
    ["a get per key", "Boat{id in [b1, b2]}", []],
    ["rows in hand", 'Boat("b1").logs', []],
    [
      "an effect per row",
      "Boat.limit(2) => _.ping()",
      ["expensive mutating_for_each n2", "review effect n2"],
    ],
  ])("%s: %s", (_, text, reasons) => {
    expect(reasonsOf(text)).toEqual(reasons);
  });

  test("rows of a for_each are told, or that they are unknown", () => {
    expect(found("Boat.limit(30) => Visit.query(boat=_)", "unbounded_for_each").detail).toBe(
      "≤30 rows",
    );
    expect(found("Boat => _.ping()", "mutating_for_each").detail).toContain("unknown");
  });
});

describe("PLAN-021: what a reader should know besides", () => {
  const WIDE = "info wide_read";

  test.each([
    ["more than 12 fields, unprojected", "Wide", [`${WIDE} n1`]],
    ["12 fields", "Slim", []],
    ["projected", "Wide[id]", []],
    ["one row", "Wide(a)", []],
    ["perhaps one row", "Wide.limit(1)", [`${WIDE} n1`]],
    ["what a step keeps", "Wide.limit(3).sort(f1)", [`${WIDE} n2`]],
    ["steps behind each other", "Wide.limit(3).sort(f1).distinct(f2)", [`${WIDE} n3`]],
    ["what is not returned", "w = Wide.limit(3)\nw.sort(f1)[id]", []],
    ["gets per row", 'x = ["a", "b"]\nx => Wide(_.value)', [`${WIDE} n2`]],
    ["rows of no entity", "Wide.limit(3).aggregate(n=count)", []],
    ["derived rows", "Wide.limit(3) => {n: _.f1}", []],
    ["data", "x = [1, 2]\nx", []],
  ])("%s: %s", (_, text, reasons) => {
    expect(reasonsOf(text, store)).toEqual(reasons);
  });

  test("a wide read tells how wide, and is no reason for review", () => {
    expect(found("Wide", "wide_read", store).detail).toMatch(/\b13\b/);
    expect(fullPlan("Wide", store).summary.verdict).toBe("ok");
  });

  test("LANG-074: an effect written twice names the first", () => {
    const text = 'Boat("b1").ping()\nBoat("b2").ping()\nBoat("b1").ping()';
    expect(reasonsOf(text)).toEqual([
      "review effect n1",
      "review effect n2",
      "review effect n3",
      "info duplicate_effect n3",
    ]);
    expect(found(text, "duplicate_effect").detail).toMatch(/\bn1\b/);
    expect(reasonsOf("Boat[id]\nBoat[id]")).toEqual([]);
  });

  test("LANG-022: a word that is nearly a reference is told with the label", () => {
    const text = 'anm = Person("ann")\nBoat("b1").send(to=ann.name)\nanm';
    const note = found(text, "text_not_binding");
    expect(note).toMatchObject({
      severity: "info",
      node: null,
      estimate: { requests: null, rows: null },
    });
    expect(note.detail).toMatch(/ann\.name.*\banm\b/);
  });

  test("OPS-6: seeds that nothing touches, in bodies and relations too", () => {
    const unused = (text: string): readonly string[] =>
      fullPlan(text)
        .summary.reasons.filter(({ code }) => code === "unused_seed")
        .map(({ detail, node, estimate }) => {
          expect([node, estimate]).toEqual([null, { requests: null, rows: null }]);
          return detail;
        });
    const all = ["Boat", "Digest", "Log", "Office", "Paper", "Person", "Stats", "Visit"];
    const without = (...names: readonly string[]): readonly string[] =>
      all.filter((name) => !names.includes(name)).map((name) => `quay.${name}`);
    expect(unused("x = [1]\nx")).toEqual(without());
    expect(unused('x = ["b1"]\nx => Boat(_.value)')).toEqual(without("Boat"));
    expect(unused('Person("ann").boats')).toEqual(without("Boat", "Person"));
    expect(unused("Boat.limit(2)[owner.name]")).toEqual(without("Boat", "Person"));
    expect(unused("Boat.limit(2) => Visit.query(boat=_)")).toEqual(without("Boat", "Visit"));
  });

  test("expensive reasons come first, then those for review, then what is worth knowing", () => {
    const text = 'Boat("b1").ping()\nBoat("b1").ping()\nPerson.sort(name)\nBoat{length>3}.limit(2)';
    expect(reasonsOf(text)).toEqual([
      "expensive unbounded_read n3",
      "review effect n1",
      "review effect n2",
      "info scan n5",
      "info duplicate_effect n2",
    ]);
  });
});
