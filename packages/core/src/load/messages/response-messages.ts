import type { MessageSpec } from "./message.ts";

/** MAP-030 to MAP-052: responses, pagination, views and EVM. */
export const responseMessages = {
  MAP030: {
    severity: "error",
    texts: {
      shorthand: "{found} is no response{nearest}. Allowed: a map, or one of {allowed}.",
      kind: "{found} is no kind of response_preprocess{nearest}. Allowed: {allowed}; registered functions: {functions}.",
      missing: "Key {key} of response_preprocess is missing. The kinds and their keys: {allowed}.",
    },
  },
  MAP034: {
    severity: "error",
    texts: {
      single:
        "Found key_into beside single: true. Allowed: one of them, since a map of rows is a collection.",
      alone:
        "Found value_into without key_into. Allowed: beside key_into, for a collection that is a map.",
      same: "Found value_into {found}, the member of key_into as well. Allowed: another member.",
    },
  },
  MAP031: {
    severity: "error",
    texts: {
      place: "Found auxiliary_merge on {found}. Allowed: on a get with transport http.",
      method: "Found method {found}. Allowed: GET, HEAD.",
    },
  },
  MAP040: {
    severity: "error",
    texts: {
      form: "The param {name} has {found}. Allowed: exactly one of counter, fixed, from_response, from_last.",
      step: "The param {name} has step without counter. Allowed: step on a counter only.",
    },
  },
  MAP041: {
    severity: "error",
    texts: {
      field:
        "Found stop_when without field. Allowed: field and exactly one of eq and absent: true.",
      one: "Found stop_when with {found}. Allowed: field and exactly one of eq and absent: true.",
    },
  },
  MAP042: {
    severity: "error",
    texts: {
      location: "Found body_merge_path with location {found}. Allowed: location body only.",
      body: "Found location body with {found}. Allowed: a JSON body that is an object, or none.",
    },
  },
  MAP043: {
    severity: "error",
    texts: {
      param:
        "The param {name} is a {found} with location {location}. Allowed: fixed only, since later requests carry the URL alone.",
    },
  },
  MAP044: {
    severity: "error",
    texts: {
      transport:
        "Found location block_range with transport {found}. Allowed: transport evm_logs only.",
    },
  },
  MAP045: {
    severity: "error",
    texts: { kind: "Found pagination on {found}, {kind}. Allowed: on a query or search." },
  },
  MAP050: {
    severity: "error",
    texts: {
      key: "Found key {found} beside transport view. Allowed: the key view alone.",
      unknown: "There is no view {found}{nearest}. Allowed: {allowed}.",
      entity:
        "The view {found} is of {other}. Allowed: a view of {entity}, the entity of {capability}.",
      kind: "Found transport view on {capability}, {found}. Allowed: on a query or get.",
    },
  },
  MAP051: {
    severity: "error",
    texts: {
      parse: "{found} is no readable ABI: {problem}. Allowed, for example: {allowed}.",
      args: "Found {found} args; the function takes {allowed}. Allowed: exactly {allowed}.",
      topics:
        "Found {found} topics; the event has {indexed} indexed arguments. Allowed: at most {allowed}.",
      index: "Found index {found} of {what}. Allowed: 0 to {allowed}.",
      none: "Found index {found} of {what}, of which there are none. Allowed: another type.",
      field: "{found} is no field of {entity}{nearest}. Allowed: {allowed}.",
    },
  },
  MAP052: {
    severity: "error",
    texts: { kind: "Found transport {transport} on {found}, {kind}. Allowed: {allowed}." },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;
