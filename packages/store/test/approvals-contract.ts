import { type Engine, LOCAL } from "@plasm/agent-core";
import { approvalsIn } from "@plasm/agent-core/internal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boatsApi } from "../../agent-core/test/boats-api.ts";
import { agentOn, engineOn } from "../../agent-core/test/engine-on.ts";
import type { StoreUnderTest } from "@plasm/agent-core/testing";

const POLICY = { apis: { quay: { approval: { operator: ["delete"] } } } };

const operator = { scope: LOCAL.scope, subject: "olga" };

/** Whoever floods the list of operators holds up neither others nor those who decide (issue 18, item 16). */
export function approvalsContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`approvals contract: ${name}`, () => {
    let under: StoreUnderTest;
    let engine: Engine;
    beforeEach(async () => {
      under = await open();
      under.setNow(1_800_000_000_000);
      const store = { ...under.store, close: async () => undefined };
      engine = engineOn({ store, api: boatsApi(100), policy: POLICY });
    });
    afterEach(async () => {
      await engine.close();
      await under.dispose();
    });

    it("18.16 a caller's plans that wait are limited over all sessions; others can ask, operators decide", async () => {
      const approvals = approvalsIn(under.store);
      const codes: (string | undefined)[] = [];
      for (let session = 0; session < 4; session += 1) {
        const flooding = await agentOn(engine, `flood ${session}`);
        for (let n = 1; n <= 20; n += 1) {
          const { problem } = await flooding.run(`Boat("b${session * 20 + n}").delete()`);
          codes.push(problem?.code);
        }
      }
      expect(codes.slice(0, 60)).toEqual(
        Array.from({ length: 60 }, () => "plasm-approval-required"),
      );
      expect(new Set(codes.slice(60))).toEqual(new Set(["plasm-too-many-operations"]));
      const ann = await agentOn(engine, "one", { ...LOCAL, subject: "ann" });
      expect((await ann.run('Boat("b1").delete()')).problem?.code).toBe("plasm-approval-required");

      const first = await approvals.page(operator);
      expect(first).toMatchObject({
        total: 61,
        callers: [
          { subject: "local", waiting: 60 },
          { subject: "ann", waiting: 1 },
        ],
      });
      const seen = new Set<unknown>();
      for (let next: string | null = null, isFirst = true; isFirst || next !== null;) {
        isFirst = false;
        const page = await approvals.page(operator, { after: next });
        expect(page.approvals.length).toBeLessThanOrEqual(20);
        for (const one of page.approvals) seen.add(one["commit_uuid"]);
        ({ next } = page);
      }
      expect(seen.size).toBe(61);

      const { approvals: hers, next } = await approvals.page(operator, { subject: "ann" });
      expect([hers.length, next]).toEqual([1, null]);
      const uuid = hers[0]?.["commit_uuid"];
      expect(typeof uuid).toBe("string");
      await expect(
        approvals.decide(operator, `${uuid as string}`, "approved", { commit: "sha256:0" }),
      ).rejects.toThrow("another plan");
      await expect(
        approvals.find({ ...operator, scope: "elsewhere" }, `${uuid as string}`),
      ).rejects.toThrow("No plan");
      const { commit } = await approvals.find(operator, `${uuid as string}`);
      const decided = await approvals.decide(operator, `${uuid as string}`, "approved", {
        commit: `${commit as string}`,
        reason: "she asked for it",
      });
      expect(decided).toMatchObject({ state: "approved", reason: "she asked for it" });
      expect(await approvals.find(operator, `${uuid as string}`)).toEqual(decided);
      await expect(approvals.page(operator, { after: `${uuid as string}` })).rejects.toThrow(
        "no plan that waits",
      );
    });
  });
}
