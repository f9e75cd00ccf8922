import type { Capability } from "../../schema/capability.ts";

/**
 * How the rows of a relation are read (RUN-050): `ref` gets the row each source row refers to,
 * `from_parent_get` has them in hand, the others call `capability` with what `bindings` says:
 * parameter → field of the source row, or `null` for the row's own reference.
 */
export type RelationReading =
  | { readonly via: "ref"; readonly field: string }
  | { readonly via: "from_parent_get" }
  | {
      readonly via: "query_scoped" | "query_scoped_bindings" | "get_scoped_bindings";
      readonly capability: Capability;
      readonly bindings: ReadonlyMap<string, string | null>;
    };
