import { describe, expect, it } from "vitest";
import { agentOn, engineOn } from "../testing/engine-on.ts";
import { holdRequests } from "../testing/hold-requests.ts";
import { useWorld } from "../testing/use-world.ts";

const world = useWorld();

const PINGS = 'Boat("b1").ping()\nBoat("b2").ping()';

describe("an engine that is stopped", () => {
  it("lets a run end within the grace", async () => {
    const { api, engine, agent } = world();
    const { reached, letGo } = holdRequests(api, "writes");
    const run = agent.run(PINGS, { force: true });
    await reached;
    const drained = engine.drain(60_000);
    letGo();
    await drained;
    expect((await run).text).toBe("done ping quay.Boat ×2 b1 b2");
    await engine.close();
  });

  it("then cancels it: the effect in flight is awaited, and the answer is still given", async () => {
    const { store, api, engine, agent } = world();
    const { reached, letGo } = holdRequests(api, "writes");
    const run = agent.run(PINGS, { force: true });
    await reached;
    const drained = engine.drain(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    letGo();
    await drained;
    const { text } = await run;
    expect(text).toMatch(
      /^failed at n2: cancelled\neffects: 1 done, 1 not started\ndone n1 ping quay\.Boat b1\n/,
    );
    expect(text).toContain("The server was stopped before the run had ended.");
    expect(api.performed).toEqual(["POST /boats/b1/ping"]);
    await engine.close();
    const next = engineOn({ store, api });
    const again = await (await agentOn(next)).run(PINGS, { planCommitRef: "pc0" });
    expect(again.text).toContain(text);
    await next.close();
  });

  it("closes its store only after the last call", async () => {
    const { store, api, engine, agent } = world();
    const { reached, letGo } = holdRequests(api, "reads");
    const order: string[] = [];
    Object.assign(store, { close: async () => void order.push("closed") });
    const run = agent.run("Boat").then(() => order.push("answered"));
    await reached;
    const closed = engine.close();
    letGo();
    await Promise.all([run, closed]);
    expect(order).toEqual(["answered", "closed"]);
  });

  it("takes no new calls, and says that it will be back", async () => {
    const { engine, agent } = world();
    await engine.drain(0);
    const { problem } = await agent.run("Boat");
    expect(problem).toMatchObject({
      code: "plasm-store-unavailable",
      status: 503,
      retryable: true,
    });
    await engine.close();
  });
});
