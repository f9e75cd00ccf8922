import { describe, expect, it } from "vitest";
import type { JsonObject } from "@plasm/core";
import { callTool, requestOf } from "./gate-agent.ts";
import { useGateWorld } from "./use-gate-world.ts";

const world = useGateWorld();

const WAVES = [["Boat"], ["Visit", "Person"], ["Log", "Office", "Digest"]];

/** Executable rows of tables whose only gaps are keys: a sample fits every one of these. */
const ROW = /^((e\d+)(?:\(\$\)|\{p\d+=(?:e\d+\(\$\)|\$)\})?(?:\[[^\]]*\])?)\t/gm;

const HEADING = /(e\d+) ([A-Z]\w*)/g;

/** Each row as a program, with the symbol of the entity that it reads. */
function rowsIn(text: string): readonly (readonly [program: string, symbol: string])[] {
  return [...text.matchAll(ROW)].map(([, left = "", symbol = ""]) => [
    left.replaceAll("$", '"1"'),
    symbol,
  ]);
}

const entitiesIn = (text: string): ReadonlyMap<string, string> => {
  const headings = text.split("\n").filter((line) => /^(Added from )?quay: e\d+ /.test(line));
  return new Map(
    headings.flatMap((line) =>
      [...line.matchAll(HEADING)].map(([, symbol = "", name = ""]) => [symbol, name] as const),
    ),
  );
};

describe("A5 A29 programs are read with the map of the tables shown so far", () => {
  it("after each wave every taught row plans to the entity it was taught for, on both surfaces", async () => {
    const shown = new Map<string, string>();
    const entities = new Map<string, string>();
    for (const [wave, names] of WAVES.entries()) {
      const seeds = names.map((entity) => ({ api: "quay", entity }));
      const { text, meta } = await callTool(world().fetch, "plasm_context", {
        intent: "rows",
        seeds,
        notation: "symbols",
      });
      for (const [symbol, name] of entitiesIn(text)) entities.set(symbol, name);
      for (const [program, symbol] of rowsIn(text)) shown.set(program, symbol);
      expect(entities.size).toBe(WAVES.slice(0, wave + 1).flat().length);
      const binding = meta["execute_binding"] as Readonly<Record<string, string>>;
      const path = `/execute/${binding["prompt_hash"]}/${binding["session_id"]}?mode=plan`;
      for (const [program, symbol] of shown) {
        const entity = entities.get(symbol);
        const told = await callTool(world().fetch, "plasm", { logical_session_ref: "s0", program });
        expect([program, told.code]).toEqual([program, null]);
        const over = await world().fetch(requestOf("POST", path, { program }));
        const body = (await over.json()) as { _meta: { plasm: JsonObject } };
        for (const { plan } of [told.meta, body._meta.plasm]) {
          const [node] = (plan as { nodes: readonly { catalog: { entity: string } }[] }).nodes;
          expect([program, node?.catalog.entity]).toEqual([program, entity]);
        }
      }
    }
    // And a run reads them as a plan does.
    world().sent();
    const run = await callTool(world().fetch, "plasm_run", {
      logical_session_ref: "s0",
      program: 'e1("b2")',
    });
    expect([run.code, world().sent()]).toEqual([null, ["GET /boats/b2"]]);
    // Boats, visits, logs, people, offices and digests have been read by their rows.
    expect(new Set(shown.values())).toEqual(new Set(entities.keys()));
  });
});
