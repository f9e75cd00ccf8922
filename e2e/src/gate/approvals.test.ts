import { LOCAL } from "@plasm/agent-core";
import type { Policy } from "@plasm/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GATE_SURFACES, refIn, uuidIn } from "./gate-agent.ts";
import { openGateWorld, type GateWorld } from "./gate-world.ts";

const POLICY: Policy = { apis: { quay: { approval: { operator: ["update"] } } } };
const PROGRAM = 'Boat("b1").update(note="painted")';
/** The list of operators where nothing waits. */
const NONE = { approvals: [], callers: [], next: null, total: 0 };
const REQUIRED = { code: "plasm-approval-required", status: 409 };

let world: GateWorld;
beforeEach(async () => {
  world = await openGateWorld();
  world.setPolicy(POLICY);
});
afterEach(() => world.close());

const decide = (uuid: string, action: "approve" | "reject", key?: string) =>
  world.ask("POST", `/v1/approvals/${uuid}/${action}`, key);

describe.each(GATE_SURFACES)("plans that need an operator, over %s", (surface) => {
  it("G5: neither the ref nor force runs it; after approval it runs once", async () => {
    const agent = await world.agent(surface);
    const ann = await world.key("ann");
    const planned = refIn(await agent.plan(PROGRAM));
    const first = await agent.run(PROGRAM, { plan_commit_ref: planned });
    expect(first).toMatchObject({ ...REQUIRED, meta: { plan_commit_ref: planned } });
    expect(await agent.run(PROGRAM, { force: true })).toMatchObject(REQUIRED);
    expect(await agent.run(null, { plan_commit_ref: planned })).toMatchObject(REQUIRED);
    const again = await agent.run(PROGRAM, { plan_commit_ref: planned, force: true });
    expect(again).toMatchObject({ ...REQUIRED, meta: { approval: { state: "waiting" } } });
    expect(again.text.split("\n")).toEqual([
      `review ${planned}: not run (an operator must approve it)`,
      "review effect n1 Boat: update",
      `It waits for an operator, who decides by: plasm approvals approve ${uuidIn(first)}`,
      `(or reject), or POST /v1/approvals/${uuidIn(first)}/approve. Then run it with plan_commit_ref=${planned}`,
    ]);
    expect(world.sent()).toEqual([]);

    const listed = (await world.ask("GET", "/v1/approvals", ann)).body["approvals"];
    expect(listed).toMatchObject([
      { commit_uuid: uuidIn(first), plan_commit_ref: planned, program: PROGRAM, state: "waiting" },
    ]);
    const approved = await decide(uuidIn(first), "approve", ann);
    expect(approved).toMatchObject({
      status: 200,
      body: { state: "approved", decided_by: "ann", decided_at: "2026-01-05T10:00:00Z" },
    });
    expect(approved.body["commit"]).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect((await world.ask("GET", "/v1/approvals", ann)).body).toEqual(NONE);

    const done = await agent.run(null, { plan_commit_ref: planned });
    expect(done).toMatchObject({ code: null });
    for (const program of [PROGRAM, null]) {
      const repeated = await agent.run(program, { plan_commit_ref: planned });
      expect(repeated.text).toMatch(new RegExp(`note: ${planned} ran \\d+ s ago`));
    }
    expect(world.sent()).toEqual(["PATCH /boats/b1"]);
    expect((await decide(uuidIn(first), "reject", ann)).body["code"]).toBe("plasm-commit-used");
    expect(await agent.run(PROGRAM)).toMatchObject(REQUIRED);
  });

  it("G2: of calls at once under an approved ref one runs, of decisions at once one holds", async () => {
    const agent = await world.agent(surface);
    const ann = await world.key("ann");
    const first = await agent.run(PROGRAM);
    await decide(uuidIn(first), "approve", ann);
    const run = () => agent.run(PROGRAM, { plan_commit_ref: refIn(first) });
    const told = await Promise.all([run(), run(), run(), run(), run()]);
    expect(told.map(({ code }) => code)).toEqual([null, null, null, null, null]);
    expect(world.sent()).toEqual(["PATCH /boats/b1"]);

    const other = 'Boat("b2").update(note="painted")';
    const second = await agent.run(other);
    const bea = await world.key("bea");
    await Promise.all([
      decide(uuidIn(second), "reject", ann),
      decide(uuidIn(second), "approve", bea),
    ]);
    const denied = await agent.run(other, { plan_commit_ref: refIn(second) });
    expect([denied.code, world.sent()]).toEqual(["plasm-policy-denied", []]);
  });

  it("G5: a rejection is final for that session and hash, whatever is sent", async () => {
    const agent = await world.agent(surface);
    const ann = await world.key("ann");
    const told = await agent.run(PROGRAM);
    expect((await decide(uuidIn(told), "reject", ann)).body).toMatchObject({ state: "rejected" });
    const denied = { code: "plasm-policy-denied", status: 403 };
    for (const more of [{}, { force: true }, { plan_commit_ref: refIn(told) }]) {
      expect(await agent.run(PROGRAM, more)).toMatchObject(denied);
    }
    expect(await agent.run(null, { plan_commit_ref: refIn(told) })).toMatchObject(denied);
    world.setPolicy({});
    const later = refIn(await agent.plan(PROGRAM));
    expect(await agent.run(PROGRAM, { plan_commit_ref: later })).toMatchObject(denied);
    expect((await decide(uuidIn(told), "approve", ann)).body["code"]).toBe("plasm-policy-denied");
    expect(world.sent()).toEqual([]);
  });

  it("G6: an approval is of one hash; a changed program needs its own", async () => {
    const agent = await world.agent(surface);
    const told = await agent.run(PROGRAM);
    await decide(uuidIn(told), "approve", await world.key("ann"));
    const other = await agent.run('Boat("b1").update(note="scraped")', {
      plan_commit_ref: refIn(told),
    });
    expect(other).toMatchObject(REQUIRED);
    expect(refIn(other)).not.toBe(refIn(told));
    expect(world.sent()).toEqual([]);
    const same = `${PROGRAM} ;; the same plan, spelt otherwise`;
    expect(await agent.run(same, { plan_commit_ref: refIn(told) })).toMatchObject({ code: null });
    expect(world.sent()).toEqual(["PATCH /boats/b1"]);
  });

  it("G14: a waiting ref outlives 600 s and the hour of its session; approved, it has 600 s", async () => {
    const agent = await world.agent(surface);
    const ann = await world.key("ann");
    const told = await agent.run(PROGRAM);
    world.advance(24 * 3_600_000 - 1_000);
    expect((await decide(uuidIn(told), "approve", ann)).status).toBe(200);
    world.advance(599_000);
    expect(await agent.run(PROGRAM, { plan_commit_ref: refIn(told) })).toMatchObject({
      code: null,
    });
    const late = await agent.run(PROGRAM);
    await decide(uuidIn(late), "approve", ann);
    world.advance(600_000);
    const after = await agent.run(PROGRAM, { plan_commit_ref: refIn(late) });
    expect(after).toMatchObject(REQUIRED);
    expect(refIn(after)).not.toBe(refIn(late));
    expect(world.sent()).toEqual(["PATCH /boats/b1"]);
  });

  it("G14: what has waited 24 h is gone from the list; policy may change that", async () => {
    world.setPolicy({ ...POLICY, approval: { hours: 1 } });
    const agent = await world.agent(surface);
    const ann = await world.key("ann");
    const told = await agent.run(PROGRAM);
    world.advance(3_600_000);
    expect((await world.ask("GET", "/v1/approvals", ann)).body).toEqual(NONE);
    expect((await decide(uuidIn(told), "approve", ann)).status).toBe(404);
  });

  it("OPS-36: at most 20 plans of a logical session wait", async () => {
    const agent = await world.agent(surface);
    const program = (n: number): string => `Boat("b1").update(note="${n}")`;
    for (let n = 1; n <= 20; n += 1) expect(await agent.run(program(n))).toMatchObject(REQUIRED);
    const full = { code: "plasm-too-many-operations", status: 429 };
    expect(await agent.run(program(21))).toMatchObject(full);
    expect(await agent.run(program(20))).toMatchObject(REQUIRED);
    expect(await (await world.agent(surface)).run(program(21))).toMatchObject(REQUIRED);
  });
});

describe("who decides (OPS-36, SURF-23)", () => {
  it("G14: an operator of another tenant, and the ref's own principal, are refused", async () => {
    const told = await (await world.agent("MCP")).run(PROGRAM);
    const uuid = uuidIn(told);
    const foreign = await world.key("eve", "operator", "acme");
    const theirs = await decide(uuid, "approve", foreign);
    const invented = await decide(uuid.replace(/./g, "0"), "approve", foreign);
    expect(theirs.status).toBe(404);
    const text = (detail: unknown): string => String(detail).replaceAll(/[0-9a-f-]{36}/g, "ID");
    expect(text(theirs.body["detail"])).toBe(text(invented.body["detail"]));
    expect((await world.ask("GET", "/v1/approvals", foreign)).body).toEqual(NONE);
    const own = await world.key(LOCAL.subject ?? "", "operator");
    expect((await decide(uuid, "approve", own)).body["code"]).toBe("plasm-policy-denied");
    const [waits] = await world.approvals.list({ scope: LOCAL.scope, subject: "ann" });
    expect(waits).toMatchObject({ state: "waiting", commit_uuid: uuid });
  });

  it("a key that was removed, damaged or made up decides nothing", async () => {
    const uuid = uuidIn(await (await world.agent("HTTP")).run(PROGRAM));
    const ann = await world.key("ann");
    const [record] = await world.keys.list();
    const flipped = ann.slice(0, -1) + (ann.endsWith("A") ? "B" : "A");
    for (const key of [flipped, "", "plasm_", `${ann}x`, record?.hash ?? ""]) {
      expect((await decide(uuid, "approve", key)).status).toBe(401);
    }
    expect(JSON.stringify(await world.keys.list())).not.toContain(ann.slice(-43));
    await world.keys.remove(record?.id ?? "");
    expect((await decide(uuid, "approve", ann)).status).toBe(401);
  });
});
