import type { JsonObject } from "@plasm/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boatsApi, type BoatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import type { Engine } from "../../engine.ts";
import { LOCAL } from "../../identity/caller.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";
import { approvalsIn } from "./approvals.ts";

const OPERATOR = { scope: LOCAL.scope, subject: "olga" };
const POLICY = { apis: { quay: { approval: { operator: ["all"] } } } } as const;
const SELL = 'Boat("b1").update(note="sold")';

let store: MemoryStore;
let api: BoatsApi;
let engine: Engine;
beforeEach(() => {
  store = testStore();
  api = boatsApi(100);
  engine = engineOn({ store, api, policy: POLICY });
});
afterEach(() => engine.close());

/** Somebody else changes what the plan would change. */
const changeNote = (note: string): Promise<unknown> =>
  api.transport.send({
    method: "PATCH",
    url: "http://quay/boats/b1",
    headers: [],
    body: new TextEncoder().encode(JSON.stringify({ note })),
  } as never);

/** The plan of a program that waits, as an operator reads it. */
async function waiting(program: string): Promise<JsonObject> {
  const agent = await agentOn(engine);
  await agent.run(program);
  const [first] = await approvalsIn(store).list(OPERATOR);
  return approvalsIn(store).find(OPERATOR, `${first?.["commit_uuid"] as string}`);
}

const explain = (program: string) => engine.explain(LOCAL, { kind: "ref", ref: "s0" }, { program });
const again = (plan: JsonObject): Promise<JsonObject> =>
  approvalsIn(store).find(OPERATOR, `${plan["commit_uuid"] as string}`);

describe("OPS-45 what an operator is shown of a plan", () => {
  it("has kind, target and arguments of each effect, accounts and the bill; no read is made for it", async () => {
    const plan = await waiting(SELL);
    const asked = api.asked.length;
    expect(await again(plan)).toMatchObject({
      effects: [{ kind: "update", capability: "boat_update", args: { note: "sold" } }],
      accounts: {},
      bill: { requests: { exact: 1 } },
      explained: null,
    });
    expect(api.asked).toHaveLength(asked);
  });

  it("has before and after as its caller had them read, before it waited or since", async () => {
    const plan = await waiting(SELL);
    await explain(SELL);
    expect((await again(plan))["explained"]).toMatchObject({
      at: expect.any(String) as string,
      effects: [
        { target: "Boat:b1", changes: [{ field: "note", before: "", after: "sold" }], error: null },
      ],
      omitted: 0,
    });
    expect(api.performed).toEqual([]);
  });

  it("LANG-056 has of an edit of a long text the part that changes", async () => {
    await changeNote(`${"before ".repeat(20_000)}old ${"after ".repeat(20_000)}`);
    const program = 'b = Boat("b1")\nb.update(note=replace(b.note, "old", "new"))';
    const plan = await waiting(program);
    await explain(program);
    const { effects, omitted } = (await again(plan))["explained"] as {
      readonly effects: readonly JsonObject[];
      readonly omitted: number;
    };
    expect(omitted).toBe(0);
    expect(effects).toMatchObject([
      {
        changes: [
          {
            field: "note",
            before: expect.stringMatching(/^….*before old after.*…$/) as string,
            after: expect.stringMatching(/^….*before new after.*…$/) as string,
            part: { at: 140_000, before: 260_004, after: 260_004 },
          },
        ],
      },
    ]);
    expect(JSON.stringify(effects).length).toBeLessThan(1_000);
  });

  it("keeps no more of an explanation than an operator's page can take, and says how much is left out", async () => {
    const long = "n".repeat(3_000);
    const program = `Boat{}.limit(100) => _.update(note="${long}")`;
    const plan = await waiting(program);
    await explain(program);
    const { effects, omitted } = (await again(plan))["explained"] as {
      readonly effects: readonly JsonObject[];
      readonly omitted: number;
    };
    expect(effects.length + omitted).toBe(100);
    expect(omitted).toBeGreaterThan(0);
    expect(JSON.stringify(effects).length).toBeLessThan(64_000);
  });

  it("approves what was explained again and has come to the same", async () => {
    const plan = await waiting(SELL);
    await explain(SELL);
    const { at } = (await again(plan))["explained"] as { readonly at: string };
    store.advance(1_000);
    await explain(SELL);
    const uuid = `${plan["commit_uuid"] as string}`;
    const words = { explainedAt: at };
    const decided = await approvalsIn(store).decide(OPERATOR, uuid, "approved", words);
    expect(decided["state"]).toBe("approved");
  });

  it("does not approve what was explained anew while somebody read it, and rejects it all the same", async () => {
    const plan = await waiting(SELL);
    const uuid = `${plan["commit_uuid"] as string}`;
    const approvals = approvalsIn(store);
    await explain(SELL);
    const before = (await again(plan))["explained"] as { readonly at: string };
    store.advance(1_000);
    await changeNote("leaks");
    await explain(SELL);
    for (const explainedAt of [null, before.at]) {
      await expect(approvals.decide(OPERATOR, uuid, "approved", { explainedAt })).rejects.toThrow(
        "explained again",
      );
    }
    const { at } = (await again(plan))["explained"] as { readonly at: string };
    const decided = await approvals.decide(OPERATOR, uuid, "approved", { explainedAt: at });
    expect(decided["state"]).toBe("approved");
    const rejected = await approvals.decide(OPERATOR, uuid, "rejected", { explainedAt: null });
    expect(rejected["state"]).toBe("rejected");
  });
});
