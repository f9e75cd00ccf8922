import { kiteCatalog } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { type ServedAgent, useServedCatalog } from "../../../test/served-catalog.ts";

const FILES = {
  ...kiteCatalog({ fields: { length: "{ value_ref: count, path: [size, length] }" } }),
  entity: "Kite",
};

const serve = useServedCatalog();
let agent: ServedAgent;

async function run(body: unknown, program: string): Promise<readonly string[]> {
  agent = await serve(FILES, () => ({ body }));
  return (await agent.run(program)).text.split("\n");
}

it("18.12 rows that come twice in a page, and bytes that are no text, are said in the text, of counts too", async () => {
  const body = {
    kites: ["a", "b", "a", "\ud800"].map((id) => ({ id, size: { length: 1 } })),
  };
  const list = await run(body, "Kite");
  const told = `row_twice at row 2: rows of Kite have a key that a row before them has; text_malformed: bytes that are no text (invalid UTF-8) are shown as U+FFFD`;
  expect(list.at(-1)?.split("; ").toSorted()).toEqual(told.split("; ").toSorted());
  const { text } = await agent.run("Kite.aggregate(count)");
  expect(text).toContain("row_twice");
});

it("17.7 a map whose values are declared to go into a column loses none that is an object", async () => {
  const { domain, mappings } = kiteCatalog({ fields: { held: "any" } });
  const files = {
    domain,
    mappings: mappings.replace("items: kites", "items: kites, key_into: id, value_into: held"),
    entity: "Kite",
  };
  const kites = { a: "dark", b: { deep: { x: 1 } }, c: { held: 2 }, d: null };
  agent = await serve(files, () => ({ body: { kites } }));
  const { text } = await agent.run("Kite[id, held]");
  expect(text.split("\n").slice(3, 7)).toEqual(["a\tdark", 'b\t{"deep":{"x":1}}', "c\t2", "d\t"]);
});

describe("17.7 RUN-003, SURF-5: the text says what was lost in decoding, how many and why", () => {
  it("a missing collection, of rows and of their number", async () => {
    const body = { data: [{ id: "a" }, { id: "b" }], ok: true };
    const list = await run(body, "Kite");
    expect([list[0], list.at(-1)]).toEqual([
      "Kite · 0 rows, partial (collection_missing)",
      "collection_missing: nothing at kites; the answer has data, ok",
    ]);
    const { text } = await agent.run("Kite.aggregate(count)");
    expect(text.split("\n").at(-1)).toContain("collection_missing: nothing at kites");
  });

  it("rows without key and elements that are null, once each with their number", async () => {
    const list = await run({ kites: [{ id: "a" }, { no: 1 }, { no: 2 }, null, null] }, "Kite[id]");
    expect(list[0]).toBe("Kite · 3 rows");
    expect(list.at(-1)).toContain(
      "row_null at row 3, 2 in all: elements of the list are null; identity_missing at row 1, 2 in all: rows of Kite have no key (id)",
    );
  });

  it("fields that an answer of another shape does not give", async () => {
    const list = await run(
      {
        kites: [
          { id: "a", size: "long" },
          { id: "b", size: "short" },
        ],
      },
      "Kite",
    );
    expect(list.at(-1)).toContain("path_type at row 0, 2 in all: Kite.length: text before length");
  });

  it("a map in place of a list, with the key that declares it", async () => {
    const text = (await run({ kites: { a: { size: { length: 1 } } } }, "Kite")).join("\n");
    expect(text).toContain("An object stands at kites, where a list was expected; its keys: a.");
    expect(text).toContain("declare key_into");
  });

  it("in a bounded remark", async () => {
    const body = Object.fromEntries(Array.from({ length: 400 }, (_none, at) => [`key${at}`, at]));
    const list = await run(body, "Kite");
    expect(list.at(-1)?.length).toBeLessThan(300);
  });

  it("nothing where nothing was lost", async () => {
    for (const body of [
      { kites: [{ id: "a", size: { length: 2 } }] },
      { kites: [] },
      { kites: null },
    ]) {
      const list = await run(body, "Kite");
      expect(list.at(-1)).toBe("```");
      await agent.close();
    }
    await run({ kites: [] }, "Kite");
  });
});
