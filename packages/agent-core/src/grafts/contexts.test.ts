import { afterEach, describe, expect, it } from "vitest";
import type { Engine } from "../engine.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import {
  codeOf,
  graftSet,
  HEADER_LINE,
  NAMELESS,
  openTelling,
  U42,
} from "../../test/graft-agent.ts";
import { testStore } from "../../test/test-store.ts";
import type { Store } from "../store-port.ts";

const open: Engine[] = [];
const onStore = (store: Store, policy = {}): Engine => {
  const engine = engineOn({ store, api: boatsApi(), policy });
  open.push(engine);
  return engine;
};
const fresh = (): Engine => onStore(testStore());
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});

const PERSON = [{ api: "quay", entity: "Person" }];
const line = (id: string, path: string, abstract: string, mark = ""): string =>
  `- \`${id}\`${mark} · git · \`${path}\` — ${abstract}`;

describe("the section of an answer (GRAFT-5, GRAFT-10)", () => {
  it("D1 D8 stands after the waves of the first answer that has grafts, without bodies", async () => {
    const engine = fresh();
    await openTelling(engine, U42);
    const content = `${"Prune in winter. ".repeat(8)}MARKER${"x".repeat(7_000)}`;
    const grafts = graftSet([{ content }], { guardrails: "Cite the graft id for each claim." });
    const { section, text, meta } = await openTelling(engine, U42, { seeds: PERSON, grafts });
    expect(section.split("\n")).toEqual([
      HEADER_LINE,
      "Cite the graft id for each claim.",
      "Only abstracts are listed, no bodies. Pick lines by source, path or abstract; grafted_context_fetch(graft_id) loads one body when a turn needs it.",
      line("g01", "a.md", content.slice(0, 120)),
    ]);
    expect(text).toContain(`\n\n${HEADER_LINE}`);
    expect(text.indexOf("quay: e")).toBeLessThan(text.indexOf(HEADER_LINE));
    expect(text).not.toContain("MARKER");
    expect(meta).toEqual({
      count: 1,
      indexed: 1,
      hidden: 0,
      chars: Array.from(section).length,
      revision: 1,
    });
  });

  it("later answers print what is new or changed, an unchanged set nothing, replay all", async () => {
    const engine = fresh();
    const first = await openTelling(engine, U42, { grafts: graftSet([{}]) });
    expect(await openTelling(engine, U42)).toMatchObject({
      section: "",
      meta: { ...first.meta },
    });
    const again = await openTelling(engine, U42, { grafts: graftSet([{}]) });
    expect([again.section, again.meta["revision"]]).toEqual(["", 1]);
    const items = [{ content: "Prune pear, too" }, { graft_id: "g02", path: "b.md" }];
    const changed = await openTelling(engine, U42, { grafts: graftSet(items) });
    expect(changed.section.split("\n")).toEqual([
      line("g01", "a.md", "Prune pear, too", " (revision 2)"),
      line("g02", "b.md", "Prune quince in late winter"),
    ]);
    expect(changed.meta).toMatchObject({ count: 2, indexed: 2, hidden: 0, revision: 2 });
    const replayed = await openTelling(engine, U42, { replay: true });
    expect(replayed.section.split("\n")[0]).toBe(HEADER_LINE);
    expect(replayed.section).toContain(line("g01", "a.md", "Prune pear, too"));
    expect(replayed.meta["chars"]).toBe(Array.from(replayed.section).length);
  });

  it("is no part of the prompt, whose hash it does not change", async () => {
    const engine = fresh();
    const seeds = [{ api: "quay", entity: "Boat" }];
    const bare = await engine.context(U42, { intent: "a", seeds });
    const with1 = await engine.context(U42, { intent: "b", seeds, grafts: graftSet() });
    const hash = ({ meta }: typeof bare) =>
      (meta["execute_binding"] as Readonly<Record<string, string>>)["prompt_hash"];
    expect(hash(with1)).toBe(hash(bare));
    const described = await engine.describe(U42, { kind: "ref", ref: "s1" });
    expect(described["prompt"]).not.toContain("Grafts ·");
  });

  it("what an answer without text had is shown by the next one", async () => {
    const engine = fresh();
    const silent = await openTelling(engine, U42, { grafts: graftSet(), silent: true });
    expect([silent.section, silent.meta["count"]]).toEqual(["", 1]);
    expect((await openTelling(engine, U42)).section).toContain(HEADER_LINE);
  });
});

describe("whose grafts they are (GRAFT-1, GRAFT-4)", () => {
  it("D12 without a user attaching fails, and nothing is written", async () => {
    const engine = fresh();
    const call = openTelling(engine, NAMELESS, { grafts: graftSet() });
    expect(await codeOf(engine, call)).toBe("plasm-graft-no-identity");
    expect(await openTelling(engine, NAMELESS)).toMatchObject({ section: "", meta: { count: 0 } });
  });

  it("the user is the caller, whatever the argument says", async () => {
    const engine = fresh();
    const grafts = graftSet([{}], { user_id: "root" });
    expect((await openTelling(engine, U42, { grafts })).section).toContain(HEADER_LINE);
  });

  it("D23 two subjects of one tenant and intent see their own", async () => {
    const engine = fresh();
    const u43 = { ...U42, subject: "u43" };
    const mine = await openTelling(engine, U42, { grafts: graftSet([{ content: "mine" }]) });
    const other = await openTelling(engine, u43, { grafts: graftSet([{ content: "other" }]) });
    expect([mine.section.includes("— mine"), other.section.includes("— other")]).toEqual([
      true,
      true,
    ]);
    expect((await openTelling(engine, U42, { replay: true })).section).not.toContain("other");
    const seen = await engine.grafts(u43, { kind: "ref", ref: other.ref });
    expect(seen.grafts.map(({ abstract }) => abstract)).toEqual(["other"]);
  });

  it("policy may allow none (SURF-25)", async () => {
    const store = testStore();
    const policies: { grafts?: boolean } = {};
    const engine = onStore(store, policies);
    const { ref } = await openTelling(engine, U42, { grafts: graftSet() });
    policies.grafts = false;
    expect(await openTelling(engine, U42, { replay: true })).toMatchObject({
      section: "",
      meta: { count: 0 },
    });
    const at = { kind: "ref", ref } as const;
    const refused = [
      openTelling(engine, U42, { grafts: graftSet() }),
      engine.attachGrafts(U42, at, graftSet()),
      engine.grafts(U42, at),
      engine.graft(U42, at, "g01"),
      engine.fetchGraft(U42, { graftId: "g01", ref }),
      engine.readResource(U42, `plasm://session/${ref}/g/g01`),
      engine.readResource(U42, `plasm://session/${ref}/g`),
    ];
    for (const call of refused) expect(await codeOf(engine, call)).toBe("plasm-policy-denied");
  });
});

describe("failure (GRAFT-14)", () => {
  it("an attachment that cannot be stored fails its call before any wave", async () => {
    const store = testStore();
    const engine = onStore({
      ...store,
      putBlob: () => Promise.reject(new Error("disk full")),
    });
    const call = openTelling(engine, U42, { grafts: graftSet() });
    expect(await codeOf(engine, call)).toBe("plasm-internal");
    expect(store.held()).toEqual({});
  });

  it("neither do its grafts stay where the call fails", async () => {
    const store = testStore();
    const engine = onStore(store);
    const seeds = [{ api: "quay", entity: "Bout" }];
    const call = openTelling(engine, U42, { seeds, grafts: graftSet() });
    expect(await codeOf(engine, call)).toBe("plasm-unknown-entity");
    expect(Object.keys(store.held())).toEqual(["blobs"]);
  });

  it("F2 a store that fails afterwards leaves the context usable, and the next one tries again", async () => {
    const store = testStore();
    const fault = { on: false };
    const warned: string[] = [];
    const failing: Store = {
      ...store,
      get: (kind, scope, id) =>
        fault.on && kind === "graftSet"
          ? Promise.reject(new Error("lost at /var/lib"))
          : store.get(kind, scope, id),
    };
    const engine = engineOn({ store: failing, api: boatsApi(), warn: (what) => warned.push(what) });
    open.push(engine);
    await openTelling(engine, U42, { grafts: graftSet(), silent: true });
    fault.on = true;
    const told = await openTelling(engine, U42);
    expect(told.section).toBe("Grafts unavailable.");
    expect(told.meta).toEqual({ count: 0, error: "The grafts could not be read or written." });
    expect(warned).toEqual(["grafts are unavailable"]);
    fault.on = false;
    expect((await openTelling(engine, U42)).section).toContain(HEADER_LINE);
  });
});
