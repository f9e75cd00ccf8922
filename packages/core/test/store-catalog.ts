import type { Catalog } from "../src/mapping/template.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { buildCatalog, type TypeSpec } from "./build-catalog.ts";
import { exposureOf } from "./exposure-of.ts";

const lit = (value: string) => ({ type: "literal", value });
const v = (name: string) => ({ type: "var", name });
const done = () => ({ output: { type: "side_effect", description: "it is done" } });

const textFields = (count: number): Readonly<Record<string, TypeSpec>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [at === 0 ? "id" : `f${at}`, "str" as const]),
  );

/** A list in pages, with the parameters of its requests. */
const pagedBy = (params: object, more: object = {}): object => ({
  method: "GET",
  path: [lit("x")],
  pagination: { params, ...more },
});

/**
 * A store: gets of two requests, labels looked up before an effect, effects that answer with lists,
 * compound targets, entities of 12 and of 13 fields, and lists paged in every way.
 */
const storeCatalog: Catalog = buildCatalog("store", {
  entities: {
    Wide: { fields: textFields(13) },
    Slim: { fields: textFields(12) },
    Crate: { fields: { id: "str", label: "str", kg: "num", tags: "[str]", shelf: "→Shelf" } },
    Shelf: { key: ["aisle", "no"], fields: { aisle: "str", no: "int", colour: "str" } },
    ...Object.fromEntries(
      ["Exact", "Named", "Half", "Zero", "Text", "Token", "Header", "Body", "Graph"].map((name) => [
        name,
        { fields: { id: "str" } },
      ]),
    ),
  },
  capabilities: {
    wide_query: { kind: "query", entity: "Wide", paged: true },
    wide_get: { kind: "get", entity: "Wide" },
    slim_query: { kind: "query", entity: "Slim" },
    crate_query: {
      kind: "query",
      entity: "Crate",
      params: { "label?": "str" },
      more: () => ({ provides: ["id", "label", "shelf"] }),
    },
    crate_get: {
      kind: "get",
      entity: "Crate",
      mapping: {
        method: "GET",
        path: [lit("crates"), v("id")],
        response: {
          single: true,
          auxiliary_merge: {
            method: "GET",
            path: [lit("weights"), v("id")],
            from_path: ["w"],
            into_key: "kg",
          },
        },
      },
    },
    crate_split: {
      kind: "action",
      entity: "Crate",
      more: () => ({ output: { type: "collection", entity_type: "Crate" } }),
      mapping: {
        method: "POST",
        path: [lit("crates"), v("id"), lit("split")],
        response: { items: "crates" },
      },
    },
    crate_tag: {
      kind: "action",
      entity: "Crate",
      params: { "plus?": "[str]", "minus?": "[str]" },
      more: () => ({
        ...done(),
        preflight: [
          { kind: "hydrate_invoke_target", get: "crate_get", prefix: "old" },
          {
            kind: "label_ids_delta",
            add_when: "plus",
            remove_when: "minus",
            lookup: "shelf_query",
            from_preflight: { prefix: "old", path: ["tags"] },
            merge: "tag_ids",
          },
        ],
      }),
      mapping: {
        method: "POST",
        path: [lit("crates"), v("id"), lit("tag")],
        body: { type: "object", fields: [["tags", v("tag_ids")]] },
      },
    },
    shelf_get: { kind: "get", entity: "Shelf" },
    shelf_query: { kind: "query", entity: "Shelf", params: { "colour?": "str" } },
    shelf_paint: { kind: "action", entity: "Shelf", params: { colour: "str" }, more: done },
    exact_query: {
      kind: "query",
      entity: "Exact",
      mapping: pagedBy({ page: { counter: 1 }, per_page: { fixed: 10 } }),
    },
    named_query: {
      kind: "query",
      entity: "Named",
      mapping: pagedBy({ page: { counter: 1 }, batch: { fixed: 10 } }),
    },
    half_query: {
      kind: "query",
      entity: "Half",
      mapping: pagedBy({ page: { counter: 1 }, width: { fixed: 3 }, "$Max-Results": { fixed: 4 } }),
    },
    zero_query: {
      kind: "query",
      entity: "Zero",
      mapping: pagedBy({ page: { counter: 1 }, limit: { fixed: 0 } }),
    },
    text_query: {
      kind: "query",
      entity: "Text",
      mapping: pagedBy({ page: { counter: 1 }, limit: { fixed: "10" } }),
    },
    token_query: {
      kind: "query",
      entity: "Token",
      mapping: pagedBy({ after: { from_response: "next" }, limit: { fixed: 10 } }),
    },
    body_query: {
      kind: "query",
      entity: "Body",
      mapping: {
        ...pagedBy({ page: { counter: 1 }, take: { fixed: 10 } }, { location: "body" }),
        method: "POST",
        body: { type: "object", fields: [] },
      },
    },
    graph_query: {
      kind: "query",
      entity: "Graph",
      mapping: {
        transport: "graphql",
        ...pagedBy(
          { page: { counter: 1 }, first: { fixed: 10 } },
          { location: "body", body_merge_path: ["variables"] },
        ),
        method: "POST",
        body: { type: "const", value: { query: "{ graphs { id } }", variables: {} } },
        response: { items_path: ["data", "graphs"] },
      },
    },
    header_query: {
      kind: "query",
      entity: "Header",
      mapping: pagedBy({ limit: { fixed: 10 } }, { location: "link_header" }),
    },
  },
});

export const store: Exposure = exposureOf([storeCatalog]);
