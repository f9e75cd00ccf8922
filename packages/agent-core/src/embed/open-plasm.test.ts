import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixtureCatalogDir } from "@plasm/testkit";
import { loadCatalogDirectory } from "@plasm/runtime";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { Failure } from "../errors/problem.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { embeddedQuay } from "../../test/embedded-quay.ts";
import { testStore } from "../../test/test-store.ts";
import { TOOLS } from "../tools/all-tools.ts";
import { openPlasm } from "./open-plasm.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const seeds = [{ api: "quay", entity: "Boat" }];
const intent = "which boats are moored";

const plasm = await embeddedQuay();
afterAll(plasm.close);

describe("a session of an embedder", () => {
  it("has a table, plans, and runs what was planned", async () => {
    const session = plasm.session();
    const { ref, text } = await session.context({ intent, seeds });
    expect(ref).toMatch(/^s\d+$/);
    expect(text).toContain("quay: Boat");
    const { commit } = await session.plan("Boat.limit(2)[id]");
    expect(plasm.api.asked).toEqual([]);
    const { results } = await session.run("Boat.limit(2)[id]", { commit });
    expect(results.map(({ rows }) => rows)).toEqual([[{ id: "b1" }, { id: "b2" }]]);
  });

  it("runs a plan by its answer, or its commit, without the program (OPS-3)", async () => {
    const session = plasm.session();
    await session.context({ intent: "plans", seeds });
    const plan = await session.plan('Boat("b1").update(note="painted")');
    const first = await session.run(plan);
    expect(first.meta["plan_commit_ref"]).toBe(plan.commit);
    const again = await session.run({ commit: plan.commit }, { wait: true });
    expect(again.text).toContain(`note: ${plan.commit} ran`);
    const read = await session.plan("Boat.limit(2)[id]");
    const [{ results }, handled] = [
      await session.run(read),
      await session.run(read, { wait: false }),
    ];
    expect(results.map(({ rows }) => rows)).toEqual([[{ id: "b1" }, { id: "b2" }]]);
    expect(handled.accepted).toMatch(/^s\d+_o\d+$/);
    await expect(session.run({ commit: "pc77" })).rejects.toThrow("unknown ref pc77");
  });

  it("a model may run a plan by its ref alone (SURF-3)", async () => {
    const session = plasm.session();
    const { ref } = await session.context({ intent: "refs", seeds });
    const { commit } = await session.plan("Boat.limit(1)[id]");
    const alone = { logical_session_ref: ref, plan_commit_ref: commit };
    expect((await session.call("plasm_run", alone)).text).toContain("b1");
    const neither = await session.call("plasm_run", { logical_session_ref: ref });
    expect([neither.isError, neither.text]).toEqual([
      true,
      expect.stringMatching(/^program is missing: .* or plan_commit_ref, /),
    ]);
  });

  it("finds seeds by a goal (TEACH-36)", async () => {
    const { meta } = await plasm.session().discover("boats in the harbour", { limit: 1 });
    expect(meta["options"]).toEqual([expect.objectContaining({ entity: "Boat" })]);
  });

  it("opens by a word of its goal, for code and for a model (SURF-7)", async () => {
    const session = plasm.session();
    const { text, meta } = await session.context({
      intent: "a word",
      seeds: [{ entity: "boats" }],
    });
    expect(text).toContain("quay: Boat");
    expect(meta["resolved_seeds"]).toEqual([{ seed: "boats", api: "quay", entity: "Boat" }]);
    const args = { intent: "a wrong word", seeds: [{ entity: "zeppelins" }] };
    const refused = await plasm.session().call("plasm_context", args);
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringMatching(
        /^No catalog has an entity zeppelins\.\nDiscovery finds for this intent:/,
      ),
    ]);
  });

  it("explains what was planned without sending an effect (SURF-56, OPS-38)", async () => {
    const session = plasm.session();
    await session.context({ intent: "explanations", seeds });
    const plan = await session.plan('Boat("b2").update(note="red")');
    const performed = plasm.api.performed.length;
    for (const work of [plan, 'Boat("b2").update(note="red")'] as const) {
      const { text, meta } = await session.explain(work);
      expect(text).toMatch(/^explain review .* 1 effect not sent/);
      expect(JSON.stringify(meta)).toContain('"after":"red"');
    }
    expect(plasm.api.performed).toHaveLength(performed);
  });

  it("throws an AbortError where its signal aborts, which says what was done (SURF-56)", async () => {
    const session = plasm.session();
    await session.context({ intent: "aborts", seeds });
    const reason = new Error("the person left");
    const aborted: unknown = await session
      .run("Boat[id]", { signal: AbortSignal.abort(reason) })
      .catch((thrown: unknown) => thrown);
    expect(aborted).toBeInstanceOf(Failure);
    expect(aborted).toMatchObject({ name: "AbortError", cause: reason });
    const stop = new AbortController();
    let sent = 0;
    plasm.api.before = async ({ method }) => {
      if (method === "PATCH" && (sent += 1) === 1) stop.abort();
      return null;
    };
    const sold = session.run('Boat{} => _.update(note="sold")', {
      signal: stop.signal,
      force: true,
      wait: true,
    });
    await expect(sold).rejects.toMatchObject({
      name: "AbortError",
      message: expect.stringContaining("effects: 1 done, 2 not started") as string,
    });
    plasm.api.before = async () => null;
    const unknown = session.run("Boat[nam]", { signal: new AbortController().signal });
    await expect(unknown).rejects.toMatchObject({ name: "Failure" });
  });

  it("gives rows one by one, over pages that are asked for as they are needed (SURF-56)", async () => {
    const session = plasm.session();
    await session.context({ intent: "streams", seeds });
    const ids: string[] = [];
    for await (const { id } of session.rows<{ id: string }>("Boat.page_size(2)[id]")) ids.push(id);
    expect(ids).toEqual(["b1", "b2", "b3"]);
    const asked = plasm.api.asked.length;
    const [first] = [await session.rows<{ id: string }>("Boat.sort(id).page_size(1)[id]").next()];
    expect(first).toEqual({ done: false, value: { id: "b1" } });
    expect(plasm.api.asked.length - asked).toBe(1);
    plasm.api.before = async () => ({ status: 200, json: {} });
    const missing = session.rows("Boat.sort(name)[id]").next();
    await expect(missing).rejects.toThrow("Rows are missing");
    plasm.api.before = async () => null;
  });

  it("plans no program before there is a context", async () => {
    const session = plasm.session();
    await expect(session.plan("Boat")).rejects.toThrow("Call context with intent and seeds.");
    await expect(session.run("Boat")).rejects.toBeInstanceOf(Failure);
  });

  it("is sent a table once, whatever an earlier one was sent (SESS-19)", async () => {
    const session = plasm.session();
    const [first, again] = [
      await session.context({ intent, seeds }),
      await session.context({ intent, seeds }),
    ];
    expect(first.text).toContain("quay: Boat");
    expect(again.text).not.toContain("quay: Boat");
    expect(again.ref).toBe(first.ref);
  });

  it("may be opened to read alone, by code and by a model (TEACH-25)", async () => {
    const session = plasm.session();
    const { text, meta } = await session.context({ intent: "look", seeds, readOnly: true });
    expect(meta["read_only"]).toBe(true);
    expect(text).not.toContain("Methods change data");
    await expect(session.plan('Boat("b1").ping()')).rejects.toThrow("this session only reads");
    await expect(session.run('Boat("b1").ping()', { force: true })).rejects.toThrow(Failure);
    const other = plasm.session();
    const asked = { intent: "look on", seeds, read_only: true };
    const opened = await other.call("plasm_context", asked);
    expect(opened.meta).toMatchObject({ read_only: true });
    const args = { logical_session_ref: opened.meta["logical_session_ref"], force: true };
    const refused = await other.call("plasm_run", { ...args, program: "Boat => _.delete()" });
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringContaining("delete of Boat changes data, and this session only reads."),
    ]);
  });

  it("of one user is not found by another (SESS-38)", async () => {
    const ann = plasm.session({ scope: "harbour", subject: "ann" });
    const bob = plasm.session({ scope: "harbour", subject: "bob" });
    const { ref } = await ann.context({ intent, seeds });
    const { isError } = await bob.call("plasm", { logical_session_ref: ref, program: "Boat" });
    expect(isError).toBe(true);
  });
});

describe("what a model calls (SURF-3, SURF-6)", () => {
  it("is what MCP lists", async () => {
    const { tools } = plasm.session();
    expect(tools).toEqual(TOOLS.map(({ definition }) => definition));
  });

  it.each([
    ["plasm_ran", {}, "No tool plasm_ran. There are: plasm_context, plasm, plasm_run"],
    ["plasm", "Boat", "The arguments of plasm are an object."],
    ["plasm", null, "The arguments of plasm are an object."],
    ["plasm", [], "The arguments of plasm are an object."],
    ["plasm", { programm: "Boat" }, "Did you mean program?"],
    ["plasm", { program: "Boat" }, "Call plasm_context first"],
  ])("%s with %j is answered, not thrown", async (name, args, said) => {
    const { text, isError, meta } = await plasm.session().call(name, args);
    expect(isError).toBe(true);
    expect(text).toContain(said);
    expect(meta["error"]).toMatchObject({ code: "plasm-bad-request", status: 400 });
  });
});

describe("catalogs", () => {
  it("may be loaded before", async () => {
    const catalogs = await loadCatalogDirectory([fixtureCatalogDir("quay")]);
    const opened = await openPlasm({ catalogs, store: testStore(), env: {} });
    closing.push(opened.close);
    expect(opened.catalogs).toEqual(["quay"]);
  });

  it("that do not load are refused, with the place of each error (RUN-180)", async () => {
    const directory = await mkdtemp(join(tmpdir(), "plasm-embed-"));
    closing.push(() => rm(directory, { recursive: true }));
    await writeFile(join(directory, "domain.yaml"), "version: one\n");
    const opening = openPlasm({ catalogs: [directory], store: testStore(), env: {} });
    await expect(opening).rejects.toThrow(/does not load:\n {2}domain\.yaml:\d+:\d+ [A-Z]+\d+ /);
    const none = openPlasm({ catalogs: [join(directory, "none")], store: testStore(), env: {} });
    await expect(none).rejects.toThrow("does not exist");
  });

  it("are called where the embedder says, else where the environment does (RUN-004)", async () => {
    const origins: string[] = [];
    const { transport } = boatsApi();
    const catalogs = await loadCatalogDirectory([fixtureCatalogDir("quay")]);
    const env = { PLASM_BACKEND_QUAY: "http://127.0.0.1:1" };
    for (const backends of [{}, { quay: "http://127.0.0.1:2" }]) {
      const { session: begin, close } = await openPlasm({
        catalogs,
        store: testStore(),
        env,
        backends,
        ports: {
          transport: {
            ...transport,
            send: async (request) => {
              origins.push(new URL(request.url).origin);
              return transport.send(request);
            },
          },
        },
      });
      closing.push(close);
      const session = begin();
      await session.context({ intent, seeds });
      await session.run("Boat.limit(1)[id]");
    }
    expect(origins).toEqual(["http://127.0.0.1:1", "http://127.0.0.1:2"]);
  });
});
