import { openCatalog } from "@plasm/core";
import { readFixtureCatalog } from "@plasm/testkit";
import { afterEach, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { LOCAL } from "../identity/caller.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { problemOf } from "../../test/problem-of.ts";
import { testStore } from "../../test/test-store.ts";

const engines: Engine[] = [];
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

/** An engine on quay, where a boat's note is rarely given when it is made. */
function engineWithRareNote(): Engine {
  const { entryId, domain, mappings } = readFixtureCatalog("quay");
  const [head = "", tail = ""] = domain.split("\n  boat_create:");
  const rare = tail.replace("name: note,", "name: note, detail: true,");
  if (rare === tail) throw new Error("boat_create of quay takes no note");
  const { catalog } = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: `${head}\n  boat_create:${rare}` },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null) throw new Error("quay does not open");
  const entry = { catalog, domain, mappings, credentials: true };
  const registry = {
    list: () => [entry],
    get: (id: string) => (id === "quay" ? entry : undefined),
  };
  const engine = engineOn({ store: testStore(), api: boatsApi(), registry });
  engines.push(engine);
  return engine;
}

const seeds = [{ api: "quay", entity: "Boat" }];
const asked = { intent: "make a boat", seeds, notation: "names" };
const createRow = (text: string): readonly string[] =>
  text.split("\n").filter((line) => line.startsWith("Boat.create("));

test("a context in full has rare arguments behind what it answers anyhow, and adds no wave (TEACH-46)", async () => {
  const engine = engineWithRareNote();
  const opened = await engine.context(LOCAL, asked);
  expect(createRow(opened.text).join()).not.toContain("note");
  expect(opened.text).toContain("Boat also has 1 argument; detail:true with the seed");
  const full = await engine.context(LOCAL, { ...asked, detail: true });
  expect(full.text).toMatch(/^s0 unchanged: [^]*\n\nIn full: Boat\n```tsv\n/);
  expect(createRow(full.text).join()).toContain("note");
  expect(full.meta).toMatchObject({ domain_revision: 1, waves: [] });
  const replayed = await engine.context(LOCAL, { ...asked, replay: true });
  expect(replayed.text).toBe(opened.text);
  // What is left out of the table may be given.
  const program = 'Boat.create(name="Ada", owner=Person("ann"), note="blue")';
  const plan = await engine.plan(LOCAL, { kind: "ref", ref: "s0" }, program);
  expect(plan.text).toContain("note");
});

test("a session opened in full is the one opened without, and detail is true or false", async () => {
  const engine = engineWithRareNote();
  const first = await engine.context(LOCAL, { ...asked, detail: true });
  const again = await engine.context(LOCAL, asked);
  expect(createRow(first.text)).toHaveLength(2);
  expect(again.meta["execute_binding"]).toEqual(first.meta["execute_binding"]);
  expect(await problemOf(engine.context(LOCAL, { ...asked, detail: "yes" }))).toMatchObject({
    code: "plasm-bad-request",
    text: expect.stringContaining("detail is true or false."),
  });
});
