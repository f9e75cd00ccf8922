import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

interface Parts {
  readonly capability?: string;
  readonly entity?: string;
  readonly scope?: string;
  readonly nodes?: string;
  readonly output?: string;
  readonly relations?: string;
  readonly key?: string;
  readonly mapping?: string;
}

/** A view `today` of entity Today over the parcels of a depot. */
export const view = (parts: Parts): CatalogPatch => ({
  entities: `Today:
  id_field: depot
  fields: {depot: {value_ref: text}, n: {value_ref: count}, slug: {value_ref: text}}
  relations: {parcels: {target: Parcel, cardinality: many}}`,
  capabilities:
    "today_query: {kind: query, entity: Today, parameters: [{name: depot, value_ref: text, required: true}]}",
  mappings: parts.mapping ?? "today_query: {transport: view, view: today}",
  top: `views:
  ${parts.key ?? "today"}:
    capability: ${parts.capability ?? "today_query"}
    entity: ${parts.entity ?? "Today"}
    scope: ${parts.scope ?? "[{name: depot, value_ref: text, required: true}]"}
    nodes: ${parts.nodes ?? "[{id: open, capability: parcel_query, bind: {depot: {kind: scope, param: depot}}}]"}
    output: ${parts.output ?? "{depot: {kind: scope, param: depot}, n: {kind: node_row_count, node: open}}"}
    relation_outputs: ${parts.relations ?? "[{relation: parcels, target: Parcel, cardinality: many, binding: {kind: node_all_rows, node: open}}]"}`,
});

const AT = "views.today";

const open = "{id: open, capability: parcel_query}";

/** Views each of which reads the next; the last reads a depot. */
const nest = (names: readonly string[]): CatalogPatch => {
  const parameter = "{name: q, value_ref: text, required: true}";
  const views = names.map((name, at) => {
    const inner = names[at + 1];
    const bind = `bind: {${inner === undefined ? "code" : "q"}: {kind: scope, param: q}}`;
    const node = `{id: n, capability: ${inner === undefined ? "depot_get" : `v_${inner}`}, ${bind}}`;
    const key = at === 0 ? `«${name}»` : name;
    return `  ${key}: {capability: v_${name}, entity: Today, scope: [${parameter}], nodes: [${node}]}`;
  });
  return {
    entities: "Today: {implicit_request_identity: true, fields: {n: {value_ref: count}}}",
    capabilities: names
      .map((name) => `v_${name}: {kind: query, entity: Today, parameters: [${parameter}]}`)
      .join("\n"),
    mappings: names.map((name) => `v_${name}: {transport: view, view: ${name}}`).join("\n"),
    top: `views:\n${views.join("\n")}`,
  };
};

/** Faults of CAT-005, CAT-120, CAT-121, CAT-122, CAT-123, CAT-124, CAT-125. */
export const viewsCases: readonly BrokenCase[] = [
  {
    rule: "CAT-005",
    when: "an unknown value of a scope",
    patch: view({ scope: "[{name: depot, value_ref: «txt», required: true}]" }),
    at: `${AT}.scope[0].value_ref`,
    says: ["no value txt", "(nearest: text)"],
  },
  {
    rule: "CAT-120",
    when: "a capability of another mapping",
    patch: view({
      capability: "«today_query»",
      mapping: "today_query: {method: GET, path: [{type: var, name: depot}]}",
    }),
    at: `${AT}.capability`,
    says: ["today_query", "transport http", "transport: view with view: today"],
  },
  {
    rule: "CAT-120",
    when: "a capability of another entity",
    patch: view({
      capability: "«parcel_get»",
      mapping: "today_query: {method: GET, path: [{type: var, name: depot}]}",
    }),
    at: `${AT}.capability`,
    says: ["parcel_get", "on Parcel", "Today"],
  },
  {
    rule: "CAT-121",
    when: "a node id twice",
    patch: view({ nodes: `[${open}, {id: «open», capability: parcel_query}]` }),
    at: `${AT}.nodes[1].id`,
    says: ["open stands here and at 8:18"],
  },
  {
    rule: "CAT-005",
    when: "an unknown capability of a node",
    patch: view({ nodes: "[{id: open, capability: «parcels»}]" }),
    at: `${AT}.nodes[0].capability`,
    says: ["no capability parcels", "parcel_query"],
  },
  {
    rule: "CAT-122",
    when: "a bind the capability has no parameter for",
    patch: view({
      nodes: "[{id: open, capability: parcel_query, bind: {«place»: {kind: literal, value: 1}}}]",
    }),
    at: `${AT}.nodes[0].bind.place`,
    says: ["parcel_query", "place", "depot"],
  },
  {
    rule: "CAT-005",
    when: "an unknown scope parameter",
    patch: view({
      nodes: "[{id: open, capability: parcel_query, bind: {depot: {kind: scope, param: «depo»}}}]",
    }),
    at: `${AT}.nodes[0].bind.depot.param`,
    says: ["no scope parameter depo", "(nearest: depot)"],
  },
  {
    rule: "CAT-005",
    when: "an unknown node",
    patch: view({ output: "{n: {kind: node_row_count, node: «opn»}}" }),
    at: `${AT}.output.n.node`,
    says: ["no node opn", "(nearest: open)"],
  },
  {
    rule: "CAT-123",
    when: "nodes that need each other",
    patch: view({
      nodes:
        "[{id: open, capability: parcel_query, «bind»: {depot: {kind: node_field, node: b, field: id}}}, {id: b, capability: parcel_query, bind: {depot: {kind: node_field, node: open, field: id}}}]",
    }),
    at: `${AT}.nodes[0].bind`,
    says: ["open → b → open"],
  },
  {
    rule: "CAT-123",
    when: "a view that contains itself",
    patch: view({
      key: "«today»",
      nodes: `[${open}, {id: self, capability: today_query, bind: {depot: {kind: scope, param: depot}}}]`,
    }),
    at: AT,
    says: ["today → today"],
  },
  {
    rule: "CAT-124",
    when: "an output that is no field",
    patch: view({ output: "{«count»: {kind: node_row_count, node: open}}" }),
    at: `${AT}.output.count`,
    says: ["count", "Today", "depot, n, slug"],
  },
  {
    rule: "CAT-124",
    when: "a field the node's entity has not",
    patch: view({ output: "{n: {kind: node_field, node: open, field: «weight»}}" }),
    at: `${AT}.output.n.field`,
    says: ["weight", "Parcel", "node open", "id, depot, stage"],
  },
  {
    rule: "CAT-125",
    when: "another cardinality than the relation's",
    patch: view({
      relations:
        "[{relation: parcels, target: Parcel, cardinality: «one», binding: {kind: node_single_row, node: open}}]",
    }),
    at: `${AT}.relation_outputs[0].cardinality`,
    says: ["one", "many", "Today.parcels"],
  },
  {
    rule: "CAT-125",
    when: "another target than the relation's",
    patch: view({
      relations:
        "[{relation: parcels, target: «Depot», cardinality: many, binding: {kind: node_all_rows, node: open}}]",
    }),
    at: `${AT}.relation_outputs[0].target`,
    says: ["Depot", "Parcel", "Today.parcels"],
  },
  {
    rule: "CAT-005",
    when: "an unknown relation",
    patch: view({
      relations:
        "[{relation: «parcel», target: Parcel, cardinality: many, binding: {kind: node_all_rows, node: open}}]",
    }),
    at: `${AT}.relation_outputs[0].relation`,
    says: ["no relation parcel", "(nearest: parcels)"],
  },
  {
    rule: "CAT-121",
    when: "a node that is an effect",
    patch: {
      ...view({ nodes: "[{id: open, capability: «parcel_x»}]" }),
      capabilities:
        "today_query: {kind: query, entity: Today, parameters: [{name: depot, value_ref: text, required: true}]}\nparcel_x: {kind: action, entity: Parcel, output: {type: side_effect, description: Done}}",
      mappings:
        "today_query: {transport: view, view: today}\nparcel_x: {method: POST, path: [{type: var, name: id}]}",
    },
    at: `${AT}.nodes[0].capability`,
    says: ["parcel_x", "query, search or get"],
  },
  {
    rule: "CAT-123",
    when: "views that nest five deep",
    patch: nest(["a", "b", "c", "d", "e"]),
    at: "views.a",
    says: ["a → b → c → d → e", "at most 4"],
  },
];
