import { expect, test } from "vitest";
import { fixtureExposure } from "../../test/fixture-exposure.ts";
import { planOf } from "../../test/plan-of.ts";
import { planMeta } from "./commit.ts";
import { renderPlan, renderReasons } from "./render/render-plan.ts";

const codes = (text: string): readonly string[] =>
  planOf(text)
    .summary.reasons.filter(({ code }) => code !== "unused_seed")
    .map(({ code, node }) => `${code} ${node}`);

test.each([
  ["a list that is the result needs one page", "Boat", []],
  ["a projection changes nothing", "Boat[id, name]", []],
  ["a local condition alone", "Boat{length>10}", ["unbounded_read n1"]],
  ["a sort", "Boat.sort(length)", ["unbounded_read n1"]],
  ["a relation step", "Boat.owner", ["unbounded_read n1", "relation_fanout n2"]],
  ["a condition that is sent bounds", "Boat{state=lost}.sort(length)", []],
  ["so does search text", 'Boat~"Al".sort(length)', []],
  ["so does a limit", "Boat.limit(10).sort(length)", []],
  ["a limit behind a local condition", "Boat{length>10}.limit(3)", ["scan n1"]],
  ["a page size behind a local condition", "Boat{length>10}.page_size(3)", ["scan n1"]],
  ["a page size before a sort does not", "Boat.page_size(3).sort(length)", ["unbounded_read n1"]],
  ["a relation's anchor counts as sent", 'Boat("b1").visits.sort(fee)', []],
  ["a fan-out over at most 25 rows", "Boat.limit(25).owner", []],
  ["a fan-out over more", "Boat.limit(26).owner", ["relation_fanout n2"]],
  ["a get per row for at most 25", "Boat.limit(25)[note]", []],
  ["a get per row for more", "Boat.limit(26)[note]", ["relation_fanout n1"]],
  ["keys in a list", "Boat{id in [b1, b2]}", []],
])("OPS-6 and PLAN-021, %s: %s", (_, text, expected) => {
  expect(codes(text)).toEqual(expected);
});

test("the verdict is review iff a reason is more than info (OPS-5)", () => {
  expect(planOf("Boat{length>10}").summary.verdict).toBe("review");
  expect(planOf("Boat{length>10}.limit(3)").summary.verdict).toBe("ok");
});

test("a seed no node touches is named; a relation's target counts as touched (OPS-6)", () => {
  const unused = (text: string): readonly string[] =>
    planMeta(planOf(text), "pc0", "").unused_seeds;
  expect(unused('Boat("b1").visits')).toEqual([
    "quay.Digest",
    "quay.Log",
    "quay.Office",
    "quay.Paper",
    "quay.Person",
    "quay.Stats",
  ]);
});

test("SURF-8: header, reasons, an empty line, nodes", () => {
  const lines = renderPlan(planOf("old = Boat{built<2015-01-01}\nold"), "pc0").split("\n");
  expect(lines.filter((line) => !line.startsWith("info"))).toEqual([
    "plan review pc0 · 1 node, 1 request or more → old",
    "expensive unbounded_read n1 Boat: paged, filter is local",
    "",
    "n1 query quay.Boat query() · built < 2015-01-01 local · pages unknown, ≤100",
  ]);
});

test("the nodes of a dry run (PLAN-040)", () => {
  const program = [
    'b = Boat("b1")',
    "b.logs.limit(3)[text]",
    "Boat.limit(2)[id, note]",
    "Boat{any{state=lost, length>10}}.sort(state, length desc).limit(5)",
    'Boat~"two words"',
    "Visit(boat=b1, day=2026-01-05).boat",
    "Boat{id in [b1, b2]}",
  ].join("\n");
  const text = renderPlan(planOf(program), "pc3");
  expect(text.split("\n\n")[1]?.split("\n")).toEqual([
    "n1 get quay.Boat get(id=b1) · ≤1 requests",
    "n2 relation quay.Boat.logs ← n1 · ≤3 rows · a get per row that lacks fields",
    "n3 project text ← n2",
    "n4 query quay.Boat query() · ≤2 rows · a get per row",
    "n5 project id, note ← n4",
    "n6 query quay.Boat query() · any{state = lost, length > 10} local · pages unknown, ≤100",
    "n7 sort state, length desc ← n6",
    "n8 limit 5 ← n7 · ≤5 rows",
    'n9 search quay.Boat search(q="two words")',
    "n10 relation quay.Visit(boat=b1, day=2026-01-05).boat get() · ≤1 rows",
    "n11 get quay.Boat get(id=[b1, b2]) · ≤2 requests",
  ]);
});

test("values over 80 characters are cut with their length (PLAN-040)", () => {
  const text = renderPlan(planOf(`Boat{name="${"x".repeat(100)}"}.limit(1)`), "pc0");
  expect(text).toContain(`name = ${"x".repeat(80)}… (100 characters) local`);
});

test("the meta of a dry run (PLAN-041)", () => {
  const plan = planOf("Boat{length>10}");
  const meta = planMeta(plan, "pc0", "2026-01-05T10:10:00Z");
  expect(meta).toMatchObject({
    dry_run: true,
    plan_commit_ref: "pc0",
    plan_commit_expires_at: "2026-01-05T10:10:00Z",
    dry_verdict: "review",
    dry_review: { expensive: true },
    plan: { version: 1, commit: plan.commit, topological_order: ["n1"] },
  });
  expect(meta.dry_review.reasons[0]).toEqual({
    code: "unbounded_read",
    severity: "expensive",
    node: "n1",
    detail: "paged, filter is local",
    estimate: { requests: null, rows: null },
  });
});

test("budgets: the defaults, a host's, policy's (PLAN-050)", () => {
  expect(planOf("Boat").summary.budgets).toEqual({
    requests: 500,
    rows: 10_000,
    pages: 100,
    fan_out: 500,
    bytes: 67_108_864,
    wall: 45,
    work: 30_000_000,
  });
  const set = planOf("Boat", undefined, { budgets: { pages: 7, wall: 1800 } });
  expect(set.summary.budgets).toMatchObject({ pages: 7, wall: 1800 });
  expect(set.commit).toBe(planOf("Boat").commit);
});

test("unused seeds share the last line of the reasons (PLAN-040)", () => {
  const lines = renderReasons(
    planOf('Boat("b1")', fixtureExposure([["quay", "Boat", "Log", "Paper"]])),
  );
  expect(lines.at(-1)).toBe("info unused_seed: quay.Log, quay.Paper");
  expect(lines.filter((line) => line.includes("unused_seed"))).toHaveLength(1);
});

test("17.19: unused seeds stand in the text of a session's first plan alone, and in its data always", () => {
  const plan = planOf('Boat("b1")', fixtureExposure([["quay", "Boat", "Log"]]));
  const said = (ref: string): boolean => renderPlan(plan, ref).includes("unused_seed");
  expect(["pc0", "pc1", "pc10"].map(said)).toEqual([true, false, false]);
  expect(renderReasons(plan, "pc1").join()).not.toContain("unused_seed");
  expect(planMeta(plan, "pc1", "").unused_seeds).toEqual(["quay.Log"]);
});

test("eight unused seeds are named, and how many more there are (PLAN-040)", () => {
  const quay = ["Boat", "Digest", "Log", "Office", "Paper", "Person", "Stats", "Visit"] as const;
  const unusedOf = (yard: readonly string[]): string | undefined =>
    renderReasons(
      planOf(
        'Person("ann")',
        fixtureExposure([
          ["quay", ...quay],
          ["yard", ...yard],
        ]),
      ),
    ).at(-1);
  const named = quay.filter((entity) => entity !== "Person").map((entity) => `quay.${entity}`);
  expect(unusedOf(["Boat"])).toBe(`info unused_seed: ${[...named, "yard.Boat"].join(", ")}`);
  expect(unusedOf(["Boat", "Part"])).toBe(
    `info unused_seed: ${[...named, "yard.Boat"].join(", ")}, +1`,
  );
});

test("rows that are shown by the page are no more bounded by a step that wants one (PLAN-020)", () => {
  const { bill } = planOf('m = Boat("b1").visits\nm\nm.limit(1)').summary;
  expect(bill.nodes["n1"]?.rows).toEqual({ unknown: "pages" });
  expect(planOf('Boat("b1").visits.limit(1)').summary.bill.nodes["n1"]?.rows).toEqual({ max: 1 });
});
