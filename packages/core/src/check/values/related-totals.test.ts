import { describe, expect, test } from "vitest";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { errorsOf, planOf } from "../../../test/plan-of.ts";
import { renderPlan } from "../../plan/render/render-plan.ts";

const plan = (text: string) => planOf(text, quayExposure);

describe("LANG-055 what related rows come to, planned", () => {
  test("all that is asked of the same rows is one node", () => {
    const { nodes } = plan(
      "b = Boat.limit(3)\nb => {n: count(_.visits), fees: sum(_.visits.fee), also: count(_.visits)}",
    );
    expect(nodes.map(({ kind }) => kind)).toEqual(["query", "join", "derive"]);
    expect(nodes[1]).toMatchObject({
      path: ["visits"],
      capability: "visit_query",
      wanted: ["fee"],
      totals: {
        via: "query_scoped",
        filter: null,
        asked: [
          { as: "count(visits)", fn: "count", path: null },
          { as: "sum(visits.fee)", fn: "sum", path: ["fee"] },
        ],
      },
    });
  });

  test("PLAN-021 a read for each row is billed and asks for review where rows are many", () => {
    const { summary } = plan("b = Boat\nb => {n: count(_.visits)}");
    expect(summary.verdict).toBe("review");
    expect(summary.reasons.map(({ code }) => code)).toContain("relation_fanout");
    const few = plan("b = Boat.limit(3)\nb => {n: count(_.logs)}").summary;
    expect([few.verdict, few.bill.nodes["n2"]?.parents]).toEqual(["ok", "certain"]);
  });

  test("PLAN-040 the dry run names relation, read and what is asked", () => {
    const shown = renderPlan(plan("b = Boat.limit(3)\nb => {n: count(_.visits{fee>3})}"), "pc0", {
      now: 0,
    });
    expect(shown).toContain("total quay.Boat.visits");
    expect(shown).toContain("n=n2.count(visits)");
    expect(shown).toContain("of fee > 3");
  });

  test("PLAN-003 names, symbols and order of what is asked make no other plan", () => {
    const one = plan("b = Boat\nb => {n: count(_.visits), s: sum(_.visits.fee)}");
    expect(plan("them = Boat\nthem => {n: count(_.visits), s: sum(_.visits.fee)}").commit).toBe(
      one.commit,
    );
    expect(plan("Boat{exists(visits)}").commit).toBe(plan("Boat{exists(_.visits)}").commit);
  });
});

describe("LANG-055 mistakes", () => {
  const first = (text: string) => {
    const [error] = errorsOf(`b = Boat.limit(3)\n${text}`, quayExposure);
    return error;
  };

  test.each<[string, string, string]>([
    ["b => {n: count(visits)}", "unknown_name", "_.visits"],
    ["b => {n: count(Visit{boat=_.id})}", "unknown_name", "_.visits"],
    ["b => {n: sum(_.visits)}", "argument_missing", "sum(_.visits.column)"],
    ["b => {n: sum(_.visits.day)}", "argument_invalid", "numbers"],
    ["b => {n: count(_.visits{boat.name=Alma})}", "unknown_method", "their own columns"],
    ["b => {n: count(_.visits{fee > _.length})}", "unknown_method", "their own columns"],
    ["b => {n: upper(_.visits{fee > 1})}", "relation_as_value", "count(_.visits{fee > 1})"],
    ["b => {n: count(_.visits{toll > 1})}", "unknown_slot", "fee"],
    [
      'visits = Boat("b1").visits\nb{length > 3, 2 < count(visits)}, visits',
      "argument_invalid",
      "_.visits",
    ],
    ["b => {n: first(_.visits)}", "relation_as_value", ".visits"],
  ])("%s is %s", (text, code, says) => {
    const error = first(text);
    expect(error?.code).toBe(code);
    expect(`${error?.message} ${error?.correction}`).toContain(says);
  });

  test.each<[string, string]>([
    ["b => {n: _.visits.aggregate(n=count).n}", "count(_.visits)"],
    ["b => {n: _.visits{fee>2}.aggregate(total=sum(fee)).total}", "sum(_.visits{fee>2}.fee)"],
    ["b => {n: _.visits{fee>2}}", "count(_.visits{fee>2})"],
    ["b => {n: _.visits.count()}", "count(_.visits)"],
  ])("%s is told %s", (text, form) => {
    expect(first(text)?.correction).toContain(form);
  });
});
