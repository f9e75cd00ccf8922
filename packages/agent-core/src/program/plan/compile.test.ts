import { type Policy, foldWaves } from "@plasm/core";
import { afterEach, describe, expect, it } from "vitest";
import { boatsApi } from "../../../test/boats-api.ts";
import { engineOn } from "../../../test/engine-on.ts";
import { fixtureEntry } from "../../../test/fixture-entry.ts";
import { testStore } from "../../../test/test-store.ts";
import type { Engine } from "../../engine.ts";
import { LOCAL } from "../../identity/caller.ts";
import type { SessionView } from "../../session/session-view.ts";
import { KeptPlans, compile } from "./compile.ts";

const QUAY = fixtureEntry("quay");

/** A session of one wave, as a process has read it. */
function view(policy: Policy = {}): SessionView {
  const { catalog } = QUAY;
  const catalogs = new Map([["quay", catalog]]);
  const entry = { entryId: "quay", entities: ["Boat"], digest: catalog.digest };
  const log = [entry];
  const symbols = foldWaves(log, catalogs);
  const notation = "names" as const;
  return {
    session: {
      promptHash: "p",
      sessionId: "e1",
      scope: LOCAL.scope,
      subject: null,
      logicalId: null,
      notation,
      primary: "quay",
      reuseKey: "k",
      createdAt: 0,
      expiresAt: 1,
    },
    waves: [
      {
        n: 1,
        mode: "open",
        entry,
        text: "",
        parts: [],
        e: [1, 1],
        m: null,
        p: null,
        tokens: 0,
        untaught: [],
      },
    ],
    exposure: { catalogs, log, symbols, notation, policy, readOnly: false },
  };
}

function planOf(compiled: ReturnType<typeof compile>) {
  if (compiled.kind !== "plan") throw new Error("no plan");
  return compiled.plan;
}

describe("26.2 a program that was planned is not planned again", () => {
  it("while waves, catalogs and policy are the same, whoever made them anew", () => {
    const plans = new KeptPlans();
    const first = view({ force: false });
    const plan = planOf(compile("Boat.limit(1)", first, plans));
    const again = { ...first, exposure: { ...first.exposure, policy: { force: false } } };
    expect(planOf(compile("Boat.limit(1)", again, plans))).toBe(plan);
    expect(planOf(compile("Boat.limit(2)", again, plans))).not.toBe(plan);
  });

  it("is planned again with another policy, wave or catalog, and in another session", () => {
    const first = view();
    const others: readonly SessionView[] = [
      { ...first, exposure: { ...first.exposure, policy: { budgets: { rows: 7 } } } },
      { ...first, waves: [...first.waves] },
      {
        ...first,
        exposure: {
          ...first.exposure,
          catalogs: new Map([["quay", { ...QUAY.catalog }]]),
        },
      },
      { ...first, session: { ...first.session, sessionId: "another" } },
    ];
    for (const other of others) {
      const plans = new KeptPlans();
      const plan = planOf(compile("Boat.limit(1)", first, plans));
      const fresh = planOf(compile("Boat.limit(1)", other, plans));
      expect(fresh).not.toBe(plan);
      expect(fresh).toEqual(planOf(compile("Boat.limit(1)", other, new KeptPlans())));
    }
  });

  it("of very many, or very long ones, those that were used last are kept", () => {
    const plans = new KeptPlans({ plans: 2, characters: 60 });
    const on = view();
    const plan = (program: string) => planOf(compile(program, on, plans));
    const [one, two] = [plan("Boat.limit(1)"), plan("Boat.limit(2)")];
    expect(plan("Boat.limit(1)")).toBe(one);
    plan("Boat.limit(3)");
    expect(plan("Boat.limit(1)")).toBe(one);
    expect(plan("Boat.limit(2)")).not.toBe(two);
    plan(`Boat.limit(4)${" ".repeat(60)}`);
    expect(plan("Boat.limit(1)")).not.toBe(one);
  });
});

const engines: Engine[] = [];
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

it("26.2 SURF-25 a policy that comes between plan and run counts for the run", async () => {
  let policy: Policy = {};
  const store = testStore();
  const engine = engineOn({ store, api: boatsApi(), policies: { policyOf: () => policy } });
  engines.push(engine);
  const at = { kind: "ref", ref: "s0" } as const;
  const seeds = [{ api: "quay", entity: "Boat" }];
  await engine.context(LOCAL, { intent: "boats", seeds, notation: "names" });
  await engine.plan(LOCAL, at, 'Boat("b1")');
  await engine.run(LOCAL, at, { program: 'Boat("b1")', wait: true });
  policy = { apis: { quay: { deny: ["boat_get"] } } };
  await expect(engine.run(LOCAL, at, { program: 'Boat("b1")', wait: true })).rejects.toThrow();
  policy = {};
  expect((await engine.run(LOCAL, at, { program: 'Boat("b1")', wait: true })).text).toContain("b1");
});
