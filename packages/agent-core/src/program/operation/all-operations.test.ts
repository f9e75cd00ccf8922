import { afterEach, describe, expect, it, vi } from "vitest";
import { type Caller, principalOf } from "../../identity/caller.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { holdRequests } from "../../../test/hold-requests.ts";
import { useWorld } from "../../../test/use-world.ts";
import { type EndState, noteEnding } from "./ended-operations.ts";

const ALL = { state: null, before: null } as const;
const ANN: Caller = { scope: "acme", subject: "ann", connection: null };
const BOB: Caller = { ...ANN, subject: "bob" };
const OLGA: Caller = { ...ANN, subject: "olga", oversees: true, requestId: "r7" };
const FOREIGN: Caller = { ...OLGA, scope: "other" };
const READER: Caller = { ...ANN, readsOnly: { lacks: "effects", stepUp: null } };
const READS = "\n;; all of them\n  boats = Boat\nboats[id]";

const world = useWorld();

/** Ann runs a program that nobody waits for; gives its uuid when its first request is held. */
async function runs(program = READS): Promise<string> {
  const agent = await agentOn(world().engine, "boats", ANN);
  const { reached, letGo } = holdRequests(world().api, "reads");
  stop = letGo;
  await agent.run(program, { wait: false, force: true });
  await reached;
  const { operations } = await world().engine.operations(ANN, ALL);
  return operations[0]?.operation_uuid ?? "";
}
let stop: () => void = () => undefined;
afterEach(() => stop());

const uuidsOf = async (caller: Caller, state: "unfinished" | "succeeded" | null = null) =>
  (await world().engine.operations(caller, { state, before: null })).operations.map(
    ({ operation_uuid: uuid }) => uuid,
  );
const auditOf = async () => {
  const { store } = world();
  const events = await store.list("auditEvent", ANN.scope, "");
  const lines = await store.list("auditLine", ANN.scope, "");
  return [...events, ...lines].map(({ value }) => value);
};
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "ok",
    (thrown: unknown) => world().engine.problemOf(thrown).code,
  );

describe("OPS-61 operations of all sessions", () => {
  it("are the caller's own, and an operator's of the tenant, with how each stands", async () => {
    const uuid = await runs();
    const [row, ...others] = (await world().engine.operations(OLGA, ALL)).operations;
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      operation_uuid: uuid,
      handle: "s0_o1",
      subject: "ann",
      plan_commit_ref: "pc0",
      catalogs: ["quay"],
      program: "boats = Boat",
      state: "running",
      cancel_requested: false,
      requests: expect.any(Number),
      effects: 0,
      outcome: null,
      ended_at: null,
    });
    expect(row?.line).toMatch(/^s0_o1 [~+]/);
    const { traces } = await world().engine.traces(OLGA);
    expect(traces.map(({ trace_id: id }) => id)).toEqual([row?.trace_id]);
    expect(await uuidsOf(ANN)).toEqual([uuid]);
    for (const other of [BOB, FOREIGN, { ...ANN, anonymous: true }]) {
      expect(await uuidsOf(other)).toEqual([]);
      expect(await codeOf(world().engine.operationOf(other, uuid))).toBe("plasm-unknown-handle");
    }
    stop();
  });

  it("are listed by state, and the end of one is told with what it came to", async () => {
    const uuid = await runs();
    expect(await uuidsOf(ANN, "unfinished")).toEqual([uuid]);
    expect(await uuidsOf(ANN, "succeeded")).toEqual([]);
    stop();
    await expect.poll(() => uuidsOf(ANN, "succeeded")).toEqual([uuid]);
    expect(await uuidsOf(OLGA, "unfinished")).toEqual([]);
    expect(await world().engine.operationOf(OLGA, uuid)).toMatchObject({
      state: "succeeded",
      outcome: { code: null, effects_done: 0, in_doubt: 0 },
      requests: world().api.asked.length,
    });
  });

  it("come in pages, the newest first, each once", async () => {
    const agent = await agentOn(world().engine, "boats", ANN);
    for (let n = 0; n < 53; n += 1) {
      world().store.advance(n % 3);
      const { meta } = await agent.run(`Boat("b1")[id]`, { wait: false });
      expect(meta["op"]).toBeDefined();
      await agent.run(`wait(o${n + 1})`, { wait: true });
    }
    const first = await world().engine.operations(OLGA, ALL);
    expect([first.operations.length, first.next]).toEqual([50, expect.any(String)]);
    const second = await world().engine.operations(OLGA, { ...ALL, before: first.next });
    expect([second.operations.length, second.next]).toEqual([3, null]);
    const all = [...first.operations, ...second.operations];
    expect(new Set(all.map(({ operation_uuid: uuid }) => uuid)).size).toBe(53);
    const times = all.map(({ started_at: at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await codeOf(world().engine.operations(ANN, { ...ALL, before: "x" }))).toBe(
      "plasm-bad-request",
    );
  });
});

describe("OPS-69 a long list of operations", () => {
  /** Operations that ended, as their ends leave them, of this principal. */
  async function ended(count: number, state: EndState, principal: string): Promise<void> {
    const { store } = world();
    const uuid = await runs();
    stop();
    await expect.poll(() => uuidsOf(ANN, "succeeded")).toContain(uuid);
    const [one] = await store.list("operation", "acme", "");
    const whole = one === undefined ? null : await store.get("operation", "acme", one.id);
    if (whole === null) throw new Error("no operation");
    for (let n = 0; n < count; n += 1) {
      const startedAt = whole.value.startedAt + n;
      const record = { ...whole.value, uuid: `${state}-${n}`, principal, startedAt, state };
      const id = `many/${state}-${n}`;
      await store.insert("operation", "acme", id, record);
      await noteEnding(store, { scope: "acme", id }, state, record);
    }
  }

  it("is read a page at a time, whatever its length, by state and by uuid", async () => {
    await ended(3_000, "failed", principalOf(ANN));
    const { store, engine } = world();
    const reads = { get: vi.spyOn(store, "get"), list: vi.spyOn(store, "list") };
    const page = await engine.operations(OLGA, { state: "failed", before: null });
    expect(page.operations[0]?.operation_uuid).toBe("failed-2999");
    expect(page.operations).toHaveLength(50);
    expect(reads.get.mock.calls.length).toBeLessThan(60);
    expect(reads.list.mock.calls.map(([kind]) => kind)).not.toContain("operation");
    expect((await engine.operations(OLGA, { state: "cancelled", before: null })).next).toBeNull();
    expect(await engine.operationOf(OLGA, "failed-7")).toMatchObject({ state: "failed" });
    expect(reads.list.mock.calls.map(([kind]) => kind)).not.toContain("operation");
    const found = new Set<string>();
    for (let before: string | null = null; ;) {
      const { operations, next } = await engine.operations(OLGA, { state: null, before });
      for (const one of operations) found.add(one.operation_uuid);
      if (next === null) break;
      before = next;
    }
    expect(found.size).toBe(3_001);
  });

  it("goes on behind what is others', page by page, until one's own are found", async () => {
    await ended(2_500, "failed", principalOf(BOB));
    const first = await world().engine.operations(ANN, ALL);
    expect([first.operations, first.next]).toEqual([[], expect.any(String)]);
    const second = await world().engine.operations(ANN, { ...ALL, before: first.next });
    expect([second.operations.length, second.next]).toEqual([1, null]);
  });
});

describe("OPS-62 who cancels an operation", () => {
  it.each([
    ["its caller", ANN],
    ["an operator, on a replica that does not run it", OLGA],
  ])("%s does, once, and the audit log says whose it was", async (_, who) => {
    const uuid = await runs();
    const { store, api } = world();
    const replica = engineOn({ store, api });
    const [first, second] = [
      await replica.cancelOperation(who, uuid),
      await replica.cancelOperation(who, uuid),
    ];
    stop();
    expect(first.cancel).toBe("requested");
    expect(["requested_before", "ended_before"]).toContain(second.cancel);
    await expect.poll(async () => (await replica.operationOf(who, uuid)).state).toBe("cancelled");
    expect(await replica.cancelOperation(who, uuid)).toMatchObject({
      cancel: "ended_before",
      state: "cancelled",
    });
    await replica.close();
    const noted = (await auditOf()).filter(({ kind }) => kind === "operation_cancelled");
    expect(noted).toEqual([
      expect.objectContaining({
        subject: who.subject,
        target: uuid,
        operation_uuid: uuid,
        plan_commit_ref: "pc0",
        detail: "operation of ann",
      }),
    ]);
  });

  it("nobody else does: another user, another tenant, who only reads, nobody in particular", async () => {
    const uuid = await runs();
    const { engine } = world();
    const told = async (who: Caller) => codeOf(engine.cancelOperation(who, uuid));
    expect(await told(BOB)).toBe("plasm-unknown-handle");
    expect(await told(FOREIGN)).toBe("plasm-unknown-handle");
    expect(await told({ ...ANN, anonymous: true })).toBe("plasm-unknown-handle");
    expect(await told(READER)).toBe("plasm-insufficient-scope");
    expect(await codeOf(engine.cancelOperation(OLGA, "nothing"))).toBe("plasm-unknown-handle");
    expect(await engine.operationOf(ANN, uuid)).toMatchObject({ cancel_requested: false });
    stop();
    await expect.poll(() => uuidsOf(ANN, "succeeded")).toEqual([uuid]);
    const kinds = (await auditOf()).map(({ kind }) => kind);
    expect(kinds).not.toContain("operation_cancelled");
  });

  it("one that has ended stays as it is, and leaves no line", async () => {
    const uuid = await runs();
    stop();
    await expect.poll(() => uuidsOf(ANN, "succeeded")).toEqual([uuid]);
    expect(await world().engine.cancelOperation(OLGA, uuid)).toMatchObject({
      cancel: "ended_before",
      state: "succeeded",
      cancel_requested: false,
    });
    const lines = await auditOf();
    expect(lines.filter(({ kind }) => kind === "operation_cancelled")).toEqual([]);
  });
});
