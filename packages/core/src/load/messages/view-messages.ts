import type { MessageSpec } from "./message.ts";

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
