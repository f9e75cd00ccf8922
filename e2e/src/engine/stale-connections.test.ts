import { Failure } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { openSqliteStore } from "@plasm/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { caller, engineUnderTest, START, type EngineUnderTest } from "./engine-under-test.ts";

const HOUR = 3_600_000;
const boat = { intent: "boats", seeds: [{ api: "quay", entity: "Boat" }] };
const s0 = { kind: "ref", ref: "s0" } as const;

/** Who recovers sessions, and who hears of it late. */
const me = caller({ connection: "c1" });
const other = caller({ connection: "c2" });

let under: EngineUnderTest;
let now = START;
beforeEach(async () => {
  under = await engineUnderTest();
  now = START;
});
afterEach(() => under.dispose());

const bindingOf = async (who: typeof me): Promise<JsonObject> =>
  (await under.engine.context(who, { ...boat, replay: true })).meta[
    "execute_binding"
  ] as JsonObject;

/** The session is lost, recovered by me, and the loss is done with (SESS-25). */
async function loseAndRecover(): Promise<void> {
  now += HOUR + 1;
  under.setNow(now);
  await under.engine.context(me, boat);
  await under.engine.plan(me, s0, "Boat");
}

async function textOfRefusal(): Promise<string> {
  const thrown: unknown = await under.engine
    .plan(other, s0, "Boat")
    .catch((error: unknown) => error);
  if (!(thrown instanceof Failure)) throw new Error("A refusal was expected", { cause: thrown });
  expect(thrown.problem.code).toBe("plasm-session-lost");
  return thrown.message;
}

/** What SESS-24 gives on recovery. */
const recovery = (previous: JsonObject, reason: string) => ({
  stale_binding_recovered: true,
  new_symbol_space: true,
  discard_cached_plasm_symbols: true,
  previous_execute: previous,
  reason,
});

const person = { intent: "boats", seeds: [{ api: "quay", entity: "Person" }] };

test("SESS-19 a connection that was sent later waves alone is told so until a replay", async () => {
  const hint = "This connection has not seen the tables; replay:true sends them.";
  await under.engine.context(me, boat);
  const delta = await under.engine.context(other, person);
  expect(delta.text).toContain("Added from quay: Person");
  expect(delta.text.endsWith(`\n${hint}`)).toBe(true);
  const unchanged = "s0 unchanged: Boat, Person. Names stand.";
  expect((await under.engine.context(other, person)).text).toBe(`${unchanged} ${hint}`);
  // The first one lacks the wave that came by the other.
  expect((await under.engine.context(me, boat)).text).toBe(`${unchanged} ${hint}`);
  for (const who of [me, other]) {
    await under.engine.context(who, { ...boat, replay: true });
    expect((await under.engine.context(who, boat)).text).toBe(unchanged);
  }
  const seeds = [{ api: "yard", entity: "Boat" }];
  const next = await under.engine.context(other, { intent: "boats", seeds });
  expect(next.text).not.toContain("replay:true");
});

test("SESS-40 SESS-24 B22 what others recovered is told with the pair that the connection held", async () => {
  const held = await bindingOf(other);
  await loseAndRecover();
  expect(await textOfRefusal()).toMatch(/^Session s0 expired\. Call plasm_context/);
  const { text, meta } = await under.engine.context(other, boat);
  expect(meta["continuity"]).toEqual(recovery(held, "expired"));
  expect(text).toContain(
    "NOTICE: the earlier session of s0 is gone (expired). Every e#, m#, p# seen",
  );
  expect(meta["execute_binding"]).not.toEqual(held);
  const { meta: after } = await under.engine.context(other, boat);
  expect(after["continuity"]).toEqual({ stale_binding_recovered: false, new_symbol_space: false });
});

test("SESS-40 the reason is that of its own loss, not of later ones", async () => {
  const held = await bindingOf(other);
  const { meta } = await under.engine.context(me, { ...boat, replay: true });
  const [wave] = meta["waves"] as readonly { readonly digest: string }[];
  const store = await openSqliteStore({ dataDir: under.dataDir });
  expect(await store.withdrawCatalog(wave?.digest ?? "")).toBe(true);
  await store.close();
  await under.engine.context(me, boat);
  await under.engine.plan(me, s0, "Boat");
  expect(await textOfRefusal()).toMatch(
    /^Session s0 is gone \(catalog_gone\)\. Call plasm_context/,
  );
  await loseAndRecover();
  expect(await textOfRefusal()).toMatch(
    /^Session s0 is gone \(catalog_gone\)\. Call plasm_context/,
  );
  const { text, meta: told } = await under.engine.context(other, boat);
  expect(told["continuity"]).toEqual(recovery(held, "catalog_gone"));
  expect(text).toContain("NOTICE: the earlier session of s0 is gone (catalog_gone). Every e#");
});

test.each(["a program", "…/context"])(
  "SESS-25 a loss that %s notices under the pair is told as it was then",
  async (what) => {
    const { meta } = await under.engine.context(me, boat);
    const [wave] = meta["waves"] as readonly { readonly digest: string }[];
    const held = meta["execute_binding"] as { prompt_hash: string; session_id: string };
    const session = { promptHash: held.prompt_hash, sessionId: held.session_id };
    const pair = { kind: "pair", ...session } as const;
    const store = await openSqliteStore({ dataDir: under.dataDir });
    await store.withdrawCatalog(wave?.digest ?? "");
    await store.close();
    const notice = () =>
      what === "a program"
        ? under.engine.plan(me, pair, "Boat")
        : under.engine.context(me, { seeds: boat.seeds, session });
    const gone = { problem: { code: "plasm-session-lost", meta: { reason: "catalog_gone" } } };
    await expect(notice()).rejects.toMatchObject(gone);
    now += HOUR + 1;
    under.setNow(now);
    await expect(notice()).rejects.toMatchObject(gone);
    const { text, meta: told } = await under.engine.context(me, boat);
    expect(told["continuity"]).toEqual(recovery(held, "catalog_gone"));
    expect(text).toContain("NOTICE: the earlier session of s0 is gone (catalog_gone). Every e#");
  },
);

test("SESS-40 a connection that missed more losses than are remembered still learns its old pair", async () => {
  const held = await bindingOf(other);
  for (let loss = 0; loss < 10; loss += 1) await loseAndRecover();
  const { meta } = await under.engine.context(other, boat);
  expect(meta["continuity"]).toEqual(recovery(held, "expired"));
});
