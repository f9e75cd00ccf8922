import type { MessageSpec } from "./message.ts";

const problem = "Template {place}: {problem}";
const name = "Template {place}: there is no name {found}{nearest}. Allowed: {allowed}.";

/** CAT-126: templates of views; CAT-153: templates of the overlay. `place` is line:column in the template. */
export const viewTemplateMessages = {
  CAT126: {
    severity: "error",
    texts: {
      blank: "Found a blank template, from 1:1 on. Allowed: text that is not blank.",
      long: "Found a template of {found} characters, too long from {place} on. Allowed: at most {allowed}.",
      problem,
      name,
      node: "Template {place}: nodes has no {found}{nearest}. Allowed, the nodes before this one: {allowed}.",
    },
  },
  CAT153: {
    severity: "error",
    texts: { problem, name },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;

/** MAP-001 to MAP-021: templates, requests and expressions. */
export const mappingMessages = {
  MAP001: {
    severity: "warning",
    texts: {
      orphan:
        "There is no capability {found}{nearest}, so this entry is ignored. Allowed: names of capabilities, and keys starting x-.",
    },
  },
  MAP002: {
    severity: "error",
    texts: {
      map: "Found {found} as a template. Allowed: a map, with transport http (default), graphql, view, evm_call or evm_logs.",
      transport: "{found} is no transport{nearest}. Allowed: {allowed}.",
    },
  },
  MAP003: {
    severity: "warning",
    texts: {
      unbound:
        "Nothing binds the variable {found}{nearest}, and no exists guards it. Bound here: {allowed}.",
    },
  },
  MAP004: {
    severity: "warning",
    texts: {
      unread:
        "The template never reads the parameter {found} (at {first}), so it is not sent. Allowed: read it, or drop it there.",
    },
  },
  MAP005: {
    severity: "error",
    texts: {
      deep: "Expressions are nested deeper than {allowed} levels here. Allowed: at most {allowed}.",
    },
  },
  MAP010: {
    severity: "error",
    texts: {
      literal:
        "The path text {found} holds {what}. Allowed: text without ?, # and control characters, and without a segment . or ...",
      slash:
        "A / stands before each segment of a path already, so {found} makes it {made}. Allowed: {instead}; where the API wants //, an empty segment.",
    },
    warns: ["slash"],
  },
  MAP011: {
    severity: "error",
    texts: {
      first: "Found the absolute URL {found} as a later segment. Allowed: as first segment only.",
      form: "Found the URL {found}. Allowed: an absolute http or https URL with a host, without user, query and fragment.",
    },
  },
  MAP013: {
    severity: "error",
    texts: {
      object: "Found a query of type {found}. Allowed: type object.",
      brackets:
        "Found {found}{nearest}, which the query does not have. Allowed in query_brackets: members of query: {members}.",
    },
  },
  MAP014: {
    severity: "error",
    texts: {
      object: "Found headers of type {found}. Allowed: type object.",
      name: "{found} is no header name. Allowed: letters, digits and !#$%&'*+-.^_`|~.",
      value:
        "The header {name} is {found}, with a line break or NUL in it. Allowed: one line of text.",
    },
  },
  MAP015: {
    severity: "error",
    texts: {
      object: "Found a form of type {found}. Allowed: type object.",
    },
  },
  MAP026: {
    severity: "error",
    texts: {
      member:
        "Found {found}{nearest}, which the query does not have. Allowed in query_numbered: paths that begin with a member of query: {members}.",
      both: "{found} is in query_brackets, too. Allowed: one of the two.",
    },
  },
  MAP016: {
    severity: "error",
    texts: {
      body: "Found body beside multipart. Allowed: one of them.",
      scalar:
        "The part {name} has a file_name, and its content is the scalar {found}. Allowed: file_name on an attachment only.",
      none: "Found body_format multipart without parts. Allowed: multipart with at least one part.",
    },
  },
  MAP017: {
    severity: "error",
    texts: { format: "Found multipart with body_format {found}. Allowed: body_format: multipart." },
  },
  MAP024: {
    severity: "error",
    texts: {
      body: "Found body_format binary with {found}. Allowed: a body that gives a file or text, as a var of a blob.",
    },
  },
  MAP018: {
    severity: "warning",
    texts: {
      method:
        "{found} is {kind} but is sent as {method}, like a change. A read is sent without review and may be sent again. Allowed: create, update, delete or action for what changes data; for a read that an API takes as POST, PUT or PATCH, a description that starts with what it returns.",
      mutation:
        "{found} is {kind} but sends a GraphQL mutation. A read is sent without review and may be sent again. Allowed: create, update, delete or action for a mutation.",
    },
  },
  MAP020: {
    severity: "error",
    texts: {
      type: "Found {found}{nearest}. Core types: {allowed}. Registered functions: {functions}.",
      function:
        "{found} is no registered function{nearest}. Core types: {allowed}. Registered functions: {functions}.",
    },
  },
  MAP021: {
    severity: "error",
    texts: {
      brace: "The format text has an {found} brace. Allowed: names of vars in braces: {allowed}.",
      missing: "The format text names {found}, which vars has not{nearest}. Allowed: {allowed}.",
      unused: "The format text never names {found}. Allowed: vars that the text names, {allowed}.",
    },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;

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
      form: "The param {name} has {found}. Allowed: exactly one of counter, fixed, from_response, from_last, size.",
      step: "The param {name} has step without counter. Allowed: step on a counter only.",
      assumed:
        "The param {name} has assumed, and no counter, or a step. Allowed: assumed on a counter without step.",
      usual: "The param {name} has usual without fixed. Allowed: usual on a fixed param only.",
      size: "The param {name} has size beside other params. Allowed: size on the only param.",
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
