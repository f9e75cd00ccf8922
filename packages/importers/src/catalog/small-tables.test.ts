import { expect, test } from "vitest";
import { answering, integer, list, made, object, taking, text } from "../testing/made.ts";

const flag = { type: "boolean" };
const id = { name: "id", in: "path", required: true, schema: text };
const named = (names: readonly string[], schema: object) =>
  Object.fromEntries(names.map((name) => [name, schema]));
const numbered = (word: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${word}_${at}`);
const done = { post: { responses: { "204": { description: "" } } } };

/** What a catalog marks as rare of boats with these fields, and calls of these paths under one boat. */
async function rareOf(fields: object, calls: readonly string[] = []) {
  const boat = object({ id: text, name: text, ...fields });
  const { domain, diagnostics } = await made({
    "/boats": { get: answering(list(boat)), post: taking(object({ name: text })) },
    "/boats/{id}": {
      parameters: [id],
      get: answering(boat),
      delete: { responses: { "204": { description: "" } } },
    },
    ...Object.fromEntries(
      calls.map((call) => [`/boats/{id}/${call}`, { parameters: [id], ...done }]),
    ),
  });
  expect(diagnostics).toEqual([]);
  const marked = (all: object = {}): readonly string[] =>
    Object.entries(all).flatMap(([name, { detail }]) => (detail === true ? [name] : []));
  return {
    fields: marked(domain.entities["Boat"]?.fields),
    methods: marked(domain.capabilities),
  };
}

const LINKS = [...numbered("deck", 5).map((name) => `${name}_url`), "api_link", "web_url"];

test("a row with many links keeps in tables those that people open, once there is no room for all (ADR 0251)", async () => {
  expect(await rareOf(named(LINKS, text))).toEqual({ fields: [], methods: [] });
  const { fields, methods } = await rareOf({
    ...named(LINKS, text),
    ...named(numbered("a_long_name_of_a_column", 60), integer),
  });
  expect(fields).toEqual(expect.arrayContaining(["deck_0_url", "deck_4_url", "api_link"]));
  expect(fields).not.toContain("web_url");
  expect(methods).toEqual([]);
});

test("methods of deeper paths are left out before those of a row, and what is done with any row never", async () => {
  const deep = numbered("engine/part", 30);
  const near = numbered("wash", 12);
  const { fields, methods } = await rareOf({}, [...deep, ...near]);
  expect(fields).toEqual([]);
  expect(methods.length).toBeGreaterThan(0);
  expect(methods.filter((name) => !name.includes("part"))).toEqual([]);
  const many = await rareOf({}, [...deep, ...numbered("wash", 90)]);
  expect(many.methods.filter((name) => name.includes("part"))).toHaveLength(30);
  expect(many.methods.filter((name) => name.includes("wash")).length).toBeGreaterThan(0);
  for (const name of ["boat_query", "boat_get", "boat_create", "boat_delete"])
    expect(many.methods).not.toContain(name);
});

test("columns that are missed least go first: texts before flags, and those before numbers", async () => {
  const { fields } = await rareOf({
    ...named(numbered("a_text_that_hardly_anybody_asks_for", 40), text),
    ...named(numbered("a_flag_that_hardly_anybody_asks_for", 20), flag),
    ...named(numbered("a_total_that_everybody_asks_for", 14), integer),
  });
  expect(fields.filter((name) => name.startsWith("a_total"))).toEqual([]);
  const flags = fields.filter((name) => name.startsWith("a_flag"));
  const texts = fields.filter((name) => name.startsWith("a_text"));
  expect(texts.length).toBeGreaterThan(0);
  expect(flags.length === 0 || texts.length === 40).toBe(true);
});

test("a refresh of the same document marks the same", async () => {
  const calls = [...numbered("engine/part", 30), ...numbered("wash", 60)];
  expect(await rareOf(named(LINKS, text), calls)).toEqual(
    await rareOf(named(LINKS, text), calls.toReversed()),
  );
});
