import { LOCAL } from "@plasm/agent-core";
import type { Policy } from "@plasm/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { GATE_SURFACES, uuidIn, type GateAgent, type Told } from "./gate-agent.ts";
import { useGateWorld } from "./use-gate-world.ts";

const world = useGateWorld();

/** Effects, reads that are expensive, and both in one. */
const PROGRAMS = [
  'Boat("b1").update(note="a")',
  'Boat("b1").ping()',
  "Boat{length>1}.sort(length)",
  'Boat{length>1}.sort(length)\nBoat("b1").update(note="b")',
] as const;

const POLICIES: readonly Policy[] = [
  {},
  { force: false },
  { apis: { quay: { approval: { operator: "all" } } } },
  { apis: { quay: { approval: { operator: ["update"] } } }, force: false },
  { apis: { quay: { deny: ["boat_ping"] } } },
  { apis: { quay: { effects: false } } },
];

/** What says that nothing was begun. */
const HELD = new Set([
  "plasm-review-required",
  "plasm-approval-required",
  "plasm-force-denied",
  "plasm-policy-denied",
  "plasm-program-invalid",
  "plasm-commit-used",
  "plasm-too-many-operations",
]);

type Step =
  | { readonly kind: "plan"; readonly program: number }
  | {
      readonly kind: "run";
      readonly program: number;
      readonly ref: number | null;
      readonly force: boolean | undefined;
    }
  | { readonly kind: "policy"; readonly policy: number }
  | { readonly kind: "later"; readonly seconds: number }
  | { readonly kind: "decide"; readonly verdict: "approved" | "rejected" };

const program = fc.nat({ max: PROGRAMS.length - 1 });
const run = fc.record({
  kind: fc.constant("run" as const),
  program,
  ref: fc.option(fc.nat({ max: 6 })),
  force: fc.constantFrom(undefined, true, false),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: run },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("plan" as const), program }) },
  fc.record({ kind: fc.constant("policy" as const), policy: fc.nat({ max: POLICIES.length - 1 }) }),
  fc.record({ kind: fc.constant("later" as const), seconds: fc.constantFrom(1, 599, 601, 90_000) }),
  fc.record({
    kind: fc.constant("decide" as const),
    verdict: fc.constantFrom("approved" as const, "rejected" as const),
  }),
);

/** Does a step; resolves to the answer of a run, else to null. */
async function take(agent: GateAgent, asked: string[], given: Step): Promise<Told | null> {
  switch (given.kind) {
    case "plan":
      await agent.plan(PROGRAMS[given.program] ?? "");
      return null;
    case "policy":
      world().setPolicy(POLICIES[given.policy] ?? {});
      return null;
    case "later":
      world().advance(given.seconds * 1_000);
      return null;
    case "decide": {
      const uuid = asked.at(-1);
      const operator = { scope: LOCAL.scope, subject: "ann" };
      // What has run, was decided or has expired is refused; that is no concern here.
      if (uuid !== undefined) {
        await world()
          .approvals.decide(operator, uuid, given.verdict)
          .catch(() => undefined);
      }
      return null;
    }
    case "run": {
      const { ref, force } = given;
      const told = await agent.run(PROGRAMS[given.program] ?? "", {
        wait: true,
        ...(ref === null ? {} : { plan_commit_ref: `pc${ref}` }),
        ...(force === undefined ? {} : { force }),
      });
      if (told.code === "plasm-approval-required") asked.push(uuidIn(told));
      return told;
    }
  }
}

it("P18: nothing is sent for a plan that was held back, nor by planning or deciding", async () => {
  const outcomes = new Set<string>();
  const wrongly: (readonly [Step, readonly string[]])[] = [];
  const steps = fc.array(step, { minLength: 4, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...GATE_SURFACES), steps, async (surface, all) => {
      world().setPolicy({});
      const agent = await world().agent(surface);
      const asked: string[] = [];
      world().sent();
      for (const each of all) {
        const told = await take(agent, asked, each);
        const sent = world().sent();
        outcomes.add(told === null ? "none" : (told.code ?? "ran"));
        const held = told === null || HELD.has(told.code ?? "");
        if (held && sent.length > 0) wrongly.push([each, sent]);
      }
      expect(wrongly).toEqual([]);
    }),
    { numRuns: 60, seed: 18 },
  );
  const seen = ["ran", "plasm-review-required", "plasm-approval-required", "plasm-policy-denied"];
  expect([...outcomes]).toEqual(expect.arrayContaining([...seen, "plasm-force-denied"]));
});
