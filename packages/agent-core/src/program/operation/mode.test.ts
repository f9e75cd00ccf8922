import { MODE_CELLS, MODE_PLANS, modeName, waitOf } from "@plasm/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";

interface DryReview {
  readonly expensive: boolean;
  readonly reasons: readonly { readonly severity: string; readonly code: string }[];
}

let engine: Engine;
beforeAll(() => {
  engine = engineOn({ store: testStore(), api: boatsApi() });
});
afterAll(() => engine.close());

describe("OPS-9 what delays a run: an expensive reason, and no other one", () => {
  it.each(MODE_PLANS)("$what has $reasons", async ({ what, program, reasons, expensive }) => {
    const { meta } = await (await agentOn(engine, `reasons of ${what}`)).plan(program);
    const review = meta["dry_review"] as unknown as DryReview;
    const found = review.reasons.map(({ severity, code }) => `${severity} ${code}`);
    expect(found.toSorted()).toEqual(reasons.toSorted());
    expect(review.expensive).toBe(expensive);
  });

  it.each(MODE_CELLS.map((cell) => [modeName(cell), cell] as const))(
    "L18 L19 L20 %s",
    async (name, cell) => {
      const agent = await agentOn(engine, name);
      const told = await agent.run(cell.plan.program, { force: true, ...waitOf(cell) });
      expect(told.problem).toBeNull();
      const accepted = told.text.startsWith("wait(s");
      expect(accepted ? "accepted" : "answered").toBe(cell.outcome);
    },
  );
});
