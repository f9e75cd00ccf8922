import type { EntityKey } from "../federation/entity-key.ts";
import type { ValueType } from "../values/value-type.ts";

/** How many rows there can be: exactly one, at most one, any number (LANG-060). */
export type Card = "one" | "opt" | "many";

/** A declared type and the catalog whose entities its references mean; null for none. */
export interface ColumnType {
  readonly entryId: string | null;
  readonly type: ValueType;
}

/** A named value of a row; a to-one path is one name with dots (LANG-064). */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** What is known of the rows of a node before it runs (LANG-060). */
export interface RowType {
  readonly card: Card;
  /** the entity whose identity the rows carry, or null */
  readonly entity: EntityKey | null;
  /** null: whole rows of `entity` */
  readonly columns: readonly Column[] | null;
  /** free-form rows: any column is legal and of type json */
  readonly open: boolean;
  /** the projection that removed columns, as written */
  readonly removedBy: string | null;
  /** the step after which rows have no identity, as written */
  readonly lostBy: string | null;
}

/** Whole rows of an entity. */
export function entityRows(entity: EntityKey, card: Card): RowType {
  return { card, entity, columns: null, open: false, removedBy: null, lostBy: null };
}
