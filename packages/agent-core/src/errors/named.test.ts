import { actingIn, HOSTILE_TEXTS } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { agentOn, engineOn } from "../testing/engine-on.ts";
import { boatsApi } from "../testing/boats-api.ts";
import { memoryStore } from "../testing/memory-store.ts";
import { named } from "./named.ts";

describe("what a caller gave is repeated as far as it can be known by", () => {
  it.each([
    ["s0_pg7", "s0_pg7"],
    ["x".repeat(240), "x".repeat(240)],
    ["x".repeat(241), `${"x".repeat(240)}… (241 characters)`],
    ["🛶".repeat(300), `${"🛶".repeat(240)}… (600 characters)`],
  ])("%#", (text, shown) => expect(named(text)).toBe(shown));

  it.each(HOSTILE_TEXTS)("$name stays on its line", ({ text }) => {
    for (const shown of [named(text), named(text.repeat(300))]) {
      expect(actingIn(shown)).toEqual([]);
      expect(shown).not.toMatch(/[\n\t]/);
    }
  });

  it("so no answer grows with a handle, and mended programs have a limit", async () => {
    const engine = engineOn({ store: memoryStore(), api: boatsApi() });
    const agent = await agentOn(engine);
    const handle = `s0_${"p".repeat(200_000)}`;
    for (const told of [await agent.plan(`page(${handle})`), await agent.run(`page(${handle})`)]) {
      expect(told.problem).not.toBeNull();
      expect(told.text.length).toBeLessThan(2_000);
    }
    const long = `Boat.sort(lenght)\n;; ${"x".repeat(100_000)}`;
    const { problem } = await agent.plan(long);
    expect(problem?.text.length).toBeLessThan(10_000);
    const short = await agent.plan("Boat.sort(lenght)");
    expect(short.problem?.errors[0]?.suggested_program).toBe("Boat.sort(length)");
    await engine.close();
  });
});
