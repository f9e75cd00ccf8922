import { LOCAL } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { describe, expect, it } from "vitest";
import { callTool, GATE_SURFACES, requestOf, type GateSurface } from "./gate-agent.ts";
import { useGateWorld } from "./use-gate-world.ts";

const HOUR = 3_600_000;
const INTENT = "boats to paint";

const world = useGateWorld({ per: "test" });

/** What a context call answered of a session, and by what text. */
interface Told {
  readonly meta: JsonObject;
  readonly code: string | null;
}

/** Asks for a session over a surface: as an agent does who knows only its intent and its seeds. */
async function context(
  surface: GateSurface,
  entity: string,
  more: object = {},
  intent = INTENT,
): Promise<Told> {
  const args = { intent, seeds: [{ api: "quay", entity }], ...more };
  const fetch = world().fetchAs(LOCAL);
  if (surface === "MCP") return callTool(fetch, "plasm_context", args);
  const response = await fetch(requestOf("POST", "/execute", args));
  const body = (await response.json()) as JsonObject;
  return {
    meta: (body["plasm"] ?? {}) as JsonObject,
    code: (body["code"] ?? null) as string | null,
  };
}

const flags = (recovered: boolean, fresh: boolean): object => ({
  stale_binding_recovered: recovered,
  new_symbol_space: fresh,
  ...(fresh ? { discard_cached_plasm_symbols: true } : {}),
});

describe.each(GATE_SURFACES)("the meta of plasm_context, over %s", (surface) => {
  it("A26 B21 B24 SESS-24 has both flags on every path, and discard with a new symbol space", async () => {
    const continuity = async (entity: string, more: object = {}) =>
      (await context(surface, entity, more)).meta["continuity"];
    expect(await continuity("Boat"), "open").toEqual(flags(false, true));
    expect(await continuity("Boat"), "unchanged").toEqual(flags(false, false));
    expect(await continuity("Person"), "expand").toEqual(flags(false, false));
    // A replay is an argument of MCP's call; over HTTP the session's own route has it.
    const replay = surface === "MCP" ? { replay: true } : {};
    expect(await continuity("Boat", replay), "replay").toEqual(flags(false, false));
    const { meta } = await context(surface, "Boat");
    world().advance(2 * HOUR);
    const lost = { previous_execute: meta["execute_binding"], reason: "expired" };
    const recovered = { ...flags(true, true), ...lost };
    expect(await continuity("Boat"), "recovery").toEqual(recovered);
    expect(await continuity("Boat"), "the answer of that was lost").toEqual(recovered);
  });

  it("B7 carries logical id, ref and execute binding", async () => {
    const first = await context(surface, "Boat");
    const second = await context(surface, "Boat", {}, "another goal");
    for (const [n, { meta }] of [first, second].entries()) {
      expect(meta).toMatchObject({
        logical_session_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        logical_session_ref: `s${n}`,
        execute_binding: {
          prompt_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          session_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
      });
    }
    expect(second.meta["logical_session_id"]).not.toBe(first.meta["logical_session_id"]);
  });

  it("B3 SESS-18 with a live binding seeds expand, and never open: 20 calls, one pair", async () => {
    const seeds = ["Boat", "Person", "Visit", "Log", "Paper"];
    const pairs = new Set<string>();
    for (let n = 0; n < 20; n += 1) {
      const { meta, code } = await context(surface, seeds[n % seeds.length] ?? "Boat");
      expect(code).toBeNull();
      expect(meta["reused"]).toBe(n > 0);
      pairs.add(JSON.stringify(meta["execute_binding"]));
    }
    expect(pairs.size).toBe(1);
  });
});

it("B8 plasm and plasm_run need ref and program", async () => {
  await context("MCP", "Boat");
  const fetch = world().fetchAs(LOCAL);
  for (const tool of ["plasm", "plasm_run"]) {
    for (const [missing, args] of [
      ["program", { logical_session_ref: "s0" }],
      ["logical_session_ref", { program: "Boat" }],
    ] as const) {
      const { code, text } = await callTool(fetch, tool, args);
      expect([code, text], `${tool} without ${missing}`).toEqual([
        "plasm-bad-request",
        expect.stringContaining(missing),
      ]);
    }
  }
});

it("B27 SESS-4 steady state needs plasm and plasm_run alone: 30 turns after one context", async () => {
  await context("MCP", "Boat", { notation: "names" });
  const fetch = world().fetchAs(LOCAL);
  for (let n = 1; n <= 30; n += 1) {
    const at = { logical_session_ref: "s0", program: `Boat.limit(${(n % 3) + 1})[id]` };
    const planned = await callTool(fetch, "plasm", at);
    expect(planned.code, planned.text).toBeNull();
    const ref = planned.meta["plan_commit_ref"];
    const ran = await callTool(fetch, "plasm_run", { ...at, plan_commit_ref: ref });
    expect(ran.code, ran.text).toBeNull();
    expect(ran.text).not.toContain("plasm_context");
  }
});
