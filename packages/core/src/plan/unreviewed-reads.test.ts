import { expect, test } from "vitest";
import { fixtureExposure, quayExposure } from "../../test/fixture-exposure.ts";
import { planOf } from "../../test/plan-of.ts";
import type { Policy } from "../policy/policy.ts";
import { planMeta } from "./commit.ts";
import { renderPlan } from "./render/render-plan.ts";

const READS = { requests: 20, rows: 2_000 };

/** A plan under a budget of reads that nobody reviews. */
const under = (text: string, unreviewedReads = READS) =>
  planOf(text, quayExposure, { unreviewedReads });

const gets = (count: number): string =>
  Array.from({ length: count }, (_, at) => `Boat("b${at}")`).join("\n");

test.each([
  ["a list whose pages are not known", "Boat.sort(length)"],
  ["a local condition", "Boat{length>10}"],
  ["a request per row of an unknown number", "Boat.owner"],
  ["a request per row of at most 300", "Boat.limit(300)[note]"],
  ["reads per row, of an unknown number", "Boat => Visit.query(boat=_)"],
])("PLAN-054, %s may turn out to be cheap: %s runs at once and stops there", (_, text) => {
  expect(planOf(text).summary.verdict).toBe("review");
  const { verdict, stops_at: stopsAt, reasons } = under(text).summary;
  expect([verdict, stopsAt]).toEqual(["ok", READS]);
  expect(reasons).toEqual(planOf(text).summary.reasons);
});

test("PLAN-012, a budget changes no commit id", () => {
  const text = "Boat.sort(length)";
  expect(under(text).commit).toBe(planOf(text).commit);
});

test.each([
  ["an effect", 'Boat("b1").update(note="painted")'],
  ["an effect beside a read", 'Boat.sort(length)\nBoat("b1").update(note="painted")'],
  ["an effect per row", "Boat.sort(length) => Boat(_.id).update(note=_.name)"],
  ["a contradiction", "Boat{length>10, length<5}"],
  ["requests that are certain", `Boat.sort(length)\n${gets(20)}`],
])("PLAN-054, %s is reviewed: %s", (_, text) => {
  const { verdict, stops_at: stopsAt } = under(text).summary;
  expect([verdict, stopsAt]).toEqual(["review", undefined]);
});

test("PLAN-054, what is certain is held against the budget, what is possible is not", () => {
  const text = `Boat.sort(length)\n${gets(2)}\nBoat.owner`;
  const verdict = (requests: number) => under(text, { requests, rows: 2_000 }).summary.verdict;
  expect([verdict(3), verdict(2)]).toEqual(["ok", "review"]);
});

test.each([
  { requests: 0, rows: 2_000 },
  { requests: 20, rows: 0 },
])("PLAN-054, %j: every read that may be large is reviewed", (reads) => {
  const { verdict, stops_at: stopsAt } = under("Boat.sort(length)", reads).summary;
  expect([verdict, stopsAt]).toEqual(["review", undefined]);
});

test("PLAN-054, a plan that no reason holds back has no such budget", () => {
  const { verdict, stops_at: stopsAt } = under("Boat.limit(10).sort(length)").summary;
  expect([verdict, stopsAt]).toEqual(["ok", undefined]);
});

test("SURF-25, policy says how much, each figure for itself", () => {
  const policy: Policy = { unreviewed_reads: { requests: 5 } };
  const exposure = fixtureExposure(["quay"], { policy });
  const stopsAt = (settings = {}) => planOf("Boat.sort(length)", exposure, settings).summary;
  expect(stopsAt({ unreviewedReads: READS }).stops_at).toEqual({ requests: 5, rows: 2_000 });
  expect(stopsAt().verdict).toBe("review");
});

test("PLAN-050, a budget of the run that is lower counts", () => {
  const policy: Policy = { budgets: { requests: 7 } };
  const exposure = fixtureExposure(["quay"], { policy });
  const plan = planOf("Boat.sort(length)", exposure, { unreviewedReads: READS });
  expect(plan.summary.stops_at).toEqual({ requests: 7, rows: 2_000 });
});

test("PLAN-040, PLAN-041: text and meta say where it stops, and how to read all", () => {
  const plan = under("Boat.sort(length)");
  expect(renderPlan(plan, "pc3").split("\n\n")[0]?.split("\n")).toEqual([
    "plan ok pc3 · 2 nodes, 1 request or more → Boat",
    "expensive unbounded_read n1 Boat: paged, sort reads all",
    "runs at once, partial at 20 requests or 2,000 rows; plan_commit_ref=pc3 reads under the full budgets",
  ]);
  const { dry_verdict: verdict, dry_review: review } = planMeta(plan, "pc3", "");
  expect([verdict, review.expensive, review.stops_at]).toEqual(["ok", true, READS]);
  expect(planMeta(planOf("Boat.sort(length)"), "pc3", "").dry_review).not.toHaveProperty(
    "stops_at",
  );
});
