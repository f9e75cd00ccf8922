import type { MessageSpec } from "./message.ts";

/** CAT-030 to CAT-046: values, entities and fields. */
export const catalogValueMessages = {
  CAT030: {
    severity: "error",
    warns: ["unused"],
    texts: {
      blank: "This entity_ref has no target. Allowed: {allowed}.",
      unknown: "There is no entity {found}{nearest}. Allowed as target: {allowed}.",
      unused:
        "This entity_ref, which nothing uses, has no target among the entities; found {found}. Allowed: {allowed}.",
    },
  },
  CAT031: {
    severity: "error",
    texts: {
      options: "This multi_select has no allowed_values. Allowed: a list of at least one option.",
    },
  },
  CAT032: {
    severity: "warning",
    texts: {
      options:
        "This select has no allowed_values and accepts any string. Allowed: a list of options, or type string.",
    },
  },
  CAT033: {
    severity: "error",
    texts: {
      missing:
        "This date has no value_format, and {slot} uses it. Allowed: rfc3339, iso8601_date, unix_ms, unix_sec.",
      extra:
        "Found value_format on type {found}, and {slot} uses it. Allowed: value_format on type date only.",
    },
  },
  CAT034: {
    severity: "error",
    texts: {
      missing:
        "This string has no string_semantics, and {slot} uses it. Allowed: short, markdown, document, html, json_text, blob.",
      extra:
        "Found string_semantics on type {found}, and {slot} uses it. Allowed: string_semantics on type string only.",
    },
  },
  CAT035: {
    severity: "error",
    texts: {
      missing: "This array has no items. Allowed: items with a value_ref, or with a type.",
      form: "These items have {found} of value_ref and a type or allowed_values. Allowed: one of them, the name of a value or what such a value would say.",
      extra: "Found items on type {found}. Allowed: items on type array only.",
      nested:
        "The element {found} is an array itself. Allowed: an element of another type, or type json.",
    },
  },
  CAT040: {
    severity: "error",
    texts: {
      field:
        "The id_field {found} is no field of {entity}{nearest}. Allowed: {allowed}; or id_from or implicit_request_identity.",
    },
  },
  CAT041: {
    severity: "error",
    texts: {
      fields: "The key_vars {found} are no fields of {entity}{nearest}. Allowed: {allowed}.",
      identity:
        "{entity} has key_vars {found}, but no id_field. Allowed: id_field, id_from or implicit_request_identity beside two or more key_vars.",
    },
  },
  CAT042: {
    severity: "error",
    texts: {
      entity:
        "The alias {found} of {entity} is the name of an entity (at {first}). Allowed: a name that no entity has.",
      alias:
        "The alias {found} of {entity} is an alias of {other} too (at {first}). Allowed: each alias once in a catalog.",
    },
  },
  CAT043: {
    severity: "error",
    texts: { none: "{entity} has no capability. Allowed: at least one, or abstract: true." },
  },
  CAT044: {
    severity: "error",
    texts: {
      get: "{found} is no get on {entity}{nearest}. Allowed: {allowed}.",
      list: "{found} is not a {kind} of {entity} that needs no argument{nearest}. Allowed: {allowed}.",
    },
  },
  CAT045: {
    severity: "error",
    texts: { type: "Found {key} on a field of type {type}. Allowed: on string and blob only." },
  },
  CAT046: {
    severity: "error",
    texts: {
      kind: "{found} is no kind of derive{nearest}. Allowed: {allowed}.",
      missing: "Key {key} of derive is missing. The kinds and their keys: {allowed}.",
    },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;

/** CAT-090 to CAT-094: parameters and input; CAT-140 to CAT-146: preflight, preconditions and lists. */
export const catalogInputMessages = {
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
  CAT144: {
    severity: "error",
    texts: {
      place: "Found sort on {kind}. Allowed: on query and search.",
      parameter: "{capability} has no parameter {found}{nearest}. Allowed: {allowed}.",
      value: "{found} is no value of {param}{nearest}. Allowed: {allowed}.",
      word: "{found} is of type {type}. Allowed: a parameter that takes a word, of type string, select or boolean.",
      field: "{found} is no field of {entity}{nearest}. Allowed: {allowed}.",
      type: "{field} is of type {type}, which servers sort in different ways. Allowed: fields of type number, integer and date.",
      ways: "{found} is one word for both directions. Allowed: {example}, or direction, the parameter that says it.",
    },
  },
  CAT145: {
    severity: "error",
    texts: {
      place: "Found count on {kind}. Allowed: on query and search.",
      one: "Found {found}. Allowed: one of path, header, or capability with field.",
      answer:
        "{capability} has no answer of its own to count by {found}. Allowed: capability with field.",
      header:
        "{found} is no header that says how many rows there are{nearest}. Allowed: {allowed}.",
      capability: "{found} is no get that is asked without a key{nearest}. Allowed: {allowed}.",
      field: "{found} is no whole number of {entity}{nearest}. Allowed: {allowed}.",
    },
  },
  CAT146: {
    severity: "error",
    texts: {
      place: "Found lists_only on {kind}. Allowed: on query and search.",
      field: "{found} is no field of {entity}{nearest}. Allowed: {allowed}.",
      type: "{field} is of type {type}. Allowed: fields of type string, uuid, number, integer, boolean and select.",
      value: "{found} is no value of {field}, of type {type}. Allowed: {allowed}.",
    },
  },
  CAT147: {
    severity: "error",
    texts: {
      place: "Found batch on {kind}. Allowed: on query and search.",
      parameter:
        "{found} is no parameter of {capability} that takes a list{nearest}. Allowed: {allowed}.",
      field:
        "{found} is neither the key of {entity} nor a reference that {capability} fills{nearest}. Allowed: {allowed}.",
      needed:
        "{capability} cannot be asked with {param} alone. Allowed: a list whose other parameters, {found}, are optional.",
      pages:
        "{capability} has pages whose size is not said. Allowed: a list without pages, or with a counter and a fixed size.",
    },
  },
  CAT148: {
    severity: "error",
    texts: {
      place: "Found undo on {kind}. Allowed: on create, update, delete and action.",
      restore:
        "Found restore on {kind}. Allowed: restore on an update; elsewhere a capability of {entity}, or none.",
      capability:
        "{found} is no effect of {entity} that can take {capability} back{nearest}. Allowed: {allowed}, or none.",
      read: "{entity} has no get by its key alone, so that nobody could say what {capability} changed. Allowed: none, or such a get.",
      key: "{capability} does not say which row it made: {found} is in neither its provides nor its parameters. Allowed: a create that provides its key.",
      answer:
        "{capability} says nothing of the row that it leaves. Allowed: an action that provides fields.",
      same: "{found} does not take {part}, the key of {entity}: the row would come back as another one. Allowed: a create that takes the key, or none.",
      parameter: "{found} is no parameter of {capability}{nearest}. Allowed: {allowed}.",
      field: "{found} is no field that {source} fills{nearest}. Allowed: {allowed}.",
      needed:
        "{capability} needs {found}, which is no field of {entity}. Allowed: args with a field for it, or none.",
      nothing:
        "No parameter of {capability} is a field of {entity}. Allowed: args with a field for each, or none.",
    },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;
