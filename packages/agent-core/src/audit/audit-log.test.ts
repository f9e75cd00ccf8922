import type { JsonObject, Policy } from "@plasm/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { approvalsIn } from "../program/gate/approvals.ts";
import type { Engine } from "../engine.ts";
import { type Caller, LOCAL } from "../identity/caller.ts";
import { keysIn } from "../identity/keys.ts";
import type { MemoryStore } from "../memory-store/memory-store.ts";
import { policyAdmin } from "../registry/policies.ts";
import { boatsApi, type BoatsApi } from "../../test/boats-api.ts";
import { agentOn, engineOn } from "../../test/engine-on.ts";
import { fixtureEntry } from "../../test/fixture-entry.ts";
import { testStore } from "../../test/test-store.ts";
import { linkAll, linkAudit, noteAudit } from "./audit-log.ts";
import { lineFault } from "./chain.ts";
import { auditIn, type AuditQuery } from "./read-audit.ts";

const ALL: AuditQuery = {
  since: null,
  until: null,
  kind: null,
  subject: null,
  entryId: null,
  after: null,
  limit: 1_000,
  order: "asc",
};

const TENANT = LOCAL.scope;
const OPERATOR = { scope: TENANT, subject: "olga", requestId: "req-9" };
const CALLER: Caller = { ...LOCAL, requestId: "req-1" };
const POLICY: Policy = { apis: { quay: { approval: { operator: ["delete"] } } } };

let store: MemoryStore;
let api: BoatsApi;
let engine: Engine;
let policy: Policy;
beforeEach(() => {
  store = testStore();
  api = boatsApi(3);
  policy = POLICY;
  engine = engineOn({ store, api, policies: { policyOf: () => policy } });
});
afterEach(() => engine.close());

/** The id that a decision names a plan by. */
function uuidOf(plan: JsonObject | undefined): string {
  const uuid = plan?.["commit_uuid"];
  if (typeof uuid !== "string") throw new Error("No plan waits");
  return uuid;
}

const lines = async () => (await auditIn(store).page(TENANT, ALL)).lines;

describe("OPS-40 what stands in the audit log", () => {
  it("an effect: when it was started and how it ended, with who, plan, run and request", async () => {
    const agent = await agentOn(engine, "boats", CALLER);
    await agent.run('Boat("b1").ping()', { force: true });
    api.before = async () => ({ status: 422, json: { error: "a secret error" } });
    await agent.run('Boat("b2").ping()', { force: true });
    const all = await lines();
    const shared = {
      subject: "local",
      entry_id: "quay",
      plan_commit_ref: "pc0",
      request_id: "req-1",
      tenant: TENANT,
    };
    expect(all.map(({ kind, target, outcome }) => [kind, target, outcome])).toEqual([
      ["effect_started", "Boat:b1", null],
      ["effect_ended", "Boat:b1", "done"],
      ["effect_started", "Boat:b2", null],
      ["effect_ended", "Boat:b2", "failed"],
    ]);
    expect(all[1]).toMatchObject({ ...shared, capability: "boat_ping", detail: "204" });
    expect(all[3]?.detail).toContain("422");
    expect(all[0]?.commit).toMatch(/^[\w:]{8,}$/);
    expect(all[0]?.operation_uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(all.slice(0, 2).map((one) => one.operation_uuid)).size).toBe(1);
    // Neither arguments nor rows nor what an API said.
    expect(JSON.stringify(all)).not.toContain("secret");
  });

  it("a run that another process goes on with keeps the request that began it (OPS-60)", async () => {
    await engine.close();
    const runs: string[] = [];
    const caller = { ...CALLER, onRun: (uuid: string) => void runs.push(uuid) };
    const leaseMs = 30_000;
    let wake: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    const frozen = engineOn({ store, api, leaseMs });
    const agent = await agentOn(frozen, "boats", caller);
    const reached = new Promise<void>((resolve) => {
      api.before = async ({ method }) => {
        if (method !== "GET") return null;
        resolve();
        await asleep;
        return null;
      };
    });
    const program = "Boat.limit(1) => Boat(_.id).ping()";
    await agent.plan(program);
    const lost = agent.run(program, { planCommitRef: "pc0", wait: true });
    await reached;
    api.before = async () => null;
    store.advance(leaseMs);
    engine = engineOn({ store, api, leaseMs });
    const there = await agentOn(engine, "boats", { ...CALLER, requestId: "req-2" });
    await there.run(program, { planCommitRef: "pc0", wait: true });
    wake();
    await lost;
    await frozen.close();
    const effects = (await lines()).filter(({ kind }) => kind.startsWith("effect_"));
    expect(effects.map(({ request_id: id }) => id)).toEqual(["req-1", "req-1"]);
    expect(new Set(effects.map(({ operation_uuid: uuid }) => uuid))).toEqual(new Set(runs));
  });

  it("a plan that waits, and who decided on it by which request", async () => {
    const agent = await agentOn(engine, "boats", CALLER);
    await agent.run('Boat("b1").delete()');
    await agent.run('Boat("b2").delete()');
    const approvals = approvalsIn(store);
    const [first, second] = await approvals.list(OPERATOR);
    await approvals.decide(OPERATOR, uuidOf(first), "approved");
    await approvals.decide(OPERATOR, uuidOf(first), "approved");
    await approvals.decide(OPERATOR, uuidOf(second), "rejected");
    const all = await lines();
    expect(all.map(({ kind, subject, request_id: id }) => [kind, subject, id])).toEqual([
      ["approval_requested", "local", "req-1"],
      ["approval_requested", "local", "req-1"],
      ["approval_given", "olga", "req-9"],
      ["approval_rejected", "olga", "req-9"],
    ]);
    expect(all[2]).toMatchObject({
      target: first?.["commit_uuid"],
      commit: first?.["commit"],
      plan_commit_ref: "pc0",
      detail: "asked by local",
    });
  });

  it("what was refused, whichever call it was, and no more lines of one caller than a log can take", async () => {
    const agent = await agentOn(engine, "boats", CALLER);
    const program = 'Boat("b1").update(note="x")';
    const flooding = await agentOn(engine, "flood", { ...CALLER, subject: "bob" });
    policy = { apis: { quay: { deny: ["boat_update"] } } };
    await agent.plan(program);
    await agent.run(program, { force: true });
    const address = { kind: "ref", ref: "s0" } as const;
    await engine.tasks.start(CALLER, address, { program });
    const denied = (call: string) =>
      `${call}: update of Boat may no longer be used by this tenant.`;
    expect(await lines()).toMatchObject([
      {
        kind: "refused",
        outcome: "plasm-policy-denied",
        detail: denied("plan"),
        request_id: "req-1",
      },
      { kind: "refused", outcome: "plasm-policy-denied", detail: denied("run") },
      { kind: "refused", outcome: "plasm-policy-denied", detail: denied("run") },
    ]);
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      for (let n = 0; n < 80; n += 1) await flooding.plan(program);
      vi.advanceTimersByTime(60_000);
    } finally {
      vi.useRealTimers();
    }
    const bobs = (await lines()).filter(({ subject }) => subject === "bob");
    expect(bobs).toHaveLength(61);
    expect(bobs.at(-1)?.detail).toBe("20 more within a minute");
  });

  it("keys and policies, with who changed them; never the key", async () => {
    const keys = keysIn(store, "root");
    const { key, record } = await keys.add({ tenant: TENANT, subject: "olga", role: "operator" });
    const rotated = await keys.rotate(record.id);
    await keys.remove(record.id);
    expect(await keys.remove(record.id)).toBe(false);
    const registry = { list: () => [fixtureEntry("quay")], get: () => undefined };
    const admin = policyAdmin({ store, registry, keys });
    await admin.put("root", TENANT, { force: false }, "req-2");
    const all = await lines();
    expect(all.map(({ kind, subject, target }) => [kind, subject, target])).toEqual([
      ["key_added", "root", record.id],
      ["key_rotated", "root", record.id],
      ["key_removed", "root", record.id],
      ["policy_set", "root", TENANT],
    ]);
    expect(all[0]?.detail).toBe("key of operator olga");
    expect(all[3]).toMatchObject({ detail: "version 1", request_id: "req-2" });
    const text = JSON.stringify(all);
    for (const secret of [key, rotated?.key ?? "", record.hash]) expect(text).not.toContain(secret);
  });

  it("of callers who prove nothing in the log of their one tenant", async () => {
    const anonymous: Caller = { scope: `${TENANT}|c1`, subject: null, connection: null };
    const agent = await agentOn(engine, "boats", anonymous);
    await agent.run('Boat("b1").ping()', { force: true });
    expect((await lines()).map(({ kind, subject }) => [kind, subject])).toEqual([
      ["effect_started", null],
      ["effect_ended", null],
    ]);
  });

  it("a chain whose end was lost or set back goes on behind its last line", async () => {
    for (const tenant of ["lost", "back"]) {
      await noteAudit(store, tenant, { kind: "refused" });
      await linkAudit(store, tenant);
    }
    const early = await store.get("auditHead", "back", "head");
    for (const tenant of ["lost", "back"]) {
      await noteAudit(store, tenant, { kind: "refused" });
      await linkAudit(store, tenant);
      await noteAudit(store, tenant, { kind: "refused" });
    }
    await store.delete("auditHead", "lost", "head");
    const kept = await store.get("auditHead", "back", "head");
    if (early === null || kept === null) throw new Error("no head");
    await store.cas("auditHead", "back", "head", kept.version, early.value);
    await linkAll(store);
    for (const tenant of ["lost", "back"]) {
      const { head, first, lines: all } = await auditIn(store).page(tenant, ALL);
      expect([head.n, first.n, all.length]).toEqual([3, 1, 3]);
      const faults = all.map((line, at) => lineFault(line, all[at - 1] ?? null));
      expect(faults).toEqual([null, null, null]);
    }
  });

  it("no tenant's bytes count a log that it cannot free", async () => {
    await noteAudit(store, "t9", { kind: "refused" });
    await linkAudit(store, "t9");
    await noteAudit(store, "t9", { kind: "refused" });
    expect((await store.usage(0, 10_000)).bytes.get("t9")).toBeUndefined();
  });

  it("of an engine that ends: nothing waits to be linked", async () => {
    const agent = await agentOn(engine);
    await agent.run('Boat("b1").ping()', { force: true });
    await engine.drain(0);
    expect(store.held()).toMatchObject({ auditLine: 2, auditHead: 1 });
    expect(store.held()["auditEvent"]).toBeUndefined();
  });
});
