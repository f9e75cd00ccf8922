import type { MessageSpec } from "./message.ts";

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
    texts: { object: "Found a query of type {found}. Allowed: type object." },
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
