import type { Exposure } from "../src/symbols/exposure.ts";
import { buildCatalog } from "./build-catalog.ts";
import { exposureOf } from "./exposure-of.ts";

const many = (target: string, more: object = {}): object => ({
  target,
  cardinality: "many",
  ...more,
});
const one = (target: string, more: object = {}): object => ({
  target,
  cardinality: "one",
  ...more,
});
const bound = (capability: string, bindings: object): object => ({
  materialize: { kind: "query_scoped_bindings", capability, bindings },
});
/** A request without path variables: a read that needs no identity. */
const plain = (...names: readonly string[]): object => ({
  method: "GET",
  path: [{ type: "literal", value: "x" }],
  query: { type: "object", fields: names.map((name) => [name, { type: "var", name }]) },
});

/**
 * A wharf, whose entities are read in every way but the usual one: lists that contend, lists that need
 * parameters, searches alone, gets without identity, and rows that only relations reach.
 */
const wharfCatalog = buildCatalog("wharf", {
  entities: {
    Crane: {
      fields: {
        id: "str",
        label: "str",
        code: "uuid",
        kg: "num",
        turns: "int",
        since: "date",
        kind: "slow|fast",
        tags: "[str]",
        raw: "json",
        dock: "→Dock",
        cask: "→Cask",
        rope: "→Rope",
        idle: "bool",
      },
      relations: {
        hooks: many("Hook", bound("hook_query", { crane: "id" })),
        casks: many("Cask"),
        twin: one("Crane", {
          materialize: {
            kind: "get_scoped_bindings",
            capability: "crane_get",
            bindings: { id: "id" },
          },
        }),
        lost: one("Cask"),
        lamps: many("Lamp"),
      },
    },
    Dock: { fields: { id: "str", city: "str", crane: "→Crane" } },
    Hook: { fields: { id: "str", crane: "→Crane" } },
    Lamp: { fields: { id: "str", watt: "int" } },
    Rope: { fields: { id: "str", metres: "num" } },
    Bell: { fields: { id: "str" } },
    Cask: { fields: { id: "str", litres: "num" } },
    Net: { fields: { id: "str", mesh: "int" } },
    Sail: { fields: { id: "str", cloth: "str" } },
    Mast: { fields: { id: "str" } },
    Flag: { fields: { id: "int", size: "int" } },
  },
  capabilities: {
    crane_query: {
      kind: "query",
      entity: "Crane",
      params: { "kind?": "slow|fast", "near?": "str" },
    },
    crane_query_dock: {
      kind: "query",
      entity: "Crane",
      params: { dock: "→Dock", "near?": "str", "side?": "str" },
    },
    crane_get: { kind: "get", entity: "Crane" },
    dock_get: { kind: "get", entity: "Dock" },
    dock_query: { kind: "query", entity: "Dock" },
    hook_query: { kind: "query", entity: "Hook", params: { crane: "→Crane" } },
    lamp_query_hot: { kind: "query", entity: "Lamp", params: { "hue?": "str" } },
    lamp_query_dim: { kind: "query", entity: "Lamp", params: { "age?": "str" } },
    rope_query_dock: { kind: "query", entity: "Rope", params: { dock: "→Dock", side: "str" } },
    rope_query_ship: { kind: "query", entity: "Rope", params: { ship: "str" } },
    rope_get_longest: { kind: "singleton", entity: "Rope", mapping: plain() },
    rope_get_spare: {
      kind: "singleton",
      entity: "Rope",
      params: { hue: "str" },
      mapping: plain("hue"),
    },
    bell_get: { kind: "get", entity: "Bell" },
    bell_get_big: { kind: "singleton", entity: "Bell", mapping: plain() },
    net_query: { kind: "query", entity: "Net" },
    net_get_best: { kind: "singleton", entity: "Net", mapping: plain() },
    sail_search: { kind: "search", entity: "Sail", params: { words: "str", "size?": "int" } },
    mast_search: {
      kind: "search",
      entity: "Mast",
      params: { one: "str", two: "str", "q?": "str" },
    },
    flag_query: { kind: "query", entity: "Flag", params: { "hue?": "str" } },
    flag_query_old: { kind: "query", entity: "Flag", params: { year: "int" } },
  },
});

/** All of the wharf. */
export const wharf: Exposure = exposureOf([wharfCatalog]);
