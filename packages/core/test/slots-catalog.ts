import type { Catalog } from "../src/mapping/template.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { buildCatalog, type TypeSpec } from "./build-catalog.ts";
import { exposureOf } from "./exposure-of.ts";

/** A slot of every type: fields of a box, and the optional arguments of its only method. */
export const SLOTS: Readonly<Record<string, TypeSpec>> = {
  text: "str",
  uid: "uuid",
  data: "blob",
  size: "num",
  count: "int",
  open: "bool",
  hue: "red|blue|Deep Sea",
  any: "word",
  day: "date",
  time: "datetime",
  sec: "unix_sec",
  ms: "unix_ms",
  tags: "{soft|hard}",
  words: "[str]",
  counts: "[int]",
  hues: "[red|blue]",
  free: "json",
  peg: "→Peg",
  bay: "→Bay",
  door: "→Door",
  tag: "→Tag",
  pegs: "[→Peg]",
};

const optional = Object.fromEntries(
  Object.entries(SLOTS).map(([name, type]) => [`${name}?`, type]),
);

/** Boxes with a slot of every type, and entities with keys of every form. */
const slotsCatalog: Catalog = buildCatalog("boxes", {
  entities: {
    Box: { fields: { id: "str", ...SLOTS } },
    Peg: {
      key: ["no"],
      fields: { no: "int", name: "str" },
      more: { expression_aliases: ["Hook"] },
    },
    Bay: { key: ["hall", "row"], fields: { hall: "str", row: "str" } },
    Door: { key: ["wall", "no", "day"], fields: { wall: "→Bay", no: "int", day: "date" } },
    Tag: { key: ["peg"], fields: { peg: "→Peg", hue: "red|blue" } },
  },
  capabilities: {
    box_query: { kind: "query", entity: "Box" },
    box_get: { kind: "get", entity: "Box" },
    peg_query: { kind: "query", entity: "Peg" },
    peg_get: { kind: "get", entity: "Peg" },
    bay_query: { kind: "query", entity: "Bay" },
    bay_get: { kind: "get", entity: "Bay" },
    bay_first: { kind: "singleton", entity: "Bay" },
    bay_last: { kind: "singleton", entity: "Bay" },
    door_get: { kind: "get", entity: "Door" },
    tag_get: { kind: "get", entity: "Tag" },
    box_take: {
      kind: "action",
      entity: "Box",
      params: optional,
      more: () => ({ output: { type: "side_effect", description: "it is taken" } }),
    },
    box_need: {
      kind: "action",
      entity: "Box",
      params: { count: "int", "hue?": "red|blue", "sure?": "true|maybe|2" },
      more: () => ({ output: { type: "side_effect", description: "it is there" } }),
    },
  },
});

export const slots: Exposure = exposureOf([slotsCatalog]);
