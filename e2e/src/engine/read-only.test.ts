import { Failure } from "@plasm/agent-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { caller, engineUnderTest, START, type EngineUnderTest } from "./engine-under-test.ts";
import { openEngine } from "./open-engine.ts";

const HOUR = 3_600_000;
const PING = 'Boat("b1").ping()';
const look = { intent: "look", seeds: [{ api: "quay", entity: "Boat" }], readOnly: true };
const asked = { intent: "look", seeds: look.seeds };
const more = { intent: "look", seeds: [{ api: "quay", entity: "Person" }] };
const s0 = { kind: "ref", ref: "s0" } as const;
const me = caller({ connection: "c1" });

let under: EngineUnderTest;
beforeEach(async () => {
  under = await engineUnderTest();
});
afterEach(() => under.dispose());

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (thrown: unknown) => {
      if (thrown instanceof Failure) return thrown.problem.code;
      throw thrown;
    },
  );
const ping = (engine = under.engine) => codeOf(engine.plan(me, s0, PING));

test("SESS-35 a session that only reads does so after a restart, in what was and what is added", async () => {
  const first = await under.engine.context(me, look);
  await under.restart();
  expect(await ping()).toBe("plasm-policy-denied");
  const replay = await under.engine.context(me, { ...asked, replay: true });
  expect(replay.text).toBe(first.text);
  const added = await under.engine.context(me, more);
  expect(added.meta).toMatchObject({ read_only: true, reused: true, waves: [{ n: 2 }] });
  expect(added.text).not.toContain("Methods change data");
});

test("SESS-33 it does so on every replica", async () => {
  const replica = await openEngine({ dataDir: under.dataDir, now: () => START });
  await under.engine.context(me, look);
  expect(await ping(replica)).toBe("plasm-policy-denied");
  expect((await replica.context(me, more)).meta).toMatchObject({ read_only: true });
  expect(await ping()).toBe("plasm-policy-denied");
  await replica.close();
});

test("SESS-24 what is opened in place of a lost one is what its own call asks for", async () => {
  await under.engine.context(me, look);
  under.setNow(START + HOUR + 1);
  expect(await ping()).toBe("plasm-session-lost");
  const again = await under.engine.context(me, look);
  expect(again.meta).toMatchObject({
    read_only: true,
    continuity: { stale_binding_recovered: true, new_symbol_space: true },
  });
  expect(await ping()).toBe("plasm-policy-denied");
  under.setNow(START + 2 * HOUR + 2);
  expect((await under.engine.context(me, asked)).meta).not.toHaveProperty("read_only");
  expect(await ping()).toBe("done");
});

test("OPS-8 a commit of a lost session that could change data changes nothing in one that only reads", async () => {
  await under.engine.context(me, asked);
  const { meta } = await under.engine.plan(me, s0, PING);
  under.setNow(START + HOUR + 1);
  await under.engine.context(me, look);
  const byRef = { planCommitRef: meta["plan_commit_ref"], force: true };
  const run = (what: object) => codeOf(under.engine.run(me, s0, { ...byRef, ...what }));
  expect(await run({ program: PING })).toBe("plasm-policy-denied");
  // Alone it names no plan of this session.
  expect(await run({})).toBe("plasm-review-required");
});

test("SESS-5 of opens that race, all get one session, of one kind", async () => {
  const opened = await Promise.all(
    [true, false, true, false, true].map((readOnly) =>
      under.engine.context(caller(), { ...asked, readOnly }),
    ),
  );
  const kinds = new Set(opened.map(({ meta }) => meta["read_only"]));
  expect(new Set(opened.map(({ meta }) => JSON.stringify(meta["execute_binding"]))).size).toBe(1);
  expect(kinds.size).toBe(1);
  expect(await ping()).toBe(kinds.has(true) ? "plasm-policy-denied" : "done");
  const told = opened.map(({ text }) => /read_only stays (true|false)/.exec(text)?.[1]);
  const stays = String(kinds.has(true));
  expect(told.filter((one) => one !== undefined)).toEqual(
    stays === "true" ? [stays, stays] : [stays, stays, stays],
  );
});

test("SURF-10 its tables are read as those of any session", async () => {
  await under.engine.context(me, look);
  const { prompt } = await under.engine.describe(me, s0);
  expect(prompt).toContain("[Boat] · ");
  expect(prompt).not.toMatch(/ping|Methods change data/);
});
