import type { MessageSpec } from "./message.ts";

/** CAT-020 and later: what the keys of domain.yaml must be. */
export const domainMessages = {
  CAT046: {
    severity: "error",
    texts: {
      kind: "{found} is no kind of derive. Allowed: {allowed}.",
      missing: "Key {key} of derive is missing. The kinds and their keys: {allowed}.",
    },
  },
  CAT080: {
    severity: "error",
    texts: {
      removed: "Found invoke_preflight, which is removed. Allowed: preflight, a list of steps; move the read there.",
    },
  },
  CAT151: {
    severity: "error",
    texts: { reserved: "Mode column_schema is reserved. Allowed: per_scope_entity, augment_base." },
  },
} as const satisfies Readonly<Record<string, MessageSpec>>;
