import type { MessageSpec } from "./message.ts";

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
