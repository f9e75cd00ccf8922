/** Why a request cannot be built (mapping format: the *run* rules). */
export interface MappingError {
  readonly code: "argument_missing" | "argument_invalid";
  /** The requirement: `MAP-012`. */
  readonly rule: string;
  /** The variable at fault, if one is. */
  readonly variable?: string;
  /** Where in the template: `query.ids`. */
  readonly place: string;
  /** What was found and what is allowed, in one sentence. */
  readonly message: string;
}

/** What evaluating a template gave, or every error in it. */
export type MappingResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly MappingError[] };
