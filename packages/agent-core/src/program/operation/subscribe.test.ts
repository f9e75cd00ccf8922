import { describe, expect, it } from "vitest";
import { type Caller, LOCAL, principalOf } from "../../identity/caller.ts";
import type { OperationKey } from "../../ports.ts";
import type { OperationRecord } from "../../records/operations.ts";
import { noteSent } from "../../session/connections.ts";
import { testStore } from "../../../test/test-store.ts";
import { subscribeToOperations, OperationNews, relayRemoteEvents } from "./events.ts";
import type { OperationDeps } from "../deps.ts";

const record = (holder: string, event: number, caller: Caller = LOCAL): OperationRecord =>
  ({
    n: 1,
    ref: "pc0",
    holder,
    session: { promptHash: "p", sessionId: "e1" },
    principal: principalOf(caller),
    state: "running",
    event,
    step: { k: 1, of: 2, label: "boats", rows: event },
    verdict: "review",
  }) as OperationRecord;

function world() {
  const store = testStore();
  const news = new OperationNews(async () => "s0");
  const warned: unknown[] = [];
  const deps = { store, news, warn: (...all: unknown[]) => void warned.push(all) };
  const hear = (caller: Caller, session: string | null = null) => {
    const lines: string[] = [];
    const stop = subscribeToOperations(deps, caller, ({ line }) => lines.push(line), session);
    return { lines, stop };
  };
  const tell = (one: OperationRecord, scope = LOCAL.scope) =>
    news.tell({ scope, id: `${one.holder}/o1` }, one);
  return { store, deps, hear, tell, warned };
}

const key = (sessionId: string) => ({ promptHash: "p", sessionId });
const on = (connection: string | null): Caller => ({ ...LOCAL, connection });
const line = (rows: number): string => `s0_o1 ~ step 1/2 · boats · ${rows} rows`;

describe("OPS-23 whom events concern", () => {
  it("connections of the principal on which the ref was opened, in order", async () => {
    const { store, hear, tell } = world();
    await noteSent(store, "opened", "l1", key("e1"), { from: 1, to: 1 });
    await noteSent(store, "opened, nothing sent", "l1", key("e1"), { from: 1, to: 0 });
    await noteSent(store, "another", "l2", key("e2"), { from: 1, to: 1 });
    const heard = hear(on("opened"));
    const unsent = hear(on("opened, nothing sent"));
    const deaf = [
      hear(on("another")),
      hear(on("nothing")),
      hear(on(null)),
      hear({ ...on("opened"), subject: "other" }),
      hear({ ...on("opened"), scope: "other" }),
    ];
    for (const event of [2, 3, 4]) await tell(record("l1", event));
    await Promise.all([heard, unsent, ...deaf].map(({ stop }) => stop()));
    expect(heard.lines).toEqual([line(2), line(3), line(4)]);
    expect(unsent.lines).toEqual(heard.lines);
    expect(deaf.flatMap(({ lines }) => lines)).toEqual([]);
    await tell(record("l1", 5));
    expect(heard.lines).toHaveLength(3);
  });

  it("and the call that names the session, by ref or uuid, told before its answer", async () => {
    const { hear, tell } = world();
    const [byRef, byUuid, other] = [
      hear(on(null), "s0"),
      hear(on(null), "l1"),
      hear(on(null), "s1"),
    ];
    await tell(record("l1", 2));
    expect([byRef.lines, byUuid.lines, other.lines]).toEqual([[line(2)], [line(2)], []]);
  });
});

describe("OPS-23 operations that another process runs", () => {
  it("are told here, each event once; those of this process by itself", async () => {
    const { store, deps, hear, warned } = world();
    let overheard: (place: OperationKey) => void = () => undefined;
    const queue = { overhear: (heard: typeof overheard) => void (overheard = heard) };
    const running = new Map([["mine", {}]]);
    relayRemoteEvents({ ...deps, queue, running } as unknown as OperationDeps);
    const { lines, stop } = hear(on(null), "s0");
    const place = { scope: LOCAL.scope, id: "l1/o1" };
    await store.insert("operation", place.scope, place.id, record("l1", 2));
    await store.insert("operation", place.scope, "mine", record("l1", 9));
    overheard(place);
    overheard(place);
    overheard({ ...place, id: "mine" });
    overheard({ scope: "calls", id: "no operation" });
    await expect.poll(() => lines).toEqual([line(2)]);
    const found = await store.get("operation", place.scope, place.id);
    await store.cas("operation", place.scope, place.id, found?.version ?? 0, record("l1", 3));
    overheard(place);
    await expect.poll(() => lines).toEqual([line(2), line(3)]);
    await stop();
    expect(warned).toEqual([]);
  });
});
