import { describe, expect, it } from "vitest";
import { LOCAL } from "../../identity/caller.ts";
import { useWorld } from "../../../test/use-world.ts";
import type { StreamEvent } from "./watch-operation.ts";

const ADDRESS = { kind: "ref", ref: "s0" } as const;

const world = useWorld();

/** Accepts a read that waits until it is let go. */
async function accepted(): Promise<() => void> {
  const { store, api, agent } = world();
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const reached = new Promise<void>((resolve) => {
    api.before = async () => {
      resolve();
      await held;
      return null;
    };
  });
  await agent.run('Boat("b1")', { wait: false });
  await reached;
  await expect
    .poll(async () => (await store.list("operation", "anonymous", ""))[0]?.value.event)
    .toBe(2);
  return letGo;
}

const follow = async (after: number | null = null): Promise<AsyncIterator<StreamEvent>> => {
  const reader = { after, signal: new AbortController().signal };
  const events = await world().engine.watchOperation(LOCAL, ADDRESS, "s0_o1", reader);
  return events[Symbol.asyncIterator]();
};

async function rest(events: AsyncIterator<StreamEvent>): Promise<readonly StreamEvent[]> {
  const all: StreamEvent[] = [];
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    all.push(next.value);
  }
  return all;
}

const RUNNING = { event: "snapshot", id: 2, line: "s0_o1 ~ step 1/1 · Boat · 0 rows" };
const ENDED = { event: "terminal", id: 3, line: "s0_o1 ! 1 rows" };

describe("a stream of an operation (OPS-22, L40)", () => {
  it("early: how it stands, and its end", async () => {
    const letGo = await accepted();
    const events = await follow();
    expect((await events.next()).value).toEqual(RUNNING);
    letGo();
    expect(await rest(events)).toEqual([ENDED]);
  });

  it("18.10 says that it goes on elsewhere where its server stops", async () => {
    const letGo = await accepted();
    const events = await follow();
    await events.next();
    const left = rest(events);
    const drained = world().engine.drain(0);
    expect(await left).toEqual([{ ...RUNNING, event: "moved" }]);
    letGo();
    await drained;
  });

  it("F10 slow: what happened meanwhile is one, the end is not lost", async () => {
    const letGo = await accepted();
    const events = await follow();
    await events.next();
    letGo();
    await world().agent.run("wait(s0_o1)", { wait: true });
    expect(await rest(events)).toEqual([ENDED]);
  });

  it("late: the same twice, and closed", async () => {
    (await accepted())();
    await world().agent.run("wait(s0_o1)", { wait: true });
    expect(await rest(await follow())).toEqual([{ ...ENDED, event: "snapshot" }, ENDED]);
  });

  it("of a reader that knows the last event, without it", async () => {
    const letGo = await accepted();
    const events = await follow(2);
    letGo();
    expect(await rest(events)).toEqual([ENDED]);
    expect(await rest(await follow(3))).toEqual([ENDED]);
  });

  it("tells how it stands without waiting, and renews no session (SESS-11)", async () => {
    const { engine } = world();
    const letGo = await accepted();
    const view = await engine.operation(LOCAL, ADDRESS, "s0_o1");
    expect(view).toEqual({
      line: RUNNING.line,
      op: { n: 2, "~": "~", s: "1/1", l: "Boat", r: 0 },
    });
    letGo();
    await expect(engine.operation(LOCAL, ADDRESS, "s0_o9")).rejects.toMatchObject({
      problem: { code: "plasm-unknown-handle" },
    });
  });
});
