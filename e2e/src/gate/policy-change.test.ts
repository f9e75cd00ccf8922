import { LOCAL } from "@plasm/agent-core";
import type { JsonObject, Policy } from "@plasm/core";
import { describe, expect, it } from "vitest";
import { GATE_SURFACES, mcpCall, type Told } from "./gate-agent.ts";
import { useGateWorld } from "./use-gate-world.ts";

const world = useGateWorld({ per: "test" });

/** The handle of the rows that an answer left. */
function handleIn({ meta }: Told): string {
  const [page] = (meta["paging"] ?? []) as readonly JsonObject[];
  const handle = page?.["next_page_handle"];
  if (typeof handle !== "string") throw new Error("no rows are left");
  return handle;
}

const TIGHTER: readonly (readonly [string, Policy])[] = [
  ["its capability is denied", { apis: { quay: { deny: ["boat_query"] } } }],
  ["its catalog is forbidden", { apis: { yard: {} } }],
];

describe.each(GATE_SURFACES)(
  "F18 policy that is tightened meanwhile, over %s (SURF-25, G20)",
  (surface) => {
    it.each(TIGHTER)(
      "a page whose read is forbidden since is not read on: %s",
      async (_, policy) => {
        const agent = await world().agent(surface);
        const page = `page(${handleIn(await agent.run("Boat.page_size(1)[id]"))})`;
        world().sent();
        world().setPolicy(policy);
        const refused = await agent.run(page);
        expect([refused.code, refused.status]).toEqual(["plasm-policy-denied", 403]);
        expect(world().sent()).toEqual([]);
        world().setPolicy({});
        expect(await agent.run(page)).toMatchObject({ code: null });
      },
    );

    it.each(TIGHTER)(
      "the next run and the next plan are refused, unsent: %s",
      async (_, policy) => {
        const agent = await world().agent(surface);
        const program = "Boat.limit(1)[id]";
        expect(await agent.run(program)).toMatchObject({ code: null });
        world().sent();
        world().setPolicy(policy);
        expect((await agent.run(program)).code).toBe("plasm-policy-denied");
        expect(world().sent()).toEqual([]);
        world().setPolicy({});
        expect(await agent.run(program)).toMatchObject({ code: null });
      },
    );

    it("an operation whose catalog is forbidden since tells nothing of it", async () => {
      const agent = await world().agent(surface);
      const accepted = await agent.run("Boat.limit(2)[id]", { wait: false });
      const handle = /wait\((s\d+_o\d+)\)/.exec(accepted.text)?.[1] ?? "";
      const wait = () => agent.run(`wait(${handle})`, { wait: true });
      expect(await wait()).toMatchObject({ code: null });
      world().setPolicy({ apis: { yard: {} } });
      expect((await wait()).code).toBe("plasm-policy-denied");
      world().setPolicy({});
      expect(await wait()).toMatchObject({ code: null });
    });
  },
);

it("a snapshot of a catalog that is forbidden since is not shown (SURF-25)", async () => {
  const agent = await world().agent("MCP");
  expect(await agent.run("Boat.limit(2)[id]")).toMatchObject({ code: null });
  const read = () =>
    mcpCall(world().fetchAs(LOCAL), "resources/read", { uri: "plasm://session/s0/r/1" });
  expect(await read()).toHaveProperty("result");
  world().setPolicy({ apis: { yard: {} } });
  expect(await read()).toMatchObject({ error: { data: { code: "plasm-policy-denied" } } });
});
