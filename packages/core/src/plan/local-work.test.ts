import { describe, expect, test } from "vitest";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { headOf, reasonsOf } from "../../test/bill-of.ts";
import { planOf } from "../../test/plan-of.ts";
import { renderPlan } from "./render/render-plan.ts";

const many = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join(", ");

const conditions = (count: number): string =>
  `Boat.filter{any{${many(count, (at) => `length>${at + 10}`)}}}`;

const billed = (text: string, budgets = {}): number | undefined =>
  planOf(text, quayExposure, { budgets }).summary.bill.work;

describe("PLAN-053 the bill of local work", () => {
  test.each([
    "Boat{length>10}.sort(length desc, name).limit(10)[id, name, length]",
    "Boat.group_by(owner, n=count, longest=max(length))",
    "Boat => {n: _.name, l: _.length}",
    "Boat <<T\n{% for r in rows %}{{ r.name }}: {{ r.length }}{% endfor %}\nT",
  ])("says nothing of what is little: %s", (text) => {
    expect(billed(text)).toBeUndefined();
    expect(headOf(text)).not.toContain("work");
  });

  test("says what may be more than a tenth of the budget, for as many rows as a run may read", () => {
    expect(billed(conditions(200))).toBeUndefined();
    expect(billed(conditions(200), { work: 2_000_001 })).toBeUndefined();
    expect(billed(conditions(200), { work: 1_999_999 })).toBe(200_000);
    expect(billed(conditions(200), { work: 1_999_999, rows: 1_000 })).toBeUndefined();
    expect(headOf(`Boat.sort(${many(2_000, () => "name")})`)).toMatch(/, ~4,[\d,]+ units of work/);
  });

  test("is about the rows that are known to come", () => {
    const few = conditions(400).replace("Boat.", "Boat.limit(5).");
    expect(billed(few)).toBeUndefined();
    expect(billed(few, { work: 100 })).toBe(200);
  });

  test.each([
    ["sort keys", `Boat.sort(${many(2_000, () => "name")})`],
    ["aggregates", `Boat.aggregate(${many(2_000, (at) => `a${at}=max(length)`)})`],
    ["groups", `Boat.group_by(owner, ${many(2_000, (at) => `a${at}=max(length)`)})`],
    ["derived cells", `Boat => {${many(500, (at) => `a${at}: _.length`)}}`],
    [
      "conditions of reads",
      Array.from(
        { length: 8 },
        (_, read) => `Boat{any{${many(500, (at) => `length>${500 * read + at}`)}}}`,
      ).join("\n"),
    ],
  ])("counts %s", (_, text) => {
    expect(billed(text)).toBeGreaterThan(3_000_000);
  });

  test("a plan that may take more than a run may work needs review", () => {
    const text = conditions(200);
    const settings = { budgets: { work: 100_000 } };
    const { summary } = planOf(text, quayExposure, settings);
    expect(summary.verdict).toBe("review");
    expect(summary.reasons.find(({ code }) => code === "heavy_work")).toMatchObject({
      severity: "review",
      node: "n1",
      detail: "local steps may take 200,000 units of work, a run may take 100,000",
    });
    expect(reasonsOf(text).join()).not.toContain("heavy_work");
    expect(renderPlan(planOf(text, quayExposure, settings), "pc0")).toContain(
      "review heavy_work n1 Boat: local steps",
    );
  });

  test("PLAN-012 budgets are no part of the commit", () => {
    const [one, other] = [1, 60_000_000].map((work) =>
      planOf("Boat.sort(name)", quayExposure, { budgets: { work } }),
    );
    expect(one?.commit).toBe(other?.commit);
    expect([one?.summary.budgets.work, other?.summary.budgets.work]).toEqual([1, 60_000_000]);
  });
});
