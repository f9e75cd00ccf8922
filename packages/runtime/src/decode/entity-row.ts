import type { Json, JsonObject } from "@plasm/core";

/** The identity of a row: its key parts in the entity's order, and its text form (RUN-046). */
export interface Identity {
  /** key part → scalar; the id_field alone for a simple key */
  readonly key: JsonObject;
  /** `Entity:id` or `Entity:k=v,k2=v2` */
  readonly text: string;
}

/** What a reference cell or a one-relation of a row points at. */
export interface Reference {
  readonly identity: Identity;
  /** the fields that came with the reference, if it was an object */
  readonly embedded: EntityRow | null;
}

/**
 * One decoded row of an entity. A field that is absent from `fields` is unknown; null is null
 * (RUN-035). Fields may become known later by hydration; known ones never change, so that results
 * do not depend on which step asked first (RUN-002).
 */
export interface EntityRow {
  readonly entryId: string;
  readonly entity: string;
  readonly identity: Identity | null;
  /** key parts, scope arguments, path variables and anchor of the row's request (RUN-044) */
  readonly ambient: JsonObject;
  readonly fields: Map<string, Json>;
  /** entity_ref fields and one-relations whose reference is known; null is a null reference */
  readonly references: Map<string, Reference | null>;
  /** rows of `from_parent_get` relations that a response held (RUN-037) */
  readonly edges: Map<string, readonly EntityRow[]>;
  /** gets whose answer is part of this row: they need not be asked again */
  readonly loadedBy: Set<string>;
  /** the row as it came, or null when it was restored from a cursor */
  readonly wire: Json;
}
