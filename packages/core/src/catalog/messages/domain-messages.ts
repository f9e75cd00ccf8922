import type { MessageSpec } from "./message.ts";

/** CAT-020 to CAT-024: the top level of domain.yaml; CAT-110 to CAT-115: auth. */
export const domainMessages = {
  CAT020: {
    severity: "error",
    texts: {
      form: "Found {found}. Allowed: an absolute http or https URL without user, query and fragment.",
    },
  },
  CAT021: {
    severity: "warning",
    texts: {
      placeholder:
        "The host {found} is a placeholder: calls are refused until the deployment sets {setting} to a real address. Allowed: a real host.",
    },
  },
  CAT022: {
    severity: "warning",
    texts: { zero: "Found version 0, which cannot be published. Allowed: a whole number from 1." },
  },
  CAT023: {
    severity: "error",
    texts: {
      blank: "Found a blank alias. Allowed: text that is not blank.",
      again:
        "The alias {found} stands here and at {first}, ignoring case. Allowed: each alias once.",
      own: "The alias {found} is the entry id itself. Allowed: other names than {entry}.",
    },
  },
  CAT024: {
    severity: "error",
    texts: {
      form: "Found {found}. Allowed: a bare origin such as https://host or https://host:8443, without path.",
      insecure: "Found {found}. Allowed: https, because the backend is not http itself.",
    },
  },
  CAT110: {
    severity: "error",
    warns: ["name"],
    texts: {
      name: "What {key} holds is no name of a variable. Allowed: letters, digits and _, as in API_TOKEN; the secret itself stands in that variable, never in a catalog.",
      none: "Scheme {scheme} has no source for its secret. Allowed: env, hosted_kv, or both.",
      one: "The {part} has {found}. Allowed: exactly one of {allowed}.",
    },
  },
  CAT111: {
    severity: "error",
    texts: { prefix: "Found hosted key {found}. Allowed: keys that start with plasm:outbound:." },
  },
  CAT112: {
    severity: "error",
    texts: {
      none: "Found oauth beside auth scheme none. Allowed: oauth with another scheme, or none of it.",
    },
  },
  CAT113: {
    severity: "error",
    texts: {
      provider: "Found a blank provider. Allowed: a name that is not blank.",
      capability:
        "There is no capability {found}{nearest}. Allowed: {allowed}. Declared scopes: {scopes}.",
      relation:
        "There is no relation {found}{nearest}. Allowed, as Entity.relation: {allowed}. Declared scopes: {scopes}.",
      one: "Found {found}. Allowed: exactly one of any_of and all_of. Declared scopes: {scopes}.",
      empty: "Found an empty {found}. Allowed: at least one scope. Declared scopes: {scopes}.",
      scope: "There is no scope {found}{nearest}. Declared scopes: {scopes}.",
    },
  },
  CAT115: {
    severity: "error",
    texts: {
      address: "Found {key} {found}. Allowed: an https address without user and fragment.",
      alone:
        "Found {key} without token_url. Allowed: {key} beside token_url, or an issuer whose metadata names both.",
      nameless:
        "Found authorize_url without issuer. Allowed: authorize_url beside issuer, the name of the sign-in server as its answers name it; with token_url it need not publish metadata.",
    },
  },
  CAT160: {
    severity: "error",
    texts: {
      secret: "The webhook {name} has no source for its secret. Allowed: env, hosted_kv, or both.",
      header: "Found the header {found}. Allowed: letters, digits and -, as in X-Signature-256.",
      place: "Found {found} in what is signed. Allowed: {allowed}.",
      body: "The body is not signed, but only this: {found}. Allowed: {allowed}.",
      where: "{found} is signed, and nothing says where it stands. Allowed: {allowed}.",
      unsigned:
        "The time of a request is read and not signed, so that anybody could set it. Allowed: {found} in what is signed, or {allowed}.",
    },
  },
  CAT114: {
    severity: "error",
    texts: {
      name: "Found the name {found} of a further key. Allowed: small letters, digits and _, a letter first, at most 32, and none of secret, client_id, client_secret.",
      twice:
        "The {what} {found} stands for two keys of auth. Allowed: each key has a name, and a header or parameter, of its own.",
    },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;

/** CAT-001 to CAT-017: rules about rules, files and names. */
export const fileMessages = {
  CAT001: {
    severity: "warning",
    texts: {
      unknown:
        "Unknown key {found}{nearest}. Keys allowed here: {allowed}. Keys starting x- are ignored.",
    },
  },
  CAT002: {
    severity: "error",
    texts: { unknown: "Found {found}{nearest}. Allowed: {allowed}." },
  },
  CAT003: {
    severity: "error",
    texts: {
      missing: "Key {key} is missing. Expected: {expected}.",
      wrong: "Found {found}. Expected: {expected}.",
    },
  },
  CAT004: {
    severity: "warning",
    texts: {
      again:
        "Key {found} stands here again, first at {first}; the last one wins. Keep one of them.",
    },
  },
  CAT005: {
    severity: "error",
    texts: { unknown: "There is no {kind} {found}{nearest}. There are: {allowed}." },
  },
  CAT010: {
    severity: "error",
    texts: {
      missing:
        "Found a domain file without mappings. Accepted: a directory with domain.yaml and mappings.yaml, or one .yaml domain file with an extra top-level map `mappings`.",
      both: "Found the top-level map `mappings` beside a mappings file. Accepted: a directory with domain.yaml and mappings.yaml, or one .yaml domain file with `mappings`.",
    },
  },
  CAT011: {
    severity: "error",
    texts: {
      size: "The file has {found} bytes. Allowed: at most {allowed}.",
    },
  },
  CAT012: {
    severity: "error",
    texts: {
      construct: "Found {found}, which a catalog cannot hold. Allowed instead: {allowed}.",
      syntax: "This is no YAML: {found}. Allowed: one YAML 1.2 document; {allowed}.",
    },
  },
  CAT013: {
    severity: "error",
    texts: {
      limit: "The file goes beyond the limit of {found}. Allowed: at most that; {allowed}.",
    },
  },
  CAT016: {
    severity: "error",
    texts: {
      form: "The entry id {found} is not allowed. Allowed: a lower-case letter or digit, then up to 63 of a-z 0-9 _ . - (the name of the directory or the file's stem).",
    },
  },
  CAT017: {
    severity: "error",
    texts: { form: "{found} is no name. Allowed: a letter or _, then letters, digits and _." },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;
