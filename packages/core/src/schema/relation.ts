/** One step of a path into a parent's response: a key, or every element of an array. */
export type EmbeddedStep = { readonly key: string } | { readonly wildcard: true };

/** How the rows of a relation are had (catalog format, section 6; RUN-050). */
export type Materialize =
  | { readonly kind: "unavailable" }
  | {
      readonly kind: "from_parent_get";
      readonly path: readonly EmbeddedStep[];
      /** what the last wildcard stands for is a map: the member that each key goes into (MAP-034) */
      readonly keyInto?: string;
      /** the member that values which are no objects go into */
      readonly valueInto?: string;
    }
  | { readonly kind: "query_scoped"; readonly capability: string; readonly param: string }
  | {
      readonly kind: "query_scoped_bindings" | "get_scoped_bindings";
      readonly capability: string;
      /** parameter of the capability → field of the parent */
      readonly bindings: ReadonlyMap<string, string>;
    };

/** A named edge to rows of an entity of the same catalog. */
export interface Relation {
  readonly name: string;
  readonly target: string;
  readonly cardinality: "one" | "many";
  readonly description: string;
  /** Absent when the file declares none; a one-relation then reads its target from the row (RUN-036). */
  readonly materialize?: Materialize;
  readonly qualifierTerms: readonly string[];
  readonly traversalWeight?: number;
}
