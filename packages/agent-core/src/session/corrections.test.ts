import { openCatalog } from "@plasm/core";
import { fixtureCatalogNames, readFixtureCatalog } from "@plasm/testkit";
import { afterEach, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { LOCAL } from "../identity/caller.ts";
import type { RegisteredCatalog } from "../ports.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { fixtureEntry } from "../../test/fixture-entry.ts";
import { testStore } from "../../test/test-store.ts";

/** Quay, whose papers only relations lead to, and whose digest nothing but its name stands for. */
function withAbstract(): RegisteredCatalog {
  const { domain: text, mappings } = readFixtureCatalog("quay");
  const domain = text.replaceAll(/^ {2}(Paper|Log|Person):\n/gm, "$&    abstract: true\n");
  expect(domain.match(/abstract: true/g)?.length).toBeGreaterThanOrEqual(3);
  const { catalog, diagnostics } = openCatalog({
    entryId: "quay",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics));
  return { catalog, domain, mappings, credentials: true };
}

const engines: Engine[] = [];
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

function engineWith(entry: RegisteredCatalog): Engine {
  const registry = {
    list: () => [entry],
    get: (id: string) => (id === entry.catalog.entryId ? entry : undefined),
  };
  const engine = engineOn({ store: testStore(), api: boatsApi(), registry });
  engines.push(engine);
  return engine;
}

/** What a program is answered with; the text of the problem if it is one. */
const planned = (engine: Engine, ref: string, program: string): Promise<string> =>
  engine.plan(LOCAL, { kind: "ref", ref }, program).then(
    ({ text }) => text,
    (thrown: unknown) => engine.problemOf(thrown).text,
  );

interface Seed {
  readonly api: string;
  readonly entity: string;
}

/** A session on one entity; its ref and its text. */
async function open(engine: Engine, seeds: readonly Seed[], intent: string) {
  const { text, meta } = await engine.context(LOCAL, { intent, seeds, notation: "names" });
  const ref = meta["logical_session_ref"];
  if (typeof ref !== "string") throw new Error("the session has no ref");
  return { text, ref };
}

const seedsIn = (text: string): readonly Seed[] =>
  [...text.matchAll(/\{"api": "[^"]+", "entity": "[^"]+"\}/g)].map(
    ([seed]) => JSON.parse(seed) as Seed,
  );

/** The entities that the line `also: visits → Visit` of a table names. */
const alsoIn = (text: string): readonly string[] =>
  [...(/^also: (.*)$/m.exec(text)?.[1] ?? "").matchAll(/→ (\w+)/g)].map(([, name = ""]) => name);

const CATALOGS = [
  ...fixtureCatalogNames.map((name) => [name, () => fixtureEntry(name)] as const),
  ["quay with abstract entities", withAbstract] as const,
];

test.each(CATALOGS)(
  "17.14: %s: each seed that a correction or a table names is accepted, and mends its program",
  async (_, entryOf) => {
    const entry = entryOf();
    const api = entry.catalog.entryId;
    const names = [...entry.catalog.cgs.entities.keys()];
    const engine = engineWith(entry);
    let named = 0;
    for (const held of names) {
      const first = { api, entity: held };
      const { ref, text } = await open(engine, [first], `about ${held}`);
      for (const entity of alsoIn(text)) {
        named++;
        const { ref: wider } = await open(engine, [first, { api, entity }], `${held}, ${entity}`);
        expect(await planned(engine, wider, `${entity}("x")`)).not.toMatch(/plasm_context/);
      }
      const others = names.filter((name) => name !== held);
      for (const other of others) {
        const program = `${other}("x")`;
        const refusal = await planned(engine, ref, program);
        for (const seed of seedsIn(refusal)) {
          named++;
          const { ref: wider } = await open(engine, [first, seed], `${held} with ${other}`);
          expect(await planned(engine, wider, program)).not.toMatch(/plasm_context|unknown_name/);
        }
      }
    }
    // Each entity of a catalog with several is named from at least one other.
    expect(named).toBeGreaterThanOrEqual(names.length > 1 ? names.length : 0);
  },
);

test("17.14: what discovery offers is accepted as a seed", async () => {
  const entries = fixtureCatalogNames.map((name) => fixtureEntry(name));
  const registry = {
    list: () => entries,
    get: (id: string) => entries.find(({ catalog }) => catalog.entryId === id),
  };
  const engine = engineOn({ store: testStore(), api: boatsApi(), registry });
  engines.push(engine);
  const intents = ["boats of a person", "which trees bear", "crates in a depot", "papers, logs"];
  let offered = 0;
  for (const intent of intents) {
    const { text } = await engine.discover(LOCAL, { intent, limit: 20 });
    const rows = [...text.matchAll(/^(\w+)\t(\w+)\t/gm)];
    for (const [, api = "", entity = ""] of rows) {
      if (!entries.some(({ catalog }) => catalog.entryId === api)) continue;
      offered++;
      expect((await open(engine, [{ api, entity }], `${intent} ${entity}`)).text).toContain(entity);
    }
  }
  expect(offered).toBeGreaterThanOrEqual(8);
});
