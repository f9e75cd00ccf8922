import { readFixtureCatalog } from "@plasm/testkit";
import { loadCatalog } from "../src/load/load-catalog.ts";
import type { Catalog } from "../src/mapping/catalog.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { foldWaves } from "../src/symbols/fold-waves.ts";
import { compareCodePoints } from "../src/text/compare-code-points.ts";
import { fixtureCatalog } from "./fixture-catalogs.ts";

const CAPABILITIES = `
  boat_create:
    kind: create
    entity: Boat
    parameters:
      - { name: name, value_ref: text, required: true }
      - { name: owner, value_ref: person, required: true }
      - { name: length, value_ref: metres }
      - { name: note, value_ref: prose }
  boat_update:
    kind: update
    entity: Boat
    parameters:
      - { name: name, value_ref: text }
      - { name: state, value_ref: boat_state }
      - { name: note, value_ref: prose }
    output: { type: entity, entity_type: Boat }
  boat_ping:
    kind: action
    entity: Boat
    output: { type: side_effect, description: calls the boat }
  boat_send:
    kind: action
    entity: Boat
    parameters:
      - { name: to, value_ref: text, required: true }
      - { name: note, value_ref: prose }
    output: { type: side_effect, description: sends the boat }
  boat_delete: { kind: delete, entity: Boat }
`;

const path = (method: string, ...more: readonly string[]): string =>
  `{ method: ${method}, path: [{ type: literal, value: boats }, { type: var, name: id }${more
    .map((value) => `, { type: literal, value: ${value} }`)
    .join("")}]`;
const body = (...names: readonly string[]): string =>
  `body: { type: object, fields: [${names
    .map((name) => `[${name}, { type: var, name: ${name} }]`)
    .join(", ")}] }`;
const MAPPINGS = `
boat_create: { method: POST, path: [{ type: literal, value: boats }], ${body("name", "owner", "length", "note")}, response: single }
boat_update: ${path("PATCH")}, ${body("name", "state", "note")}, response: single }
boat_ping: ${path("POST", "ping")} }
boat_send: ${path("POST", "send")}, ${body("to", "note")} }
boat_delete: ${path("DELETE")} }
`;

/** quay with the writes that language specification, section 10, gives it. */
export function writingQuay(): Catalog {
  const { domain, mappings } = readFixtureCatalog("quay");
  if (domain.includes("boat_create:")) return fixtureCatalog("quay");
  const loaded = loadCatalog({
    entryId: "quay",
    domain: { file: "domain.yaml", text: domain + CAPABILITIES },
    mappings: { file: "mappings.yaml", text: mappings + MAPPINGS },
  });
  if (loaded.catalog === null) throw new Error(JSON.stringify(loaded.diagnostics, null, 2));
  return loaded.catalog;
}

/** An exposure of catalogs, each whole and in a wave of its own, or only some of its entities. */
export function exposureOf(
  catalogs: readonly Catalog[],
  entities?: readonly string[],
  policy: Exposure["policy"] = {},
): Exposure {
  const set = new Map(catalogs.map((catalog) => [catalog.entryId, catalog]));
  const log = catalogs.map(({ entryId, digest, cgs }) => ({
    entryId,
    digest,
    entities: (entities ?? [...cgs.entities.keys()]).toSorted(compareCodePoints),
  }));
  return { catalogs: set, log, symbols: foldWaves(log, set), notation: "symbols", policy };
}

/** All of quay, writes included. */
export const writingExposure: Exposure = exposureOf([writingQuay()]);
