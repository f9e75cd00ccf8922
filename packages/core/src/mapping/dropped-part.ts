import type { CapabilityKind } from "../schema/capability.ts";

/**
 * A part of a catalog's files that was left out when it was loaded, since it is wrong or needs something that
 * is: it is in neither graph nor mappings.
 */
export interface DroppedPart {
  readonly kind:
    | "capability"
    | "relation"
    | "field"
    | "entity"
    | "view"
    | "value"
    | "schema_overlay"
    | "key";
  /** its key path in the files: `capabilities.movie_popular` */
  readonly part: string;
  /** what it is called: `movie_popular`, `Movie.reviews` */
  readonly name: string;
  /** the entity it belongs to, or that it is */
  readonly entity?: string;
  /** what programs call it by: a label, a relation, a field */
  readonly label?: string;
  /** the kind of a capability, as far as it can be read */
  readonly does?: CapabilityKind;
  /** what is wrong, in words, with the place in the files */
  readonly why: string;
}
