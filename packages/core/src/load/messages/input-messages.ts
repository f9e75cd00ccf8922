import type { MessageSpec } from "./message.ts";

/** CAT-090 to CAT-094: parameters and input; CAT-140 to CAT-143: preflight and preconditions. */
export const inputMessages = {
  CAT090: {
    severity: "error",
    texts: { one: "{name} has {found}. Allowed: exactly one of value_ref and input_type." },
  },
  CAT091: {
    severity: "error",
    texts: {
      object:
        "Found an input of type {found} beside parameters. Allowed: type object; its fields follow the parameters.",
      again: "The name {found} stands here and at {first}. Allowed: each argument name once.",
    },
  },
  CAT092: {
    severity: "error",
    texts: {
      none: "Found a union without variants. Allowed: at least one variant.",
      name: "The {what} {found} is that of variant {other} too (at {first}). Allowed: each {what} once.",
      field:
        "Variant {name} has wire.field {found}, the first variant {other}. Allowed: one shared wire.field.",
      value:
        "Variant {name} has wire.value {found}, as variant {other} does (at {first}). Allowed: distinct wire values.",
    },
  },
  CAT093: {
    severity: "error",
    texts: {
      pattern:
        "The pattern {found} does not compile: {problem}. Allowed: an ECMA-262 pattern with flag u.",
      text: "Found a pattern that is {found}. Allowed: an ECMA-262 pattern as text.",
    },
  },
  CAT094: {
    severity: "error",
    warns: ["function"],
    texts: {
      field: "{found} is no input field{nearest}. Allowed: {allowed}.",
      function: "{found} is no registered function{nearest}. Allowed: {allowed}.",
    },
  },
  CAT140: {
    severity: "error",
    texts: {
      read: "Found preflight on a {kind}. Allowed: on create, update, delete and action.",
      kind: "{found} is {kind}. Allowed as {key}: {allowed}.",
      target: "{found} is on {other}. Allowed: a get on {entity}, whose row is the target.",
      create:
        "Found hydrate_invoke_target on a create, which has no target yet. Allowed: on update, delete and action.",
    },
  },
  CAT141: {
    severity: "error",
    texts: {
      parameter: "{capability} has no parameter {found}{nearest}. Allowed: {allowed}.",
      field: "{found} is no field of {entity}{nearest}. Allowed: {allowed}.",
      prefix: "No earlier step has the prefix {found}{nearest}. Prefixes so far: {allowed}.",
      one: "The scope {name} has {found}. Allowed: exactly one of from_param, from_preflight, literal.",
    },
  },
  CAT142: {
    severity: "error",
    texts: {
      empty: "Found an empty merge. Allowed: at least one name.",
      again:
        "The merged name {found} is merged by another step too (at {first}). Allowed: each name once per capability.",
      reserved: "Found the merged name {found}. Allowed: names that do not start with plasm.",
    },
  },
  CAT143: {
    severity: "error",
    texts: {
      place: "Found preconditions on {kind}. Allowed: on create, update, delete and action.",
      one: "The precondition on {found} has {has}. Allowed: exactly one of eq, in, not_in and exists.",
      row: "{found} is {kind}, which is called on no row. Allowed: param, an argument that refers to a row.",
      param: "The parameter {found} refers to no entity. Allowed: one of type entity_ref{refs}.",
      type: "{field} is of type {type}. Allowed for that type: exists alone.",
      value: "{found} is no value of {field}, of type {type}. Allowed: {allowed}.",
      empty: "Found an empty list. Allowed: at least one value.",
    },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;
