import type { BrokenCase } from "../broken-case.ts";

const mapping = (name: string, rest = ""): string =>
  `${name}: {method: GET, path: [{type: literal, value: x}]${rest}}`;

const read = (name: string, parameter: string): string =>
  mapping(name, `, query: {type: object, fields: [[p, {type: var, name: ${parameter}}]]}`);

const side = "output: {type: side_effect, description: Done}";

/** Faults of CAT-002, CAT-005, CAT-070, CAT-071, CAT-072, CAT-074, CAT-075, CAT-076, CAT-077, CAT-078, CAT-079, CAT-080, CAT-081, CAT-082. */
export const capabilitiesCases: readonly BrokenCase[] = [
  {
    rule: "CAT-002",
    when: "an unknown kind",
    patch: {
      capabilities: "parcel_x: {kind: «list», entity: Parcel}",
      mappings: mapping("parcel_x"),
    },
    at: "capabilities.parcel_x.kind",
    says: ['"list"', "query, search, get, create, update, delete, action, singleton"],
  },
  {
    rule: "CAT-005",
    when: "an unknown entity",
    patch: {
      capabilities: "parcel_x: {kind: get, entity: «Parcl»}",
      mappings: mapping("parcel_x"),
    },
    at: "capabilities.parcel_x.entity",
    says: ["no entity Parcl", "(nearest: Parcel)", "Depot"],
  },
  {
    rule: "CAT-005",
    when: "an unknown entity of an output",
    patch: {
      capabilities:
        "parcel_x: {kind: action, entity: Parcel, output: {type: entity, entity_type: «Box»}}",
      mappings: mapping("parcel_x"),
    },
    at: "capabilities.parcel_x.output.entity_type",
    says: ["no entity Box", "Parcel, Depot"],
  },
  {
    rule: "CAT-070",
    when: "a capability without mapping",
    patch: { capabilities: `«parcel_x»: {kind: action, entity: Parcel, ${side}}` },
    at: "capabilities.parcel_x",
    says: ["key parcel_x in mappings.yaml"],
  },
  {
    rule: "CAT-071",
    when: "two capabilities of one label",
    patch: { capabilities: "«get»: {kind: get, entity: Depot}", mappings: mapping("get") },
    at: "capabilities.get",
    says: ["get", "depot_get", "at 26:3", "Depot"],
  },
  {
    rule: "CAT-072",
    when: "an action with a field's name",
    patch: {
      capabilities: `«parcel_stage»: {kind: action, entity: Parcel, ${side}}`,
      mappings: mapping("parcel_stage"),
    },
    at: "capabilities.parcel_stage",
    says: ["stage", "field of Parcel", "15:7"],
  },
  {
    rule: "CAT-074",
    when: "an action that says nothing of its answer",
    patch: {
      capabilities: "«parcel_x»: {kind: action, entity: Parcel}",
      mappings: mapping("parcel_x"),
    },
    at: "capabilities.parcel_x",
    says: ["parcel_x", "provides", "side_effect"],
  },
  {
    rule: "CAT-074",
    when: "a blank side effect",
    patch: {
      capabilities:
        'parcel_x: {kind: action, entity: Parcel, «output»: {type: side_effect, description: " "}}',
      mappings: mapping("parcel_x"),
    },
    at: "capabilities.parcel_x.output",
    says: ["blank description"],
  },
  {
    rule: "CAT-075",
    when: "provides with an unknown name",
    patch: {
      capabilities: "parcel_x: {kind: search, entity: Parcel, provides: [id, «stages»]}",
      mappings: mapping("parcel_x"),
    },
    at: "capabilities.parcel_x.provides[1]",
    says: ["stages", "(nearest: stage)", "id, depot, stage"],
    severity: "warning",
  },
  {
    rule: "CAT-076",
    when: "a parameter with another target than its field",
    patch: {
      values: "parcel: {type: entity_ref, target: Parcel}",
      capabilities:
        "parcel_x: {kind: search, entity: Parcel, parameters: [{name: depot, value_ref: «parcel», required: true}]}",
      mappings: read("parcel_x", "depot"),
    },
    at: "capabilities.parcel_x.parameters[0].value_ref",
    says: ["depot", "refers to Parcel", "of Parcel to Depot"],
  },
  {
    rule: "CAT-077",
    when: "a required scope of type json",
    patch: {
      capabilities:
        "parcel_x: {kind: query, entity: Parcel, parameters: [«{name: where, value_ref: free, role: scope, required: true}»]}",
      mappings: read("parcel_x", "where"),
    },
    at: "capabilities.parcel_x.parameters[0]",
    says: ["where", "json", "array and blob"],
  },
  {
    rule: "CAT-078",
    when: "an input that is no json beside a body of exactly that",
    patch: {
      capabilities: `parcel_x: {kind: action, entity: Parcel, parameters: [«{name: input, value_ref: text}»], ${side}}`,
      mappings:
        "parcel_x: {method: POST, path: [{type: var, name: id}], body: {type: var, name: input}}",
    },
    at: "capabilities.parcel_x.parameters[0]",
    says: ["parcel_x", "string", "type json"],
  },
  {
    rule: "CAT-079",
    when: "several gets by identity",
    patch: {
      entities: "«Box»: {fields: {id: {value_ref: text}, name: {value_ref: text}}}",
      capabilities:
        "box_read: {kind: get, entity: Box, provides: [id]}\nbox_full: {kind: get, entity: Box}",
      mappings: "box_read: &get {method: GET, path: [{type: var, name: id}]}\nbox_full: *get",
    },
    at: "entities.Box",
    says: ["box_full, box_read", "box_full will be used", "primary_read"],
    severity: "warning",
  },
  {
    rule: "CAT-080",
    when: "invoke_preflight",
    patch: {
      capabilities: `parcel_x: {kind: action, entity: Parcel, «invoke_preflight»: {}, ${side}}`,
      mappings: mapping("parcel_x"),
    },
    at: "capabilities.parcel_x.invoke_preflight",
    says: ["removed", "preflight"],
  },
  {
    rule: "CAT-077",
    when: "a required scope that is a select without options",
    patch: {
      values: "v: {type: select, allowed_values: []}",
      capabilities:
        "parcel_x: {kind: search, entity: Parcel, parameters: [«{name: q, value_ref: v, required: true, role: scope}»]}",
      mappings: mapping("parcel_x", ", query: {type: object, fields: [[q, {type: var, name: q}]]}"),
    },
    at: "capabilities.parcel_x.parameters[0]",
    says: ["q", "select without allowed_values", "options"],
    beside: ["CAT032"],
  },
  {
    rule: "CAT-081",
    when: "a get that sends something, as its description says",
    patch: {
      capabilities:
        "parcel_x: {kind: «get», entity: Parcel, description: Sends the parcel to its depot}",
      mappings: "parcel_x: {method: GET, path: [{type: var, name: id}]}",
    },
    at: "capabilities.parcel_x.kind",
    says: ["parcel_x is a get", '"sends" in its description', "whatever its HTTP method", "action"],
    severity: "warning",
  },
  {
    rule: "CAT-081",
    when: "a query that revokes, as its name says",
    patch: {
      capabilities:
        "parcel_revoke: {kind: «query», entity: Parcel, parameters: [{name: a, value_ref: text, required: true}]}",
      mappings: read("parcel_revoke", "a"),
    },
    at: "capabilities.parcel_revoke.kind",
    says: ["parcel_revoke is a query", '"revoke" in its name'],
    severity: "warning",
  },
  {
    rule: "CAT-081",
    when: "a get whose path stops something",
    patch: {
      capabilities: "parcel_x: {kind: «get», entity: Parcel}",
      mappings:
        "parcel_x: {method: GET, path: [{type: var, name: id}, {type: literal, value: stop}]}",
    },
    at: "capabilities.parcel_x.kind",
    says: ['"stop" at the end of its path'],
    severity: "warning",
  },
  {
    rule: "CAT-082",
    when: "several queries that need nothing, none of them plainly the list",
    patch: {
      entities: "«Box»: {fields: {id: {value_ref: text}}}",
      capabilities:
        "box_red: {kind: query, entity: Box}\nbox_blue: {kind: query, entity: Box}\nbox_get: {kind: get, entity: Box}",
      mappings: `${mapping("box_red")}\n${mapping("box_blue")}\nbox_get: {method: GET, path: [{type: var, name: id}]}`,
    },
    at: "entities.Box",
    says: ["Box", "kind query", "box_blue, box_red", "will read box_blue", "primary_query"],
    severity: "warning",
  },
  {
    rule: "CAT-082",
    when: "several searches that need nothing but words, none of them plainly the search",
    patch: {
      entities: "«Box»: {fields: {id: {value_ref: text}}}",
      capabilities:
        "box_red: &by {kind: search, entity: Box, parameters: [{name: q, value_ref: text, required: true}]}\nbox_blue: *by",
      mappings: `${read("box_red", "q")}\n${read("box_blue", "q")}`,
    },
    at: "entities.Box",
    says: ["kind search", "box_blue, box_red", "will read box_blue", "primary_search"],
    severity: "warning",
  },
];
