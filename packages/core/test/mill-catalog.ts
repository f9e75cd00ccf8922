import type { Catalog } from "../src/mapping/template.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { buildCatalog, type CapabilitySpec } from "./build-catalog.ts";
import { exposureOf } from "./exposure-of.ts";

const done = { output: { type: "side_effect", description: "it is done" } };
const v = (name: string) => ({ type: "var", name });
const lit = (value: string) => ({ type: "literal", value });
const post = (path: readonly object[], body?: object): object => ({ method: "POST", path, body });
const object = (...names: readonly string[]) => ({
  type: "object",
  fields: names.map((name) => [name, v(name)]),
});
const onSack = (name: string, ...names: readonly string[]): object =>
  post([lit("sacks"), v("id"), lit(name)], names.length === 0 ? undefined : object(...names));

type Ref = Parameters<NonNullable<CapabilitySpec["more"]>>[0];

/** The strap of a sack: an object with a place of its own on the wire. */
const strap = (ref: Ref): object => ({
  type: "object",
  fields: [
    { name: "colour", value_ref: ref("red|blue"), required: true },
    { name: "length", value_ref: ref("num"), wire_json_path: ["size", "cm"] },
    { name: "since", value_ref: ref("date") },
    { name: "by", value_ref: ref("→Miller") },
  ],
});

const ops = (ref: Ref): object => ({
  type: "union",
  variants: [
    {
      name: "insert",
      wire: { field: "op", value: "insert" },
      fields: [
        { name: "at", value_ref: ref("int"), required: true },
        { name: "text", value_ref: ref("str"), required: true },
      ],
    },
    {
      name: "drop",
      wire: { field: "op", value: "drop" },
      fields: [{ name: "at", value_ref: ref("int"), required: true }],
    },
    { name: "clear", wire: { field: "op", value: "clear" }, fields: [] },
  ],
});

const capabilities: Readonly<Record<string, CapabilitySpec>> = {
  sack_query: { kind: "query", entity: "Sack", params: { "label?": "str" } },
  sack_get: { kind: "get", entity: "Sack" },
  miller_get: { kind: "get", entity: "Miller" },
  lid_query: {
    kind: "query",
    entity: "Lid",
    params: { sack: "→Sack" },
    roles: { sack: "scope" },
  },
  sack_pack: {
    kind: "create",
    entity: "Sack",
    more: (ref) => ({
      input_schema: {
        input_type: {
          type: "object",
          fields: [
            { name: "label", value_ref: ref("str"), required: true },
            {
              name: "straps",
              input_type: { type: "array", element_type: strap(ref), min_length: 1, max_length: 2 },
            },
            { name: "lid", input_type: strap(ref) },
            { name: "marks", value_ref: ref("[str]") },
            { name: "extra", value_ref: ref("json") },
          ],
        },
      },
    }),
    mapping: post([lit("sacks")], v("input")),
  },
  sack_set: {
    kind: "update",
    entity: "Sack",
    params: { "label?": "str", "kg?": "num", "code?": "str", "from?": "date", "to?": "date" },
    more: () => ({
      input_schema: {
        input_type: { type: "object", fields: [] },
        validation: {
          predicates: [
            { field_path: "label", operator: "min_length", value: 1 },
            {
              field_path: "kg",
              operator: "max_value",
              value: 50,
              error_message: "no mule carries it",
            },
            { field_path: "code", operator: "pattern", value: "^[A-Z]{2}\\d+$" },
            { field_path: "from", operator: "depends_on", value: "to" },
          ],
          cross_field_rules: [
            { rule_type: "at_least_one", fields: ["label", "kg", "code", "to"] },
            { rule_type: "mutually_exclusive", fields: ["kg", "code"] },
          ],
        },
      },
    }),
    mapping: {
      ...onSack("set", "label", "kg", "code", "from", "to"),
      response: "single",
    },
  },
  sack_edit: {
    kind: "action",
    entity: "Sack",
    more: (ref) => ({
      ...done,
      input_schema: {
        input_type: {
          type: "object",
          fields: [
            {
              name: "ops",
              required: true,
              input_type: { type: "array", element_type: ops(ref) },
            },
          ],
        },
      },
    }),
    mapping: onSack("edit", "ops"),
  },
  sack_tell: {
    kind: "action",
    entity: "Sack",
    more: (ref) => ({ ...done, input_schema: { input_type: ops(ref) } }),
    mapping: post([lit("sacks"), v("id"), lit("tell")], v("input")),
  },
  sack_free: {
    kind: "action",
    entity: "Sack",
    params: { "label?": "str" },
    more: () => done,
    mapping: post([lit("sacks"), v("id"), lit("free")], v("input")),
  },
  sack_rest: {
    kind: "action",
    entity: "Sack",
    more: () => done,
    mapping: post([lit("sacks/rest")]),
  },
  sack_stamp: {
    kind: "action",
    entity: "Sack",
    params: { id: "str", "mark?": "str" },
    more: () => done,
    mapping: post([lit("sacks/stamp")], object("id", "mark")),
  },
  sack_touch: {
    kind: "action",
    entity: "Sack",
    more: () => done,
    mapping: post([lit("sacks/touch")], object("id")),
  },
  sack_probe: {
    kind: "action",
    entity: "Sack",
    more: () => ({ output: { type: "custom", schema: {} } }),
    mapping: { ...onSack("probe"), response: "single" },
  },
  sack_split: {
    kind: "action",
    entity: "Sack",
    more: () => ({ output: { type: "collection", entity_type: "Lid" } }),
    mapping: { ...onSack("split"), response: { items: "lids" } },
  },
  sack_mill: {
    kind: "action",
    entity: "Sack",
    params: { "miller?": "→Miller", "stone?": "str" },
    more: () => ({
      ...done,
      preflight: [
        { kind: "hydrate_invoke_target", get: "sack_get", prefix: "old" },
        {
          kind: "hydrate_entity_ref_param",
          param: "miller",
          get: "miller_get",
          merge: { who: "name" },
        },
        {
          kind: "query_pick",
          when: "stone",
          query: "sack_query",
          scope: {},
          pick: { field: "label", equals_param: "stone" },
          merge: { stoneId: "id" },
        },
      ],
    }),
    mapping: onSack("mill", "old_label", "who", "stoneId"),
  },
  lid_create: {
    kind: "create",
    entity: "Lid",
    params: { no: "int", "label?": "str" },
    mapping: post([lit("sacks"), v("sack_id"), lit("lids")], object("no", "label")),
  },
  lid_delete: { kind: "delete", entity: "Lid" },
};

/** A mill: arguments of every shape, rules, and calls with and without a row. */
export const millCatalog: Catalog = buildCatalog("mill", {
  entities: {
    Sack: {
      fields: { id: "str", label: "str", kg: "num", miller: "→Miller", ground: "date" },
    },
    Miller: { key: ["login"], fields: { login: "str", name: "str" } },
    Lid: { key: ["sack", "no"], fields: { sack: "→Sack", no: "int", label: "str" } },
  },
  capabilities,
});

export const mill: Exposure = exposureOf([millCatalog]);
