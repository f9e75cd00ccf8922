import { afterEach, describe, expect, test } from "vitest";
import { type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, run } from "../testing/fixture-run.ts";
import { crates, depot } from "../testing/depot-catalog.ts";

let server: TestServer | undefined;
afterEach(() => server?.close());

/** Reads the crates of one answer. */
async function read(reply: Reply, response: string) {
  server = await startServer(() => reply);
  const catalog = depot({ backend: server.url, list: `response: ${response}` });
  const outcome = await run({ catalogs: [catalog], backends: {} }, [
    crates({ wanted: ["id", "size"] }),
  ]);
  const [result] = outcome.results;
  const error = outcome.nodes[0]?.error ?? null;
  return {
    rows: result?.rows.map(({ ref, values }) => [ref, values["size"] ?? null]),
    partial: result?.partial,
    said: result?.diagnostics.map(({ code, count, detail }) => `${code} ${count}: ${detail}`),
    error: error === null ? null : `${error.code}: ${error.message} ${error.correction}`,
  };
}

describe("17.7 RUN-030: a collection that is a map", () => {
  const map = { a1: { size: 3 }, "b/2": { size: 4, id: "own" }, __proto__x: { size: 5 } };

  test("each key goes into the declared member of its row, before one of its own", async () => {
    const { rows, error } = await read(
      { json: { crates: map } },
      "{ items: crates, key_into: id }",
    );
    expect(error).toBeNull();
    expect(rows).toEqual([
      ["Crate:a1", 3],
      ["Crate:b/2", 4],
      ["Crate:__proto__x", 5],
    ]);
  });

  test("at a path, with an inner key", async () => {
    const json = { data: { crates: { a: { crate: { size: 1 } }, b: { crate: { size: 2 } } } } };
    const { rows } = await read(
      { json },
      "{ items_path: [data, crates], item_inner_key: crate, key_into: id }",
    );
    expect(rows).toEqual([
      ["Crate:a", 1],
      ["Crate:b", 2],
    ]);
  });

  test("values that are no objects go into a member, value unless it is named", async () => {
    const { rows } = await read(
      { json: { sizes: { a: 1, b: 2 } } },
      "{ items: sizes, key_into: id, value_into: size }",
    );
    expect(rows).toEqual([
      ["Crate:a", 1],
      ["Crate:b", 2],
    ]);
  });

  test("an empty map, and the empty list that some write for it, hold no rows", async () => {
    expect((await read({ json: { crates: {} } }, "{ items: crates, key_into: id }")).rows).toEqual(
      [],
    );
    await server?.close();
    const list = await read({ json: { crates: [] } }, "{ items: crates, key_into: id }");
    expect([list.rows, list.error]).toEqual([[], null]);
  });

  test("a list where a map is declared is told", async () => {
    const { error } = await read(
      { json: { crates: [{ id: "a" }] } },
      "{ items: crates, key_into: id }",
    );
    expect(error).toContain("decode: A list of 1 stands at crates, where a map was expected");
    expect(error).toContain("key_into");
  });

  test("a map where a list is declared is told with that advice", async () => {
    const { error } = await read({ json: { crates: map } }, "{ items: crates }");
    expect(error).toContain(
      "An object stands at crates, where a list was expected; its keys: a1, b/2",
    );
    expect(error).toContain("declare key_into");
  });

  test("its answer may have more, too", async () => {
    const { partial } = await read(
      { json: { crates: map, total: 9 } },
      "{ items: crates, key_into: id }",
    );
    expect(partial).toBe("rows_unread");
  });

  test("digests do not change for catalogs without it (RUN-170)", () => {
    const one = (response: string) =>
      catalogOf(
        "depot",
        "{version: 1, http_backend: 'https://d.example', values: {t: {type: string, string_semantics: short}}, entities: {C: {fields: {id: {value_ref: t}}}}, capabilities: {c_query: {kind: query, entity: C}}}",
        `c_query: {method: GET, path: [{type: literal, value: c}], response: ${response}}`,
      ).digest;
    expect(one("{ items: crates, key_into: id }")).not.toBe(one("{ items: crates }"));
    // As it was before the key was there.
    expect(one("{ items: crates }")).toBe(DIGEST_BEFORE);
  });
});

const DIGEST_BEFORE = "sha256:e76566889f0458044e91af8b457af805905832459fbab907ae06bcc2bae6ea67";

describe("17.7 RUN-003, RUN-030: what an answer has in place of rows is told", () => {
  test.each<[string, unknown, string]>([
    [
      "the collection is missing",
      { data: [{ id: "a" }], ok: true },
      "nothing at results; the answer has data, ok",
    ],
    [
      "one object in place of a list",
      { id: "a", size: 3 },
      "nothing at results; the answer has id, size",
    ],
    ["text", "sorry", "nothing at results: the answer is text"],
    ["nothing", null, "nothing at results: the answer is empty"],
  ])("%s", async (_name, json, detail) => {
    const { rows, said, error } = await read({ json }, "{ wrap_root_scalar: false }");
    expect([rows, error]).toEqual([[], null]);
    expect(said).toEqual([`collection_missing 1: ${detail}`]);
  });

  test("200 without a body", async () => {
    const { said } = await read(
      { text: "", headers: { "content-type": "application/json" } },
      "bare_list",
    );
    expect(said).toEqual(["collection_missing 1: nothing at results: the answer is empty"]);
  });

  test("a null collection is empty, as some write an empty list", async () => {
    const { rows, said } = await read({ json: { results: null, size: 0 } }, "results_list");
    expect(rows).toEqual([]);
    expect(said?.map((each) => each.split(" ")[0])).toEqual(["collection_null"]);
  });

  test("rows without key, elements that are null, without inner key, or lists", async () => {
    const json = {
      results: [
        { crate: { id: "a" } },
        null,
        { crate: null },
        { box: { id: "b" } },
        { crate: { size: 3 } },
        { crate: [1] },
      ],
    };
    const { rows, said } = await read({ json }, "{ item_inner_key: crate }");
    expect(rows?.map(([ref]) => ref)).toEqual(["Crate:a", null, null, null]);
    expect(said).toEqual([
      "row_null 1: elements of the list are null",
      "row_null 1: crate of elements of the list is null",
      "row_unfit 1: elements of the list have no crate, the declared item_inner_key",
      "row_unfit 1: elements of the list are lists themselves",
      "path_type 1: Crate.id: an array before id",
      "path_type 1: Crate.size: an array before size",
      "path_type 1: Crate.packed: an array before packed",
      "identity_missing 3: rows of Crate have no key (id)",
    ]);
  });
});

describe("18.12 answers that are not what they seem", () => {
  const json = { "content-type": "application/json" };
  const broken = Buffer.concat([
    Buffer.from('{"crates":[{"id":"a'),
    Buffer.from([0xff]),
    Buffer.from('","size":1}]}'),
  ]);

  test("bytes that are no UTF-8 are told, not silently U+FFFD", async () => {
    const { rows, said } = await read({ bytes: broken, headers: json }, "{ items: crates }");
    expect(rows).toEqual([["Crate:a\ufffd", 1]]);
    expect(said).toEqual([
      "text_malformed 1: bytes that are no text (invalid UTF-8) are shown as U+FFFD",
    ]);
  });

  test("bytes that are none of their charset, and halves of surrogate pairs, too", async () => {
    const shiftJis = { "content-type": "application/json; charset=shift_jis" };
    const other = await read({ bytes: broken, headers: shiftJis }, "{ items: crates }");
    expect(other.said?.[0]).toContain("text_malformed");
    await server?.close();
    const text = '{"crates":[{"id":"a\\ud800","size":1}]}';
    const half = await read({ text, headers: json }, "{ items: crates }");
    expect(half.said?.[0]).toContain("text_malformed");
  });

  test("text that is whole is not remarked on, U+FFFD of the API's own included", async () => {
    const { said } = await read(
      { json: { crates: [{ id: "ä\ufffd\u{1f6a4}", size: 1 }] } },
      "{ items: crates }",
    );
    expect(said).toEqual([]);
  });

  test("rows of one page with one key are kept as they came, and told", async () => {
    const twice = {
      crates: [
        { id: "a", size: 1 },
        { id: "b", size: 2 },
        { id: "a", size: 3 },
      ],
    };
    const { rows, said } = await read({ json: twice }, "{ items: crates }");
    expect(rows).toEqual([
      ["Crate:a", 1],
      ["Crate:b", 2],
      ["Crate:a", 3],
    ]);
    expect(said).toEqual(["row_twice 1: rows of Crate have a key that a row before them has"]);
  });
});
