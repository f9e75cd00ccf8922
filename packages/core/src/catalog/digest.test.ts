import { fixtureCatalogNames, patchedCatalog, readFixtureCatalog } from "@plasm/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Document, isMap, isSeq, parseDocument, visit } from "yaml";
import { openText } from "./testing/open-text.ts";

const digestOf = (domain: string, mappings: string): string => {
  const { catalog, found } = openText(domain, mappings);
  const errors = found.filter(({ severity }) => severity === "error");
  if (catalog === null) throw new Error(JSON.stringify(errors));
  return catalog.digest;
};

const rich = patchedCatalog({
  top: `auth: {scheme: bearer_token, env: T}
registry_aliases: [post, box]
tags: [b, a, a]
allow_origins: [https://b.example, {origin: https://a.example, send_auth: true}]`,
  values: "d: {type: date, value_format: rfc3339, description: a day}\nf: {type: number}",
  parcel: "discovery: {names: [box], qualifier_names: [big]}",
  fields: "d: {value_ref: d}\nf: {value_ref: f, path: [a, b]}",
  relations:
    "legs: {target: Depot, cardinality: many, materialize: {kind: from_parent_get, path: [{key: legs}, {wildcard: true}]}}\nnear: {target: Depot, cardinality: many}",
  capabilities: "parcel_new: {kind: create, entity: Parcel, parameters: [{name: f, value_ref: f}]}",
  mappings:
    "parcel_new: {method: POST, path: [], body: {type: object, fields: [[f, {type: var, name: f}], [n, {type: const, value: 1}]]}, response: {items: items}}",
});
const base = digestOf(rich.domain, rich.mappings);

/** The text with the entries of every map shuffled. */
const shuffled = (text: string, seed: readonly number[]): string => {
  const document = parseDocument(text);
  let at = 0;
  visit(document, {
    Map: (_key, map) => {
      map.items.sort(() => (seed[at++ % seed.length] ?? 0) - 0.5);
    },
  });
  return document.toString();
};

/** The text in another layout: block style, long lines, aliases written out. */
const laidOut = (text: string): string => {
  const document = new Document(parseDocument(text).toJS());
  visit(document, (_key, node) => {
    if (isMap(node) || isSeq(node)) node.flow = false;
  });
  return `# a comment\n${document.toString({ lineWidth: 0 })}\n# the end\n`;
};

test("17.17 RUN-170 preconditions that say nothing are not seen, others are, in their order", () => {
  const digest = (preconditions: string): string => {
    const { domain, mappings } = patchedCatalog({
      capabilities: `parcel_x: {kind: delete, entity: Parcel${preconditions}}`,
      mappings: "parcel_x: {method: DELETE, path: [{type: var, name: id}]}",
    });
    return digestOf(domain, mappings);
  };
  const none = digest("");
  const packed = digest(", preconditions: [{field: stage, eq: packed}]");
  expect(digest(", preconditions: []")).toBe(none);
  expect(digest(', preconditions: [{field: stage, eq: packed, description: ""}]')).toBe(packed);
  expect(new Set([none, packed, digest(", preconditions: [{field: stage, eq: sent}]")]).size).toBe(
    3,
  );
});

describe("RUN-170: what the digest does not see", () => {
  test("the order of map entries", () => {
    const seeds = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 5,
      maxLength: 50,
    });
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(digestOf(shuffled(rich.domain, seed), shuffled(rich.mappings, seed))).toBe(base);
      }),
      { numRuns: 30 },
    );
  });

  test.each(fixtureCatalogNames)(
    "%s: comments, layout, anchors against expanded values",
    (name) => {
      const { domain, mappings } = readFixtureCatalog(name);
      expect(digestOf(laidOut(domain), laidOut(mappings))).toBe(digestOf(domain, mappings));
    },
  );

  test.each<[string, string, string]>([
    ["synonyms of types", "{type: number}", "{type: float}"],
    ["{temporal}", "value_format: rfc3339", "value_format: {temporal: rfc3339}"],
    ["dotted paths", "path: [a, b]", "path: a.b"],
    ["synonyms of keys", "qualifier_names", "qualifier_terms"],
    ["the order of aliases", "[post, box]", "[box, post]"],
    ["repeated tags", "[b, a, a]", "[a, b]"],
    [
      "origins as text or map",
      "https://b.example,",
      "{origin: https://b.example, send_auth: false},",
    ],
    ["keys equal to their default", "f: {value_ref: f,", "f: {value_ref: f, required: false,"],
    ["a path equal to its default", "d: {value_ref: d}", "d: {value_ref: d, path: [d]}"],
    [
      "a description that is the value's",
      "d: {value_ref: d}",
      "d: {value_ref: d, description: a day}",
    ],
    ["an id_field equal to its default", "discovery:", "id_field: id\n    discovery:"],
    ["unknown keys", "version: 1", "version: 1\nx-note: {a: 1}\ncolour: red"],
    ["the transport http", "parcel_new: {method", "parcel_new: {transport: http, method"],
    ["shorthands", "response: {items: items}", "response: items_list"],
    [
      "mappings without capability",
      "parcel_new: {method",
      "parcel_old: {a: 1}\nparcel_new: {method",
    ],
    ["spellings of one number", "value: 1}", "value: 1.0}"],
    [
      "an empty map, the default",
      "code: {value_ref: text}",
      "code: {value_ref: text}\n    relations: {}",
    ],
    [
      "unavailable, the default",
      "near: {target: Depot, cardinality: many",
      "near: {target: Depot, cardinality: many, materialize: {kind: unavailable}",
    ],
  ])("%s", (_name, from, to) => {
    expect((rich.domain + rich.mappings).includes(from)).toBe(true);
    expect(digestOf(rich.domain.replace(from, to), rich.mappings.replace(from, to))).toBe(base);
  });
});

test.each<[string, string]>([
  ["version: 1", "version: 2"],
  ["api.parcels.example", "api2.parcels.example"],
  ["env: T", "env: U"],
  ["send_auth: true", "send_auth: false"],
  ["a day", "the day"],
  ["allowed_values: [packed, sent]", "allowed_values: [sent, packed]"],
  ["[a, b]", "[b, a]"],
  ["{key: legs}", "{key: leg}"],
  ["cardinality: many, materialize", "cardinality: one, materialize"],
  ["d: {value_ref: d}", "d: {value_ref: d, required: true}"],
  ["id: {value_ref: text}", "id: {value_ref: text, path: [id]}"],
  ["kind: create", "kind: update"],
  [
    "[f, {type: var, name: f}], [n, {type: const, value: 1}]",
    "[n, {type: const, value: 1}], [f, {type: var, name: f}]",
  ],
  ["value: 1}", "value: '1'}"],
  ["value: 1}", "value: 9007199254740993}"],
  ["response: {items: items}", "response: single"],
  ["name: id}", "name: id, suffix: x}"],
  ["when: {type: date, value_format: rfc3339}", "when: {type: date, value_format: unix_ms}"],
])("RUN-170: the digest sees %s become %s", (from, to) => {
  expect((rich.domain + rich.mappings).includes(from)).toBe(true);
  const changed = digestOf(rich.domain.replace(from, to), rich.mappings.replace(from, to));
  expect(changed).not.toBe(base);
});

test("RUN-170: a number beyond a double is not the text of it", () => {
  const withValue = (value: string): string =>
    digestOf(rich.domain, rich.mappings.replace("value: 1}", `value: ${value}}`));
  expect(withValue("9007199254740993")).not.toBe(withValue("'9007199254740993'"));
});

test("RUN-170: file and entry names are no part of it", () => {
  const other = openText(rich.domain, rich.mappings, "other").catalog;
  expect(other?.digest).toBe(base);
});
