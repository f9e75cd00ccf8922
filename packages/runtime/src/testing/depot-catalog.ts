import type { Catalog } from "@plasm/core";
import type { ListNode } from "@plasm/core/internal";
import { catalogOf } from "./fixture-run.ts";

/** What a depot catalog of a test is made of. */
export interface DepotParts {
  readonly backend: string;
  /** YAML of `auth` and other top-level keys */
  readonly top?: string;
  /** keys of the mapping of `crate_query` besides method and path */
  readonly list: string;
  readonly method?: string;
  readonly path?: string;
}

const domain = ({ backend, top = "" }: DepotParts): string => `
version: 1
http_backend: ${backend}
${top}
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  day: { type: date, value_format: rfc3339 }
entities:
  Crate:
    id_field: id
    fields:
      id: { value_ref: text }
      size: { value_ref: count }
      packed: { value_ref: day }
capabilities:
  crate_query:
    kind: query
    entity: Crate
    parameters:
      - { name: cursor, value_ref: text }
      - { name: offset, value_ref: count }
      - { name: label, value_ref: text }
  crate_get: { kind: get, entity: Crate }
`;

const mappings = ({ list, method = "GET", path }: DepotParts): string => `
crate_query:
  method: ${method}
  path: ${path ?? "[{ type: literal, value: crates }]"}
${list
  .trim()
  .split("\n")
  .map((line) => `  ${line}`)
  .join("\n")}
crate_get:
  method: GET
  path: [{ type: literal, value: crates }, { type: var, name: id }]
  response: single
`;

/** A depot with one list, mapped as a test wants. */
export function depot(parts: DepotParts): Catalog {
  return catalogOf("depot", domain(parts), mappings(parts));
}

/** The list of crates. */
export function crates(over: Partial<ListNode> = {}): ListNode {
  return {
    id: "n1",
    kind: "query",
    effect_class: "read",
    stage: 0,
    catalog: { entry_id: "depot", digest: "d", entity: "Crate" },
    capability: "crate_query",
    args: {},
    filter: null,
    limit: null,
    wanted: ["id"],
    result: { card: "many", entity: "Crate", columns: null },
    ...over,
  };
}
