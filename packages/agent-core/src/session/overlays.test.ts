import { afterEach, describe, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { LOCAL } from "../identity/caller.ts";
import { formsApi, formsEngine } from "../../test/forms-api.ts";
import { testStore } from "../../test/test-store.ts";

const engines: Engine[] = [];
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

function setUp(token?: string) {
  const store = testStore();
  const api = formsApi();
  const engine = (own = token): Engine => {
    const made = formsEngine(store, api, own);
    engines.push(made);
    return made;
  };
  return { store, api, engine };
}

async function open(engine: Engine, intent: string, entity = "Entry__trees") {
  const seeds = [{ api: "forms", entity }];
  const { text, meta } = await engine.context(LOCAL, { intent, seeds, notation: "names" });
  const ref = meta["logical_session_ref"] as string;
  const wave = (meta["waves"] as readonly { digest: string }[])[0];
  const run = async (program: string): Promise<string> =>
    (await engine.run(LOCAL, { kind: "ref", ref }, { program })).text;
  return { text, digest: wave?.digest ?? "", run };
}

describe("RUN-103: an overlay in a session", () => {
  test("its entities may be seeds, are taught, and programs run over them", async () => {
    const { api, engine } = setUp();
    const { text, run } = await open(engine(), "a");
    expect(text).toContain(
      "forms: Entry__trees\nThis tenant's own entities, as seeds: Entry__trees, Entry__books\n",
    );
    expect(text).toMatch(/^height\tstr$/m);
    expect(api.asked).toEqual(["/forms"]);
    const answer = await run("Entry__trees[id, form, height]");
    expect(api.asked).toEqual(["/forms", "/forms/trees/entries"]);
    expect(answer).toContain("height of it");
  });

  test("the store is asked before the API, for 600 s and by every process on it", async () => {
    const { store, api, engine } = setUp();
    const first = engine();
    const { digest } = await open(first, "a");
    await open(first, "b");
    await open(engine(), "c");
    store.advance(599_000);
    expect((await open(first, "d")).digest).toBe(digest);
    expect(api.asked).toEqual(["/forms"]);
    store.advance(2_000);
    api.columns = ["height", "age"];
    const later = await open(first, "e");
    expect(api.asked).toEqual(["/forms", "/forms"]);
    expect(later.digest).not.toBe(digest);
    expect(later.text).toMatch(/^age\tstr$/m);
  });

  test("it is fetched once at a time, within a process and across them", async () => {
    const { api, engine } = setUp();
    api.before = () => new Promise((done) => setTimeout(done, 50));
    const [one, other] = [engine(), engine()];
    await Promise.all([open(one, "a"), open(one, "b"), open(other, "c"), open(other, "d")]);
    expect(api.asked).toEqual(["/forms"]);
  });

  test("another credential has another one", async () => {
    const { api, engine } = setUp();
    await open(engine("one"), "a");
    await open(engine("two"), "b");
    expect(api.asked).toEqual(["/forms", "/forms"]);
  });
});

test("RUN-103, RUN-129 the account that an overlay is read with is asked for before a session would lack it for good", async () => {
  const { store, api } = setUp();
  const made = formsEngine(store, api, undefined, undefined, {
    lastsMs: 0,
    accountOf: () => null,
    accountFault: () => null,
    missingScopes: () => null,
    accountQuestion: (_catalog, { accounts }) =>
      accounts?.has("forms") === true ? null : "home or work?",
    invite: async () => null,
  });
  engines.push(made);
  await expect(open(made, "a")).rejects.toThrow("not opened: home or work?");
  expect(api.asked).toEqual([]);
  const seeds = [{ api: "forms", entity: "Entry__trees", account: "work" }];
  const { text } = await made.context(LOCAL, { intent: "a", seeds, notation: "names" });
  expect(text).toContain("This tenant's own entities");
  expect(text).toMatch(/^height\tstr$/m);
  // It is known now, also to calls that do not name it again.
  expect((await open(made, "a")).text).toContain("unchanged");
  expect(api.asked).toEqual(["/forms"]);
});

describe("RUN-173: sessions keep the overlay they opened with", () => {
  test("other variables of a session have another one, too (RUN-015)", async () => {
    const { store, api } = setUp();
    const made = formsEngine(store, api, "one", (_caller, session) => {
      const variables = new Map([["forms", { share_token: session }]]);
      return { credentials: { tenant: "t" }, variables };
    });
    engines.push(made);
    await open(made, "a");
    await open(made, "a");
    await open(made, "b");
    expect(api.asked).toEqual(["/forms", "/forms"]);
  });

  test("after a restart and a change, and while the API is down", async () => {
    const { store, api, engine } = setUp();
    const first = await open(engine(), "a");
    store.advance(601_000);
    api.columns = ["age"];
    const restarted = engine();
    const again = await open(restarted, "a");
    expect(again.text).toContain("unchanged");
    expect(api.asked).toEqual(["/forms"]);
    expect(await again.run("Entry__trees[id, height]")).toContain("height");
    const fresh = await open(restarted, "b");
    expect(fresh.digest).not.toBe(first.digest);
    await expect(fresh.run("Entry__trees[height]")).rejects.toThrow(/height/);
  });

  test("further seeds of a session are taken from it", async () => {
    const { store, api, engine } = setUp();
    const own = engine();
    await open(own, "a");
    store.advance(601_000);
    const { text } = await open(own, "a", "Entry__books");
    expect(text).toContain("Added from forms: Entry__books\n");
    expect(api.asked).toEqual(["/forms"]);
  });
});

describe("RUN-103: if reading fails", () => {
  test("the catalog opens without overlay, the wave says why, and the next session tries again", async () => {
    const { api, engine } = setUp();
    const own = engine();
    api.status = 403;
    const { text, digest, run } = await open(own, "a", "Entry");
    expect(text).toMatch(
      /^forms: Entry\nIts schema of this tenant could not be read \(auth_refused: GET https:\/\/forms\.example\/forms answered 403\)/m,
    );
    expect(digest).toMatch(/^sha256:/);
    api.status = 200;
    expect(await run("Entry{form=x}[title]")).toContain("the a");
    const next = await open(own, "b");
    expect(next.digest).not.toBe(digest);
    expect(next.text).toContain("This tenant's own entities");
  });

  test("a seed that only the overlay has is unknown then", async () => {
    const { api, engine } = setUp();
    api.status = 403;
    await expect(open(engine(), "a")).rejects.toThrow(
      /no entity Entry__trees.*\n.*could not be read \(auth_refused/,
    );
  });
});
