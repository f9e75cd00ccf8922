import type { Policy } from "@plasm/core";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boatsApi, type BoatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";
import { createAgentSession } from "./agent-session.ts";
import { openPlasm, type Plasm } from "./open-plasm.ts";

const SELL = 'Boat("b1").update(note="sold")';
const ANN = { scope: "acme", subject: "ann" };

let api: BoatsApi;
let policy: Policy;
let plasm: Plasm;
beforeEach(async () => {
  api = boatsApi();
  policy = { apis: { quay: { approval: { operator: ["update"] } } } };
  plasm = await openPlasm({
    catalogs: [fixtureCatalogDir("quay")],
    store: testStore(),
    env: {},
    ports: { transport: api.transport },
    policies: { policyOf: () => policy },
  });
});
afterEach(() => plasm.close());

async function begin(caller = ANN) {
  const session = plasm.session(caller);
  await session.context({ intent: "boats", seeds: [{ api: "quay", entity: "Boat" }] });
  return session;
}

describe("SURF-56 the code around a session lets people decide on its plans", () => {
  it("which run then, and which their own caller may not approve", async () => {
    const session = await begin();
    await expect(session.run(SELL)).rejects.toThrow("an operator must approve it");
    const [plan, ...others] = await session.approvals.list();
    if (plan === undefined) throw new Error("nothing waits");
    expect(others).toEqual([]);
    expect(plan).toMatchObject({ subject: "ann", intent: "boats", program: SELL });
    await expect(session.approvals.approve(plan, { by: "ann" })).rejects.toThrow(
      "Nobody decides on plans of their own",
    );
    await session.approvals.approve(plan, { by: "olga", reason: "it was sold" });
    expect(api.performed).toEqual([]);
    await session.run({ commit: plan.plan_commit_ref });
    expect(api.performed).toEqual(["PATCH /boats/b1"]);
    expect(await session.approvals.list()).toEqual([]);
  });

  it("which never run once they are rejected", async () => {
    const session = await begin();
    await expect(session.run(SELL)).rejects.toThrow("an operator must approve it");
    const [plan] = await session.approvals.list();
    if (plan === undefined) throw new Error("nothing waits");
    await session.approvals.reject(plan, { by: "olga" });
    await expect(session.run(SELL, { force: true })).rejects.toThrow("rejected this plan");
    expect(api.performed).toEqual([]);
  });

  it("by the session's own person where policy leaves it to the client", async () => {
    policy = { apis: { quay: { approval: { client: ["update"] } } } };
    const session = await begin();
    await expect(session.run(SELL)).rejects.toThrow("somebody must approve it");
    const [plan] = await session.approvals.list();
    if (plan === undefined) throw new Error("nothing waits");
    await session.approvals.approve(plan, { by: "ann" });
    await session.run({ commit: plan.plan_commit_ref });
    expect(api.performed).toHaveLength(1);
  });

  it("but not on those of others, nor on another plan than the one that was read", async () => {
    const session = await begin();
    await expect(session.run(SELL)).rejects.toThrow("an operator must approve it");
    const [plan] = await session.approvals.list();
    if (plan === undefined) throw new Error("nothing waits");
    const bob = await begin({ scope: "acme", subject: "bob" });
    expect(await bob.approvals.list()).toEqual([]);
    await expect(bob.approvals.approve(plan, { by: "olga" })).rejects.toThrow("No plan of this");
    const other = { ...plan, commit: `sha256:${"0".repeat(64)}` };
    await expect(session.approvals.approve(other, { by: "olga" })).rejects.toThrow(
      "another plan than the one that was read",
    );
    expect(api.performed).toEqual([]);
  });

  it("and no tool of the model, nor a session that was made without its store", async () => {
    const session = await begin();
    expect(session.tools.map(({ name }) => name).join(" ")).not.toMatch(/approv/);
    const engine = engineOn({ store: testStore(), api });
    const alone = createAgentSession(engine);
    await expect(alone.approvals.list()).rejects.toThrow("without the store of its engine");
    await engine.close();
  });
});
