import { expect, it } from "vitest";
import { answering, integer, list, made, object, query, text } from "../testing/made.ts";

const boat = object({ id: text, name: text });
const flag = { type: "boolean" };

/** What the mapping of a list that takes this parameter says of it. */
const counter = async (parameter: object, members: object = {}) => {
  const schema = object({ content: list(boat), ...members });
  const { mappings, diagnostics } = await made({
    "/boats": { get: answering(schema, { parameters: [parameter] }) },
  });
  expect(diagnostics).toEqual([]);
  const held = Object.values(mappings)[0]?.["pagination"] as
    | { readonly params: object }
    | undefined;
  return Object.values(held?.params ?? {})[0];
};

it.each<[string, string, object, object]>([
  ["its words", "page", { description: "Zero-based page index" }, { counter: 0 }],
  ["its words", "page", { description: "pages start at 0" }, { counter: 0 }],
  ["its words", "page", { description: "Page number, starting from 1." }, { counter: 1 }],
  ["its words", "page", { description: "The page (default: 1)" }, { counter: 1 }],
  ["its default", "page", { schema: { ...integer, default: 0 } }, { counter: 0 }],
  ["its minimum", "page", { schema: { ...integer, minimum: 1 } }, { counter: 1 }],
  ["its example", "page", { schema: { ...integer, example: 0 } }, { counter: 0 }],
  ["its words", "offset", { description: "How many results to skip" }, { counter: 0 }],
  ["OData", "$skip", {}, { counter: 0 }],
])("%s of %s say what a counter counts, and from where: %j", async (_what, name, more, said) => {
  expect(await counter({ ...query(name, integer), ...more })).toEqual(said);
});

it.each<[string, object, object]>([
  ["page", {}, { counter: 1, assumed: "omit" }],
  ["page", { required: true }, { counter: 0, assumed: "send" }],
  ["page", { schema: { ...integer, minimum: 0 } }, { counter: 1, assumed: "omit" }],
  ["page", { description: "Page number (1-based or 0-based)" }, { counter: 1, assumed: "omit" }],
  ["offset", {}, { counter: 0, assumed: "omit" }],
  ["offset", { description: "Offset of the page of results" }, { counter: 0, assumed: "omit" }],
  ["start", { description: "The first result" }, { counter: 0, assumed: "omit" }],
])("RUN-190: what a document leaves open is assumed: %s %j", async (name, more, assumed) => {
  expect(await counter({ ...query(name, integer), ...more })).toEqual(assumed);
});

it("RUN-190: Spring's pages are counted from 0, unless it is told otherwise", async () => {
  const members = { number: integer, first: flag, last: flag, size: integer };
  const assumed = { counter: 0, assumed: "omit" };
  expect(await counter(query("page", integer), members)).toEqual(assumed);
});

it("SCIM counts rows from 1", async () => {
  const members = { startIndex: integer, totalResults: integer, itemsPerPage: integer };
  expect(await counter(query("startIndex", integer), members)).toEqual({ counter: 1 });
});
