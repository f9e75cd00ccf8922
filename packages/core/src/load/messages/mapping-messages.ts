import type { MessageSpec } from "./message.ts";

/** MAP-001 and later: what the entries of mappings.yaml must be. */
export const mappingMessages = {
  MAP001: {
    severity: "warning",
    texts: {
      orphan: "There is no capability {found}{nearest}, so this entry is ignored. Allowed: names of capabilities, and keys starting x-.",
    },
  },
  MAP002: {
    severity: "error",
    texts: {
      map: "Found {found}. A template is a map with transport http (default), graphql, view, evm_call or evm_logs.",
      transport: "{found} is no transport{nearest}. Allowed: {allowed}.",
    },
  },
  MAP005: {
    severity: "error",
    texts: { deep: "Expressions are nested deeper than {allowed} levels here. Allowed: at most {allowed}." },
  },
  MAP020: {
    severity: "error",
    texts: {
      type: "{found} is not known here{nearest}. Core types: {allowed}. Registered functions: {functions}.",
    },
  },
  MAP030: {
    severity: "error",
    texts: {
      shorthand: "{found} is no response. Allowed: a map, or one of {allowed}.",
      kind: "{found} is no kind of response_preprocess. Allowed: {allowed}.",
      missing: "Key {key} of response_preprocess is missing. The kinds and their keys: {allowed}.",
    },
  },
  MAP050: {
    severity: "error",
    texts: { key: "Found key {found}. A template of transport view has one key beside it: view." },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;
