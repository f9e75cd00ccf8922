import type { EntityKey } from "../federation/entity-key.ts";

/** A capability label of an exposed entity. */
export interface MethodKey extends EntityKey {
  readonly label: string;
}

/**
 * The symbols of one execute session (TEACH-1): `entities[0]` is e1, `methods[0]` is m1,
 * `names[0]` is p1. Assignments are only ever appended (TEACH-6).
 */
export interface SymbolMap {
  readonly entities: readonly EntityKey[];
  readonly methods: readonly MethodKey[];
  readonly names: readonly string[];
}
