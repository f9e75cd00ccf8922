import type { MessageSpec } from "./message.ts";

/** CAT-060 to CAT-082: relations and capabilities. */
export const capabilityMessages = {
  CAT060: {
    severity: "error",
    texts: {
      field:
        "The relation {found} has the name of an entity_ref field of {entity} (at {first}). Allowed: another name for one of them, or the field alone.",
    },
  },
  CAT061: {
    severity: "error",
    texts: {
      kind: "Kind {found} does not go with cardinality {cardinality}. Allowed: {allowed}.",
      empty: "Found an empty path. Allowed: at least one step, {allowed}.",
      step: "Found a step with {found}. Allowed: exactly one of key: <key> and wildcard: true.",
      wildcard: "Found a wildcard in a relation of cardinality one. Allowed: keys only.",
      into: "Found key_into and no wildcard at the end of path. Allowed: a wildcard there, for the rows of the map.",
      alone: "Found value_into without key_into. Allowed: beside key_into, for rows in a map.",
      same: "Found value_into {found}, the member of key_into as well. Allowed: another member.",
    },
  },
  CAT062: {
    severity: "error",
    texts: {
      capability: "{found} is {kind} on {entity}. Allowed: {allowed}.",
      parameter: "{capability} has no parameter {found}{nearest}. Its parameters: {allowed}.",
    },
  },
  CAT063: {
    severity: "error",
    texts: {
      empty: "Found no bindings. Allowed: at least one, parameter: parent field.",
      field: "{found} is no field of {entity}{nearest}. Allowed: {allowed}.",
    },
  },
  CAT070: {
    severity: "error",
    texts: { mapping: "{found} has no mapping. Expected: key {found} in {file}." },
  },
  CAT071: {
    severity: "error",
    texts: {
      label:
        "{found} and {other} (at {first}) both have the label {label} on {entity}. Allowed: each label once per entity; rename one.",
    },
  },
  CAT072: {
    severity: "error",
    texts: {
      name: "The label {label} of {found} is a {kind} of {entity} too (at {first}). Allowed: another name for one of them, since {label} takes no required input.",
    },
  },
  CAT074: {
    severity: "error",
    texts: {
      none: "The action {found} has neither provides nor output. Allowed: provides with fields, or output, for example type: side_effect with a description of what it does.",
      blank:
        "The side effect of {found} has a blank description. Allowed: what the effect does, in words.",
    },
  },
  CAT075: {
    severity: "warning",
    texts: {
      name: "{found} is neither field nor relation of {entity}{nearest}. Allowed: {allowed}.",
    },
  },
  CAT076: {
    severity: "error",
    texts: {
      target:
        "The parameter {found} refers to {target}, the field {found} of {entity} to {other}. Allowed: one target for both.",
    },
  },
  CAT077: {
    severity: "error",
    texts: {
      type: "The required scope parameter {found} is of type {type}. Allowed: types other than json, array and blob.",
      options:
        "The required scope parameter {found} is a select without allowed_values. Allowed: a select with options, or type string.",
    },
  },
  CAT078: {
    severity: "error",
    texts: {
      type: "The parameter input of {found} is of type {type}, and the body is exactly that variable. Allowed: type json.",
    },
  },
  CAT079: {
    severity: "warning",
    texts: {
      several:
        "{entity} has several gets by identity alone: {found}. {used} will be used. Allowed: name one as primary_read.",
    },
  },
  CAT080: {
    severity: "error",
    texts: {
      removed:
        "Found invoke_preflight, which is removed. Allowed: preflight, a list of steps; move the read there.",
    },
  },
  CAT081: {
    severity: "warning",
    texts: {
      words:
        "{found} is {kind} but reads like a change: {words}. A read is sent without review and may be sent again. Allowed: create, update, delete or action for what changes data, whatever its HTTP method; a description that starts with what it returns, if it only reads.",
    },
  },
  CAT082: {
    severity: "warning",
    texts: {
      several:
        "{entity} has several of kind {kind} that need no argument: {found}. {entity} alone will read {used}. Allowed: name one as {key}.",
    },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;

/** CAT-120 to CAT-125: views; CAT-150 to CAT-152: the overlay. */
export const viewMessages = {
  CAT120: {
    severity: "error",
    texts: {
      entity: "{found} is on {other}. Allowed: a capability on {entity}, the view's entity.",
      mapping: "{found} has a mapping of {other}. Allowed: transport: view with view: {view}.",
    },
  },
  CAT121: {
    severity: "error",
    texts: {
      again: "The node id {found} stands here and at {first}. Allowed: each id once.",
      kind: "{found} is {kind}. Allowed: a query, search or get.",
    },
  },
  CAT122: {
    severity: "error",
    texts: {
      parameter: "{capability} has no parameter {found}{nearest}. Its parameters: {allowed}.",
    },
  },
  CAT123: {
    severity: "error",
    texts: {
      nodes:
        "The nodes refer to each other in a circle: {found}. Allowed: references to nodes that do not need this one.",
      templates:
        "The templates refer to each other in a circle: {found}. Allowed: references to what does not need this.",
      views:
        "The views contain each other in a circle: {found}. Allowed: views that do not contain themselves.",
      deep: "The views nest {found} deep: {chain}. Allowed: at most {allowed}.",
    },
  },
  CAT124: {
    severity: "error",
    texts: {
      output: "{found} is no field of {entity}{nearest}. Allowed: {allowed}.",
      field:
        "{found} is no field of {entity}, the entity of node {node}{nearest}. Allowed: {allowed}.",
    },
  },
  CAT125: {
    severity: "error",
    texts: {
      target: "Found target {found}. Allowed: {allowed}, the target of {entity}.{relation}.",
      cardinality:
        "Found cardinality {found}. Allowed: {allowed}, the cardinality of {entity}.{relation}.",
    },
  },
  CAT150: {
    severity: "error",
    texts: {
      one: "The source has {found}. Allowed: exactly one of capability and steps.",
      step: "Found a step with {found}. Allowed: capability with collect and items_path, or capability with for_each, bind and merge.",
      collect: "No earlier step collects {found}{nearest}. Collected so far: {allowed}.",
      empty: "Found no steps. Allowed: at least one.",
    },
  },
  CAT151: {
    severity: "error",
    texts: { reserved: "Mode column_schema is reserved. Allowed: per_scope_entity, augment_base." },
  },
  CAT152: {
    severity: "error",
    texts: {
      unknown: "There is no {kind} {found}{nearest}. Allowed: {allowed}.",
      read: "{found} is {kind}. Allowed: a query, search or get.",
    },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;
