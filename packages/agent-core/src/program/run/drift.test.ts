import type { Policy } from "@plasm/core";
import { describe, expect, it, vi } from "vitest";
import { boatsApi } from "../../../test/boats-api.ts";
import { changedQuay } from "../../../test/changed-entry.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import { memoryStore } from "../../memory-store/memory-store.ts";
import { LOCAL } from "../../identity/caller.ts";
import type { RegisteredCatalog } from "../../ports.ts";
import { approvalsIn } from "../gate/approvals.ts";
import { driftSignsOf } from "./drift-signs.ts";

type Warn = (what: string, cause: unknown) => void;

it("OPS-66 an API that answers otherwise than its catalog says is told to operators once, and without a value", async () => {
  const api = boatsApi(3);
  const warn = vi.fn<Warn>();
  const store = memoryStore({ at: Date.UTC(2026, 0, 5) });
  const engine = engineOn({ store, api, warn });
  const agent = await agentOn(engine);
  await agent.run("Boat[id, length]");
  const told = () => warn.mock.calls.map(([what]) => what).filter((what) => /otherwise/.test(what));
  expect(told()).toEqual([]);
  const odd = { id: "b1", name: "Alma", state: "moored", length: { secret: "4 m" } };
  api.before = async () => ({ status: 200, json: { items: [odd], page: 1, total: 1 } });
  await agent.run("Boat[id, length]");
  await agent.run("Boat.sort(id)[id, length]");
  expect(told()).toEqual([
    "quay answers otherwise than its catalog says: Boat.length: an object in a number field (value_unconverted)",
  ]);
  api.before = async () => ({
    status: 200,
    json: { items: [{ id: "b1", name: "Alma", state: "scuttled" }], page: 1, total: 1 },
  });
  const { text, meta } = await agent.run("Boat.sort(name)[id, state]");
  expect(text).toContain("scuttled");
  expect(meta["diagnostics"]).toEqual([]);
  expect(told().slice(1)).toEqual([
    "quay answers otherwise than its catalog says: Boat.state: a word that is none of its options (option_unknown)",
  ]);
  expect(await driftSignsOf(store, "anonymous", "quay")).toEqual({
    since: "2025-12-07T00:00:00.000Z",
    signs: [
      {
        entry_id: "quay",
        sign: "value_unconverted",
        count: 2,
        last: "Boat.length: an object in a number field",
        last_at: "2026-01-05T00:00:00.000Z",
      },
      expect.objectContaining({ sign: "option_unknown", count: 1 }),
    ],
  });
  expect((await driftSignsOf(store, "anonymous", "yard")).signs).toEqual([]);
  await engine.close();
});

it("OPS-66 so is a key that its catalog says is always there, and no other that is left out", async () => {
  const api = boatsApi(3);
  const warn = vi.fn<Warn>();
  const engine = engineOn({ store: testStore(), api, warn });
  const agent = await agentOn(engine);
  const items = [{ id: "b1", title: "Alma" }];
  api.before = async () => ({ status: 200, json: { items, page: 1, total: 1 } });
  const { text, meta } = await agent.run("Boat[id, name, length]");
  expect(text).not.toContain("not in the answer");
  expect(meta["diagnostics"]).toEqual([]);
  expect(warn.mock.calls.map(([what]) => what)).toEqual([
    "quay answers otherwise than its catalog says: Boat.name: not in the answer (field_missing)",
  ]);
  await engine.close();
});

/** Quay whose updates can be taken back, so that their row is read ahead of them. */
const undoable = (): RegisteredCatalog =>
  changedQuay((text) => text.replace(/^( {2}boat_update:\n)/mu, "$1    undo: restore\n"));

const plain = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `b${n + 2}`,
    name: "A",
    state: "moored",
    length: "4",
  }));

describe("OPS-67 effects that rest on answers that fitted before wait for a person", () => {
  const SELL = 'Boat{} => _.update(note="sold")';
  const odd = (id: string) => ({ id, name: "Alma", state: "moored", length: { of: "4 m" } });

  function begin(policy: Policy = {}) {
    const api = boatsApi(3);
    const store = testStore();
    const engine = engineOn({ store, api, policy });
    const answers = (items: readonly object[]) => {
      api.before = async ({ method }) =>
        method === "GET" ? { status: 200, json: { items, page: 1, total: items.length } } : null;
    };
    const asks = () => {
      api.before = async () => null;
    };
    return { api, store, engine, answers, asks };
  }

  it("and run once one has approved them, for that plan alone", async () => {
    const { api, store, engine, answers } = begin();
    const agent = await agentOn(engine);
    await agent.run("Boat[id, length]");
    answers([odd("b1"), odd("b2")]);
    await agent.run("Boat.sort(id)[id, length]");
    const planned = await agent.plan(SELL);
    expect(planned.text).toContain(
      "quay.boat_query answers otherwise than before, since 2026-01-05T10:00:00Z: Boat.length: an object in a number field (value_unconverted)",
    );
    expect(planned.text).toContain("Somebody must approve it");
    for (const force of [true, false]) {
      const held = await agent.run(SELL, { force });
      expect(held.problem?.code).toBe("plasm-approval-required");
      expect(held.text).toContain("quay.boat_query answers otherwise than before");
    }
    expect(api.performed).toEqual([]);
    const operator = { scope: LOCAL.scope, subject: "op" };
    const approvals = approvalsIn(store);
    const waiting = await approvals.list(operator);
    expect(waiting).toHaveLength(1);
    expect(JSON.stringify(waiting)).toContain("quay.boat_query answers otherwise than before");
    expect(JSON.stringify(waiting)).not.toContain("4 m");
    const { commit_uuid: uuid, plan_commit_ref: planCommitRef } = waiting[0] as {
      readonly commit_uuid: string;
      readonly plan_commit_ref: string;
    };
    await approvals.decide(operator, uuid, "approved", {});
    expect((await agent.run(SELL, { planCommitRef, wait: true })).problem).toBeNull();
    expect(api.performed).toHaveLength(2);
    const other = 'Boat{} => _.update(note="kept")';
    expect((await agent.run(other, { force: true, wait: true })).problem?.code).toBe(
      "plasm-approval-required",
    );
    await engine.close();
  });

  it("where a key that was always there is called something else", async () => {
    const { engine, api, answers } = begin();
    const agent = await agentOn(engine);
    await agent.run("Boat[id, name]");
    answers([{ id: "b1", title: "Alma", state: "moored" }]);
    await agent.run("Boat.sort(id)[id, name]");
    const held = await agent.run(SELL, { force: true });
    expect(held.problem?.code).toBe("plasm-approval-required");
    expect(held.text).toContain("Boat.name: not in the answer (field_missing)");
    expect(api.performed).toEqual([]);
    await engine.close();
  });

  it("where what is read ahead of them has drifted, and it is that which is named", async () => {
    const api = boatsApi(3);
    const offered = undoable();
    const registry = { list: () => [offered], get: () => offered };
    const engine = engineOn({ store: testStore(), api, registry });
    const agent = await agentOn(engine);
    await agent.run('Boat("b1")');
    const fits = api.before;
    api.before = async ({ method }) => (method === "GET" ? { status: 200, json: odd("b1") } : null);
    const update = (note: string) => `Boat("b1").update(note="${note}")`;
    // Nobody has read the row since: what this one finds, the next one waits for.
    expect((await agent.run(update("a"), { force: true, wait: true })).problem).toBeNull();
    const held = await agent.run(update("b"), { force: true, wait: true });
    expect(held.problem?.code).toBe("plasm-approval-required");
    expect(held.text).toContain("quay.boat_get answers otherwise than before");
    expect(held.text).not.toContain("quay.boat_update answers");
    api.before = fits;
    await agent.run('Boat("b2")');
    expect((await agent.run(update("c"), { force: true, wait: true })).problem).toBeNull();
    await engine.close();
  });

  it("where rows are completed by what has drifted", async () => {
    const { engine, api } = begin();
    const agent = await agentOn(engine);
    await agent.run('Boat("b1")');
    api.before = async ({ method, path }) =>
      method === "GET" && path !== "/boats" ? { status: 200, json: odd("b1") } : null;
    await agent.run('Boat("b1")[id, length]');
    expect((await agent.run(SELL, { force: true, wait: true })).problem).toBeNull();
    const copies = 'Boat{} => _.update(note=_.note + "!")';
    const held = await agent.run(copies, { force: true, wait: true });
    expect(held.problem?.code).toBe("plasm-approval-required");
    expect(held.text).toContain("quay.boat_get answers otherwise than before");
    await engine.close();
  });

  it("not any more when the answers fit again", async () => {
    const { api, engine, answers, asks } = begin();
    const agent = await agentOn(engine);
    await agent.run("Boat[id, length]");
    answers([odd("b1")]);
    await agent.run("Boat.sort(id)[id, length]");
    asks();
    await agent.run("Boat.sort(name)[id, length]");
    expect((await agent.run(SELL, { force: true, wait: true })).problem).toBeNull();
    expect(api.performed).toHaveLength(3);
    await engine.close();
  });

  it.each<readonly [string, readonly (readonly object[])[], Policy]>([
    ["an API whose answers never fitted", [[odd("b1")], [odd("b2")]], {}],
    [
      "one odd row among many",
      [[1, 2, 3].map((n) => ({ ...odd(`b${n}`), length: "4" })), [odd("b1"), ...plain(2)]],
      {},
    ],
    ["a policy that does not mind", [plain(2), [odd("b1")]], { approval: { drifted: false } }],
  ])("not for %s", async (_name, pages, policy) => {
    const { engine, answers } = begin(policy);
    const agent = await agentOn(engine);
    for (const [n, page] of pages.entries()) {
      answers(page);
      await agent.run(`Boat.sort(id).limit(${50 + n})[id, length]`);
    }
    expect((await agent.run(SELL, { force: true, wait: true })).problem).toBeNull();
    await engine.close();
  });
});
