import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};

const FINAL = ["succeeded", "cancelled", "failed"];
const SIGNAL: Readonly<Record<string, string>> = { succeeded: "!", cancelled: "x", failed: "?" };

describe("F9 P15 OPS-12: a cancel races the end", () => {
  it("one terminal state, told alike to all who ask, and no event after it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(400), fc.nat(400), async (before, between) => {
        const store = testStore();
        const engine = engineOn({ store, api: boatsApi(3) });
        const agent = await agentOn(engine);
        await agent.run('Boat("b1").ping()\nBoat("b2").ping()', { force: true, wait: false });
        await turns(before);
        const first = agent.run("cancel(s0_o1)");
        await turns(between);
        const told = await Promise.all([
          first,
          agent.run("cancel(s0_o1)"),
          agent.run("wait(s0_o1)", { wait: true }),
        ]);
        const stored = async () => (await store.list("operation", "anonymous", ""))[0]?.value;
        const record = await stored();
        expect(FINAL).toContain(record?.state);
        const signals = told.map(({ meta }) => (meta["op"] as { readonly "~": string })["~"]);
        expect(new Set(signals)).toEqual(new Set([SIGNAL[record?.state ?? ""]]));
        const again = await agent.run("cancel(s0_o1)");
        expect(again.meta["op"]).toMatchObject({ n: record?.event });
        await engine.close();
        expect(await stored()).toEqual(record);
        expect(await store.list("seat", "anonymous", "")).toEqual([]);
        expect(await store.list("unfinished", "", "")).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});
