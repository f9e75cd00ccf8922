import { LOCAL } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { describe, expect, it } from "vitest";
import { CONTEXT_CALLERS, contextCaller, type Seed } from "./context-caller.ts";
import { callTool, refIn, requestOf } from "./gate-agent.ts";
import { useGateWorld } from "./use-gate-world.ts";

const MINUTE = 60_000;
const LIFETIME = 60 * MINUTE;

const world = useGateWorld({ catalogs: ["quay", "yard"] });

const BOAT: readonly Seed[] = [{ api: "quay", entity: "Boat" }];
const PART: readonly Seed[] = [{ api: "yard", entity: "Part" }];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const text = (pattern: RegExp): string => expect.stringMatching(pattern) as string;
const RANGE = [expect.any(Number), expect.any(Number)];
const WAVE = {
  n: 1,
  mode: "open",
  entry_id: "quay",
  digest: text(/^sha256:[0-9a-f]{64}$/),
  entities: ["Boat"],
  e: [1, 1],
  m: RANGE,
  p: RANGE,
  parts: ["core", "search", "text", "effects", "continuations"],
  tokens: expect.any(Number) as number,
  untaught: expect.any(Array) as unknown[],
};

describe.each(CONTEXT_CALLERS)("%s", (name) => {
  it("B7 SURF-7 a context answer carries logical id, ref and execute binding", async () => {
    const agent = await contextCaller(world(), name, "meta");
    const opened = await agent.open(BOAT);
    const binding = { prompt_hash: text(/^[0-9a-f]{64}$/), session_id: text(/^[0-9a-f]{32}$/) };
    expect(opened).toEqual({
      logical_session_id: text(UUID),
      logical_session_ref: text(/^s\d+$/),
      execute_binding: binding,
      reused: false,
      notation: "names",
      domain_revision: 1,
      catalog_entry_ids: ["quay"],
      continuity: expect.any(Object) as object,
      waves: [WAVE],
      grafts: { count: 0 },
    });
    const { waves: _, continuity: __, ...named } = opened;
    const same = { ...named, reused: true, continuity: expect.any(Object) as object };
    expect(await agent.open(BOAT)).toEqual({ ...same, waves: [] });
    const more = await agent.extend(PART);
    expect(more).toEqual({
      ...same,
      domain_revision: 2,
      catalog_entry_ids: ["quay", "yard"],
      waves: [expect.objectContaining({ n: 2, mode: "federate", entry_id: "yard" })],
    });
    const replayed = await agent.extend(BOAT, { replay: true });
    const [first, ...rest] = replayed["waves"] as readonly JsonObject[];
    expect([first, rest]).toEqual([WAVE, more["waves"]]);
  });

  it("B27 30 turns after one context need nothing but plasm and plasm_run", async () => {
    const agent = await contextCaller(world(), name, "turns");
    await agent.open(BOAT, { notation: "names" });
    world().sent();
    for (let turn = 0; turn < 30; turn += 1) {
      // Each call renews the session (SESS-11), so that a day of work is one session.
      world().advance(LIFETIME - MINUTE);
      const program = `Boat("b${turn}")[id, name]`;
      const plan = await agent.plan(program);
      expect(plan, plan.text).toMatchObject({ code: null, meta: { dry_verdict: "ok" } });
      const ref = refIn(plan);
      const run = await agent.run(program, { plan_commit_ref: ref });
      expect(run, run.text).toMatchObject({ code: null });
      expect(run.text).toContain(`b${turn}\tAlma`);
      const [step] = run.meta["steps"] as readonly JsonObject[];
      expect([ref, step?.["n"]]).toEqual([`pc${turn}`, turn + 1]);
    }
    expect(world().sent()).toHaveLength(30);
  });
});

describe("MCP", () => {
  it.each(["plasm", "plasm_run"])("B8 %s needs ref and program", async (tool) => {
    const fetch = world().fetchAs(LOCAL);
    const { meta } = await callTool(fetch, "plasm_context", { intent: `B8 ${tool}`, seeds: BOAT });
    const ref = { logical_session_ref: meta["logical_session_ref"] ?? null };
    const program = { program: 'e1("b1")' };
    world().sent();
    const told = (args: object) => callTool(fetch, tool, args);
    const refused = { code: "plasm-bad-request", status: 400 };
    const unnamed =
      "logical_session_ref is missing. Call plasm_context first with intent and seeds.";
    for (const args of [program, {}, { ...program, logical_session_ref: 0 }]) {
      expect(await told(args)).toMatchObject({ ...refused, text: unnamed });
    }
    for (const args of [ref, { ...ref, program: null }, { ...ref, program: 0 }]) {
      expect(await told(args)).toMatchObject({ ...refused, text: text(/^program is /) });
    }
    expect(world().sent()).toEqual([]);
    expect(await told({ ...ref, ...program })).toMatchObject({ code: null });
  });
});

describe("HTTP", () => {
  it.each(["plan", "run"])("B8 a program is needed, in mode %s", async (mode) => {
    const fetch = world().fetchAs(LOCAL);
    const opened = await fetch(requestOf("POST", "/execute", { intent: mode, seeds: BOAT }));
    const place = opened.headers.get("location") ?? "";
    world().sent();
    const missing = await fetch(requestOf("POST", place, { mode }));
    expect(missing.status).toBe(400);
    expect(await missing.json()).toMatchObject({ code: "plasm-bad-request" });
    const nowhere = place.replace(/[^/]+$/, "0".repeat(32));
    const unknown = await fetch(requestOf("POST", nowhere, { mode, program: 'e1("b1")' }));
    expect(unknown.status).toBe(404);
    expect(world().sent()).toEqual([]);
  });
});
