import { describe, expect, it } from "vitest";
import {
  contextCaller,
  CONTEXT_CALLERS,
  type ContextCaller,
  type ContextCallerName,
  type Seed,
} from "./context-caller.ts";
import { useGateWorld } from "./use-gate-world.ts";

const HOUR = 3_600_000;

const world = useGateWorld();

const BOAT: readonly Seed[] = [{ api: "quay", entity: "Boat" }];
const PERSON: readonly Seed[] = [{ api: "quay", entity: "Person" }];
const PROGRAM = 'e1("b1")';

const notice = (ref: string): string =>
  `NOTICE: the earlier session of ${ref} is gone (expired). Every e#, m#, p# seen before is void.`;
const recovery = (ref: string): string =>
  `logical_session_ref ${ref}\n${notice(ref)} Use only the table below.\n`;
const repetition = (ref: string): string =>
  `logical_session_ref ${ref}\n${notice(ref)} If its new table did not reach you, replay:true sends it.`;

/** SESS-26, and what HTTP says of a session that is named by its pair. */
const lost = (name: ContextCallerName, ref: string): object => ({
  code: "plasm-session-lost",
  status: 410,
  text:
    name === "HTTP"
      ? "The session expired. POST /execute opens a new one; all e#, m#, p# change."
      : `Session ${ref} expired. Call plasm_context with the same intent and seeds; all e#, m#, p# change.`,
});

/** The end of an answer without tables (SESS-19). */
const hintOf = (name: ContextCallerName): string =>
  name === "MCP on a connection" ? "" : " replay:true sends the tables again.";

/** A session that was open and is lost. */
async function openedAndLost(agent: ContextCaller): Promise<string> {
  const { logical_session_ref: ref } = await agent.open(BOAT);
  world().advance(HOUR + 1);
  return ref as string;
}

describe.each(CONTEXT_CALLERS)("%s", (name) => {
  const caller = (what: string): Promise<ContextCaller> => contextCaller(world(), name, what);

  it("B20 F8 SESS-26 SESS-27 a loss that a program sees first is told by the next context", async () => {
    const agent = await caller("lost");
    const ref = await openedAndLost(agent);
    world().sent();
    for (const call of [agent.plan, agent.run]) {
      expect(await call(PROGRAM)).toMatchObject(lost(name, ref));
    }
    expect(world().sent()).toEqual([]);
    const text = await agent.read(BOAT);
    expect(text.slice(0, recovery(ref).length)).toBe(recovery(ref));
    expect(text).toContain("Write Plasm programs with the names below.");
    expect(text).toContain("plasm_expr\tMeaning");
    expect((await agent.plan(PROGRAM)).code).toBeNull();
  });

  it("F22 SESS-25 it is told again until a program was accepted, whatever was asked for", async () => {
    const agent = await caller("its answer lost");
    const ref = await openedAndLost(agent);
    await agent.read(BOAT);
    expect(await agent.read(BOAT)).toBe(repetition(ref));
    expect(await agent.read(BOAT)).toBe(repetition(ref));
    const more = await agent.read(PERSON);
    expect(more.slice(0, repetition(ref).length)).toBe(repetition(ref));
    expect(more).toContain("Added from quay: Person");
    expect((await agent.plan("e1{colour=red}")).code).toBe("plasm-program-invalid");
    expect(await agent.read(BOAT)).toBe(repetition(ref));
    expect((await agent.plan(PROGRAM)).code).toBeNull();
    expect(await agent.read(BOAT)).toBe(
      `${ref} unchanged: Boat, Person. Names stand.${hintOf(name)}`,
    );
  });
});

// POST /execute knows no replay (SURF-16).
const REPLAYING = CONTEXT_CALLERS.filter((name) => name !== "HTTP");

it.each(REPLAYING)(
  "%s: F22 SESS-25 until then a replay begins with the recovery, too",
  async (name) => {
    const agent = await contextCaller(world(), name, "its answer lost, replayed");
    const ref = await openedAndLost(agent);
    await agent.read(BOAT);
    const again = await agent.read(BOAT, { replay: true });
    expect(again.slice(0, recovery(ref).length)).toBe(recovery(ref));
  },
);

describe("F21 SESS-40 a connection that holds the symbols of a lost session", () => {
  it("is refused until its own context, which is its recovery", async () => {
    const who = "MCP on a connection";
    const [one, other] = [
      await contextCaller(world(), who, "two connections"),
      await contextCaller(world(), who, "two connections"),
    ];
    const { logical_session_ref: shared } = await one.open(BOAT);
    const ref = shared as string;
    await other.open(BOAT, { replay: true });
    world().advance(HOUR + 1);
    expect(await one.read(BOAT)).toContain(recovery(ref));
    expect((await one.run(PROGRAM)).code).toBeNull();
    world().sent();
    for (const call of [other.plan, other.run]) {
      expect(await call(PROGRAM)).toMatchObject(lost(who, ref));
    }
    expect(world().sent()).toEqual([]);
    const text = await other.read(BOAT);
    expect(text.slice(0, recovery(ref).length)).toBe(recovery(ref));
    expect(text).toContain("plasm_expr\tMeaning");
    expect((await other.run(PROGRAM)).code).toBeNull();
    expect(await other.read(BOAT)).toBe(`${ref} unchanged: Boat. Names stand.`);
  });
});
