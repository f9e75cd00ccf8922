import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import { type CatalogFromDocument, catalogFromGraphql } from "@plasm/importers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";
import { openTexts, seedsOf, sweepCatalog } from "../taught-rows/sweep-catalog.ts";
import { startYard, type Yard, YARD_SCHEMA } from "./yard-server.ts";

let root: string;
let yard: Yard;
let engine: Engine;
let made: CatalogFromDocument;

/** The catalog that the yard's schema gives, as it is, and a session on it. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "plasm-graphql-"));
  yard = await startYard();
  made = await catalogFromGraphql(YARD_SCHEMA, { entryId: "yard", server: yard.url });
  const directory = join(root, "yard");
  await mkdir(directory);
  await writeFile(join(directory, "domain.yaml"), made.domain);
  await writeFile(join(directory, "mappings.yaml"), made.mappings);
  engine = await openEngine({ dataDir: join(root, "data"), catalogs: [directory] });
  const seeds = ["Boat", "Person", "Api"].map((entity) => ({ api: "yard", entity }));
  await engine.context(caller(), { intent: "boats", seeds, notation: "names" });
});
afterAll(async () => {
  await engine.close();
  await yard.close();
  await rm(root, { recursive: true });
});

/** What a program answers, and how many operations it took; the text of the problem if it is one. */
async function ran(program: string) {
  yard.operations.length = 0;
  try {
    const ref = { kind: "ref", ref: "s0" } as const;
    const { text, results } = await engine.run(caller(), ref, { program, force: true, wait: true });
    return { text, rows: results[0]?.rows ?? [], sent: yard.operations.length };
  } catch (thrown) {
    return { text: engine.problemOf(thrown).text, rows: [], sent: yard.operations.length };
  }
}

it("reaches every root field, and every row that it teaches plans (TEACH-19)", () => {
  expect([made.left, made.reached]).toEqual([[], made.operations]);
  const catalog = openTexts("yard", made);
  for (const notation of ["names", "symbols"] as const)
    expect(sweepCatalog(catalog, notation, seedsOf(catalog)).faults).toEqual([]);
});

describe("a GraphQL server answers what its schema's catalog asks", () => {
  it("lists, with filters, by pages of connections and of offsets", async () => {
    const all = await ran("Boat.limit(500)[id]");
    expect([all.rows.length, all.sent]).toEqual([120, 3]);
    const own = await ran('Boat{ownerId=Person("p3"), state=MOORED}[id, name, owner, size]');
    expect(own.rows).toEqual([
      { id: "b3", name: "Boat 3", owner: "p3", size: { length: 4.5 } },
      { id: "b63", name: "Boat 63", owner: "p3", size: { length: 4.5 } },
    ]);
    const people = await ran("Person.limit(500)[id]");
    expect([people.rows.length, people.sent]).toEqual([60, 2]);
  });

  it("gets a row by its key, the one that there is, and values of the API itself", async () => {
    expect((await ran('Boat("b2")[id, state]')).rows).toEqual([{ id: "b2", state: "OUT" }]);
    expect((await ran("Person.viewer()[id]")).rows).toEqual([{ id: "p1" }]);
    expect((await ran("Api.version()[version]")).rows).toEqual([{ version: "7" }]);
    expect((await ran('Boat("none")[id]')).text).toContain("not_found");
  });

  it("follows references and lists behind a row, page by page", async () => {
    expect((await ran('Boat("b2").owner[id, name]')).rows).toEqual([
      { id: "p2", name: "Person 2" },
    ]);
    const crew = await ran('Boat("b2").crew.limit(500)[id]');
    expect([crew.rows.length, crew.sent]).toEqual([60, 2]);
  });

  it("creates, changes and deletes, each with what the mutation answers", async () => {
    const created = await ran(
      'Boat.create(name="Fresh", ownerId=Person("p9"))[id, name, owner, state]',
    );
    expect(created.rows).toEqual([{ id: "b121", name: "Fresh", owner: "p9", state: "MOORED" }]);
    expect((await ran('Boat("b121").update(state=OUT)[id, state]')).rows).toEqual([
      { id: "b121", state: "OUT" },
    ]);
    expect((await ran('Boat("b121").paint(colour="red")[colour]')).rows).toEqual([
      { colour: "red" },
    ]);
    expect((await ran('Boat("b121").delete()')).text).not.toContain("error");
    expect((await ran('Boat("b121")[id]')).text).toContain("not_found");
  });

  it("shows the row that came beside errors, and tells these (RUN-041)", async () => {
    const { text, rows } = await ran('Boat("b4").paint(colour="secret")[id, colour, papers]');
    expect(rows).toEqual([{ id: "b4", colour: "secret", papers: null }]);
    expect(text).toContain("papers are locked");
    const inspected = await ran('Boat("b6").inspect()');
    expect(inspected.rows).toEqual([{ score: 7, remark: null, hull: "sound" }]);
    expect(inspected.text).toContain("remarks are private");
  });

  it("is in doubt where nothing says that a mutation without an answer was not done (RUN-041)", async () => {
    // Done, and its answer broke: a plain failure would be done again.
    const sunk = await ran('Boat("b8").sink()');
    expect(sunk.text).toMatch(/Whether sink Boat:b8 happened is unknown.*b8 has no draught/s);
    expect([sunk.rows, sunk.sent]).toEqual([[], 1]);
    const closed = await ran('Boat("b120").sink()');
    expect(closed.text).toMatch(/Whether sink Boat:b120 happened is unknown.*the sea is closed/s);
    const gone = await ran('Boat("b999").sink()');
    expect(gone.text).toContain("there is no boat b999");
    expect(gone.text).not.toContain("is unknown");
  });

  it.each([
    ['Boat.create(name="")', "a boat needs a name"],
    ['Boat("b2").paint(colour="grey")', "no grey here"],
    ['Boat("b999").delete()', "there is no boat b999"],
    ['Boat("b999").update(name="x")', "there is no boat b999"],
  ])("tells the fault of %s", async (program, said) => {
    const { text, rows } = await ran(program);
    expect(text).toContain(said);
    expect(rows).toEqual([]);
  });
});
