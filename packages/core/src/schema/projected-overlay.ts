import type { Json } from "../values/json.ts";
import type { ValueType } from "../values/value-type.ts";

/** A field that an overlay adds. Its names on the wire are data; its own name is an identifier. */
export interface ProjectedField {
  readonly name: string;
  readonly type: ValueType;
  readonly path: readonly string[];
  /** the value of the element of the array at `path` whose key equals a text */
  readonly lookup?: {
    readonly equals: string;
    readonly matchKeyField: string;
    readonly valueField: string;
  };
}

/** What an overlay adds to one entity: a new one, or with `augment_base` the template itself. */
export interface ProjectedEntity {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly fields: readonly ProjectedField[];
}

/** Rows of which scope are of which entity, and what its static fields hold. */
export interface ProjectedScope {
  readonly entity: string;
  /** what `decode.scope.key` renders for such rows; null where the overlay has no scope key */
  readonly key: string | null;
  readonly statics: Readonly<Record<string, Json>>;
}

/**
 * What reading an overlay came to (RUN-103): a schema as plain JSON, so that stores keep it and the
 * effective digest covers it (RUN-171, RUN-173).
 */
export interface ProjectedOverlay {
  readonly entities: readonly ProjectedEntity[];
  readonly scopes: readonly ProjectedScope[];
}
