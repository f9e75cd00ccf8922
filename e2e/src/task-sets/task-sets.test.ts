import { describe, expect, it } from "vitest";
import { FORMS, runSet, tasksOf, verdictLines } from "./run-set.ts";

const all = (tasks: readonly string[], verdict: string): readonly string[] =>
  FORMS.flatMap((form) => tasks.map((task) => `${task} · ${form}: ${verdict}`));

const LIMIT = { timeout: 240_000 };

describe.each(["github", "shop"])("SURF-67 plasm eval %s, which comes with the program", (set) => {
  it("can be done in each form, and each table is of its own notation", LIMIT, async () => {
    const run = await runSet(set, "right");
    expect(verdictLines(run)).toEqual(all(await tasksOf(set), "right"));
    const taught = run.trials.map(
      ({ form, turns }) =>
        `${form}: ${/with the (names|symbols) below/.exec(turns[0]?.text ?? "")?.[1] ?? "calls"}`,
    );
    const ways = ["symbols: symbols", "names: names", "tools: calls", "code: calls"];
    expect([...new Set(taught)]).toEqual(ways);
  });

  it("tells a wrong answer of each task in each form", LIMIT, async () => {
    expect(verdictLines(await runSet(set, "wrong"))).toEqual(all(await tasksOf(set), "wrong"));
  });
});

it("has a task for each of the kinds that comparisons of interfaces to GitHub ask", async () => {
  expect(await tasksOf("github")).toHaveLength(17);
});
