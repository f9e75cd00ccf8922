import { describe, expect, it } from "vitest";
import { FORMS, runSet, tasksOf, verdictLines } from "./run-set.ts";

const all = (tasks: readonly string[], verdict: string): readonly string[] =>
  FORMS.flatMap((form) => tasks.map((task) => `${task} · ${form}: ${verdict}`));

describe.each(["github", "shop"])("SURF-53 plasm eval %s, which comes with the program", (set) => {
  it(
    "can be done in each form, and each table is of its own notation",
    { timeout: 120_000 },
    async () => {
      const run = await runSet(set, "right");
      expect(verdictLines(run)).toEqual(all(await tasksOf(set), "right"));
      for (const { form, turns } of run.trials) {
        const [first] = turns;
        if (form === "names") expect(first?.text).toContain("with the names below");
        if (form === "symbols") expect(first?.text).toContain("with the symbols below");
      }
    },
  );

  it("tells a wrong answer of each task in each form", { timeout: 120_000 }, async () => {
    expect(verdictLines(await runSet(set, "wrong"))).toEqual(all(await tasksOf(set), "wrong"));
  });
});

it("has a task for each of the kinds that comparisons of interfaces to GitHub ask", async () => {
  expect(await tasksOf("github")).toHaveLength(17);
});
