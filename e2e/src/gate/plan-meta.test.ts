import type { JsonObject } from "@plasm/core";
import { describe, expect, it } from "vitest";
import { callTool, GATE_SURFACES, requestOf, type Fetch } from "./gate-agent.ts";
import { useGateWorld } from "./use-gate-world.ts";

const world = useGateWorld();

const READ = 'Boat("b1")[id]';
const EFFECT = 'Boat("b1").update(note="painted")';
const EXPENSIVE = "old = Boat{built<2015-01-01}\nold";

const text = expect.any(String) as string;
const reasonOf = (severity: string, code: string) => ({
  code,
  severity,
  node: expect.stringMatching(/^n\d+$/) as string,
  detail: text,
  estimate: expect.objectContaining({}) as object,
});

describe.each(GATE_SURFACES)("a dry run over %s", (surface) => {
  it.each([
    ["ok", READ, false, []],
    ["review", EFFECT, false, [reasonOf("review", "effect")]],
    ["ok", EXPENSIVE, true, [reasonOf("expensive", "unbounded_read")]],
  ] as const)(
    "L14 L25 its meta has ref, expiry, verdict %s and reasons",
    async (verdict, program, expensive, reasons) => {
      const agent = await world().agent(surface);
      const { meta, code } = await agent.plan(program);
      expect(code).toBeNull();
      expect(meta).toMatchObject({
        dry_run: true,
        plan_commit_ref: "pc0",
        plan_commit_expires_at: "2026-01-05T10:10:00Z",
        dry_verdict: verdict,
        dry_review: { expensive, reasons },
      });
      expect((meta["dry_review"] as JsonObject)["reasons"]).toHaveLength(reasons.length);
    },
  );

  it("PLAN-041 PLAN-054 its meta says where reads stop that nobody reviews", async () => {
    const agent = await world().agent(surface);
    const { meta } = await agent.plan(EXPENSIVE);
    expect(meta["dry_review"]).toMatchObject({ stops_at: { requests: 20, rows: 2_000 } });
    const { meta: bounded } = await agent.plan(READ);
    expect(bounded["dry_review"]).not.toHaveProperty("stops_at");
    world().setPolicy({ unreviewed_reads: { rows: 0 } });
    const { meta: reviewed } = await agent.plan(EXPENSIVE);
    world().setPolicy({});
    expect(reviewed).toMatchObject({ dry_verdict: "review" });
    expect(reviewed["dry_review"]).not.toHaveProperty("stops_at");
  });

  it("L4 a ref is an argument, not an expression: as a program it is an error", async () => {
    const agent = await world().agent(surface);
    await agent.plan(READ);
    world().sent();
    for (const call of [agent.plan, agent.run]) {
      expect(await call("pc0")).toMatchObject({ code: "plasm-program-invalid", status: 422 });
    }
    expect(world().sent()).toEqual([]);
    expect((await agent.run(READ, { plan_commit_ref: "pc0" })).code).toBeNull();
  });
});

describe("A31 logical sessions of one connection", () => {
  it("ten in parallel have one execute session each, and keep it", async () => {
    const initialize = {
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "ten", version: "1" },
      },
    };
    const opened = await world().fetch(requestOf("POST", "/mcp", initialize));
    const connection = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    const onIt: Fetch = (request) => {
      const headers = new Headers({ ...Object.fromEntries(request.headers), ...connection });
      return world().fetch(new Request(request, { headers }));
    };
    const intents = Array.from({ length: 10 }, (_, index) => `goal ${index} of ten`);
    const context = (intent: string, entity: string) => {
      const seeds = [{ api: "quay", entity }];
      return callTool(onIt, "plasm_context", { intent, seeds, notation: "names" });
    };
    const first = await Promise.all(intents.map((intent) => context(intent, "Boat")));
    const refs = first.map(({ meta }) => meta["logical_session_ref"] as string);
    const bindings = first.map(({ meta }) => JSON.stringify(meta["execute_binding"]));
    expect(new Set(refs).size).toBe(10);
    expect(new Set(bindings).size).toBe(10);
    const again = await Promise.all(intents.toReversed().map((intent) => context(intent, "Visit")));
    expect(again.toReversed().map(({ meta }) => JSON.stringify(meta["execute_binding"]))).toEqual(
      bindings,
    );
    const runs = await Promise.all(
      refs.map((ref) => callTool(onIt, "plasm_run", { logical_session_ref: ref, program: READ })),
    );
    for (const [index, { meta, code }] of runs.entries()) {
      expect(code).toBeNull();
      const [step] = meta["steps"] as readonly JsonObject[];
      expect(step?.["artifact_uri"]).toBe(`plasm://session/${refs[index]}/r/1`);
    }
  });
});
