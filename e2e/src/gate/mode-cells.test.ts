import { MODE_CELLS, modeName, waitOf } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { GATE_SURFACES } from "./gate-agent.ts";
import { useGateWorld } from "./use-gate-world.ts";

const world = useGateWorld();

describe.each(GATE_SURFACES)("modes over %s, cell by cell (OPS-9, L16 to L20)", (surface) => {
  it.each(MODE_CELLS.map((cell) => [modeName(cell), cell] as const))("%s", async (name, cell) => {
    const agent = await world().agent(surface, `${surface}: ${name}`);
    const told = await agent.run(cell.plan.program, { force: true, ...waitOf(cell) });
    expect(told.code, told.text).toBeNull();
    const accepted = /^wait\(s\d+_o1\) · verdict (ok|review) · plan `pc0`$/.test(told.text);
    expect(accepted ? "accepted" : "answered").toBe(cell.outcome);
    // Accepted or not: the meta says it as the text does.
    expect(told.meta["op"]).toEqual(accepted ? { n: 1, "~": "+" } : undefined);
  });
});
