import { describe, expect, it } from "vitest";
import { LOCAL, type Caller } from "../identity/caller.ts";
import { sweep } from "../retention/sweep.ts";
import { agentOn, engineOn } from "../../test/engine-on.ts";
import { graftSet, openTelling, U42 } from "../../test/graft-agent.ts";
import type { MemoryStore } from "../memory-store/memory-store.ts";
import { useWorld } from "../../test/use-world.ts";

const DAY = 86_400_000;
const OTHER: Caller = { ...LOCAL, scope: "another" };

const world = useWorld();

async function only(): Promise<string> {
  const { traces } = await world().engine.traces(LOCAL);
  const [first, ...others] = traces as readonly { readonly trace_id: string }[];
  expect(others).toEqual([]);
  return first?.trace_id ?? "";
}

describe("SURF-29 a trace per logical session", () => {
  it("has its calls, its runs' nodes and requests, and what they came to, for whoever asks next", async () => {
    const { engine, agent } = world();
    await agent.plan("Boat.limit(2)[id]");
    const ran = await agent.run("Boat.limit(2)[id]");
    await agent.run("Nothing");
    const detail = await engine.trace(LOCAL, await only());
    const told = detail.events.map(({ type, call, outcome, kind, status, path }) =>
      [type, call ?? kind ?? path, outcome ?? status].map((part) => `${part as string}`).join(" "),
    );
    expect(told.filter((line) => line.startsWith("call"))).toEqual([
      "call plasm_context ok",
      "call plasm ok",
      "call plasm_run ok",
      "call plasm_run plasm-program-invalid",
    ]);
    expect(told).toContain("node query done");
    expect(told).toContain("request /boats 200");
    expect(detail.totals).toMatchObject({ calls: 4, failed_calls: 1, requests: 1, rows: 2 });
    const call = detail.events.find(({ call: name }) => name === "plasm_run");
    expect(call?.["plan_commit_ref"]).toBe(ran.meta["plan_commit_ref"]);
  });

  it("begins its stream with what was noted a moment ago", async () => {
    const { engine, agent } = world();
    const id = await only();
    await agent.plan("Boat");
    const stream = await engine.watchTrace(LOCAL, id, new AbortController().signal);
    const { value } = await stream[Symbol.asyncIterator]().next();
    expect(value).toMatchObject({ event: "snapshot", id: 2 });
  });

  it("loses none by a clean stop, as another process on the store reads it", async () => {
    const { store, api, engine, agent } = world();
    await agent.plan("Boat");
    await engine.drain(1_000);
    const { traces } = await engineOn({ store, api }).traces(LOCAL);
    expect(traces).toEqual([expect.objectContaining({ seq: 2 })]);
  });

  it("SURF-27 holds no program, argument, row or text of an answer", async () => {
    const { engine, agent } = world();
    await agent.plan('Boat("b1").update(note="a word to nobody")');
    const planned = { planCommitRef: "pc0" };
    await agent.run('Boat("b1").update(note="a word to nobody")', planned);
    const text = JSON.stringify(await engine.trace(LOCAL, await only()));
    expect(text).toContain('"operation"');
    for (const word of ["nobody", "update(", "note", '"b1"', '/b1"'])
      expect(text).not.toContain(word);
  });

  it.each<[string, (ref: string, graftId: string) => Promise<unknown>]>([
    ["the tool", (ref, graftId) => world().engine.fetchGraft(U42, { graftId, ref })],
    ["the route", (ref, graftId) => world().engine.graft(U42, { kind: "ref", ref }, graftId)],
    [
      "the resource",
      (ref, id) => world().engine.readResource(U42, `plasm://session/${ref}/g/${id}`),
    ],
  ])(
    "GRAFT-15 has fetches of grafts with id and size, by %s, which renew nothing",
    async (_, by) => {
      const { store, engine } = world();
      const { ref } = await openTelling(engine, U42, { grafts: graftSet() });
      const until = () => engine.status(U42, { kind: "ref", ref });
      const before = await until();
      store.advance(60_000);
      await by(ref, "g01");
      await by(ref, "g77").catch(() => null);
      expect(await until()).toEqual(before);
      const { traces } = await engine.traces(U42);
      const [{ trace_id: id } = { trace_id: "" }] = traces as readonly { trace_id: string }[];
      const { events, totals } = await engine.trace(U42, id);
      const bytes = "Prune quince in late winter".length;
      expect(events).toContainEqual(
        expect.objectContaining({ type: "graft", graft_id: "g01", bytes }),
      );
      expect(totals).toMatchObject({ calls: 3, failed_calls: 1, grafts: 1 });
      expect(JSON.stringify(events)).not.toContain("quince");
    },
  );

  it("without an intent it is the execute session's", async () => {
    const { engine } = world();
    const seeds = [{ api: "quay", entity: "Boat" }];
    const { meta } = await engine.context(LOCAL, { seeds, notation: "names" });
    const { session_id: id = "" } = meta["execute_binding"] as Record<string, string>;
    expect(await engine.trace(LOCAL, id)).toMatchObject({ trace_id: id, kind: "execute", seq: 1 });
  });

  it("of a session that is not there is none", async () => {
    const { engine } = world();
    const planned = engine.plan(LOCAL, { kind: "ref", ref: "s7" }, "Boat");
    await expect(planned).rejects.toThrow();
    expect((await engine.trace(LOCAL, await only())).totals).toMatchObject({ calls: 1 });
  });
});

describe("SESS-38 whose a trace is", () => {
  it("another scope's is what never was", async () => {
    const { engine } = world();
    const id = await only();
    expect(await engine.traces(OTHER)).toEqual({ traces: [], omitted: 0 });
    const textOf = async (caller: Caller, name: string): Promise<string> => {
      const thrown = await engine.trace(caller, name).catch((cause: unknown) => cause);
      const { code, text } = engine.problemOf(thrown);
      return `${code} ${text.replaceAll(name, "ID")}`;
    };
    expect(await textOf(OTHER, id)).toBe(await textOf(LOCAL, id.replaceAll(/[0-9a-f]/g, "0")));
    expect(await textOf(OTHER, id)).toMatch(/^plasm-unknown-trace/);
    const stream = engine.watchTrace(OTHER, id, new AbortController().signal);
    await expect(stream).rejects.toThrow();
  });

  it("nobody in particular has no list", async () => {
    expect(await world().engine.traces({ ...LOCAL, anonymous: true })).toEqual({
      traces: [],
      omitted: 0,
    });
  });
});

describe("SURF-29 what cannot be read is a 503, never an empty list", () => {
  it.each(["list", "get"] as const)("%s", async (name) => {
    const { store, api } = world();
    const id = await only();
    const broken = engineOn({
      store: {
        ...store,
        [name]: () => Promise.reject(new Error("no disk")),
        close: async () => {},
      },
      api,
      warn: () => undefined,
    });
    const asked = name === "list" ? broken.traces(LOCAL) : broken.trace(LOCAL, id);
    const thrown = await asked.catch((cause: unknown) => cause);
    const { status, code } = broken.problemOf(thrown);
    expect([status, code]).toEqual([503, "plasm-store-unavailable"]);
  });
});

it("SESS-37 a trace stays 7 days after its last event, with all its events", async () => {
  const { store, engine } = world();
  await engine.drain(1_000);
  store.advance(7 * DAY - 1_000);
  await sweep(store);
  expect(store.held()).toMatchObject({ trace: 1, traceEvents: 1 });
  store.advance(1_000);
  await sweep(store);
  const { trace, traceEvents } = store.held();
  expect([trace, traceEvents]).toEqual([undefined, undefined]);
});

it("no call waits for a trace, and what the store refused is written later", async () => {
  const { store, api, engine } = world();
  let refusing = true;
  const slow: MemoryStore = {
    ...store,
    transaction: async (work) =>
      store.transaction((tx) =>
        work({
          ...tx,
          insert: async (kind, scope, id, value) => {
            if (kind === "trace" && refusing) throw new Error("no disk");
            return tx.insert(kind, scope, id, value);
          },
        }),
      ),
  };
  const refused: string[] = [];
  const other = engineOn({ store: slow, api, warn: (what) => refused.push(what) });
  const own = await agentOn(other, "piers");
  expect((await own.plan("Boat.limit(1)[id]")).problem).toBeNull();
  await expect.poll(() => refused).toEqual(["A trace could not be written"]);
  refusing = false;
  await other.drain(1_000);
  const { traces } = await engine.traces(LOCAL);
  expect(traces).toContainEqual(expect.objectContaining({ seq: 2 }));
});
