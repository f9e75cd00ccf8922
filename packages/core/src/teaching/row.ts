import type { EntityKey } from "../catalog/federation.ts";
import type { InputType } from "../model/input.ts";
import type { MethodKey } from "../symbols/symbols.ts";
import type { Cell } from "./cell.ts";
import type { TypeRef } from "./list-choice.ts";
import type { Scene } from "./notation.ts";

/** What a row's code gives: rows of an entity, nothing but `ok`, or a row of no entity (TEACH-21). */
export type RowResult =
  | { readonly kind: "rows"; readonly card: "one" | "many"; readonly entity: EntityKey }
  | { readonly kind: "nothing" }
  | { readonly kind: "open" };

/**
 * Where a type holds (TEACH-21): for a field of an entity, a condition on its lists, or an argument
 * of one method.
 */
export type TypePlace =
  | { readonly kind: "field" | "condition"; readonly entity: EntityKey }
  | { readonly kind: "argument"; readonly method: MethodKey; readonly ofList: boolean };

/** A name that a row shows or offers, where it is used and with which type. */
export interface NameUse {
  readonly place: TypePlace;
  readonly name: string;
  /** its name behind those of the slots it is a member of (TEACH-16) */
  readonly path: string;
  readonly input: InputType;
  readonly description: string;
}

/** A type that a slot has in one row alone: others of its name and place have another there (TEACH-19). */
export interface OwnType {
  readonly path: string;
  readonly type: TypeRef;
}

/** What an executable row teaches (TEACH-14, rows 2 to 8); `call` is a read by its label (TEACH-17). */
export type RowKind =
  | "head"
  | "get"
  | "query"
  | "search"
  | "call"
  | "relation"
  | "create"
  | "method";

/** A row whose left cell is code: what it does, and what it claims of itself (TEACH-19). */
export interface ExecutableRow {
  readonly kind: RowKind;
  /** the entity whose block the row stands in */
  readonly entity: EntityKey;
  /** the capability the plan must use; null where rows are in hand */
  readonly capability: string | null;
  readonly relation: string | null;
  readonly left: Cell;
  /** `left` with the compound key of its receiver written out, where that leaves it to `$` */
  readonly whole: Cell | null;
  readonly result: RowResult;
  /** what the row teaches by its wire name, or nothing */
  readonly name: string;
  /** paths of what may be given besides: `p4`, or `p3.p5` for a member of what the row shows */
  readonly opt: readonly string[];
  /** the types of its slots where those of their places are others */
  readonly here: readonly OwnType[];
  /** what its arguments have to satisfy beyond their types, as printed */
  readonly rules: readonly string[];
  /** what must hold before the effect, as conditions, or nothing */
  readonly needs: string;
  readonly note: string;
  readonly uses: readonly NameUse[];
}

/** A name taught for the first time, or taught anew because its reference became an entity (TEACH-27). */
export interface SlotRow {
  readonly kind: "slot";
  readonly name: string;
  readonly type: TypeRef;
  readonly note: string;
}

/** A name whose type or description differs at one place from the one taught. */
export interface RetypedRow {
  readonly kind: "retyped";
  readonly name: string;
  readonly place: TypePlace;
  readonly type: TypeRef;
  readonly note: string;
}

/** The row of an entity without reads (TEACH-15). */
export interface NoReadsRow {
  readonly kind: "no_reads";
  readonly entity: EntityKey;
  readonly name: string;
  readonly note: string;
}

export type TypeRow = SlotRow | RetypedRow;
export type TableRow = ExecutableRow | TypeRow | NoReadsRow;

/**
 * The name that a row's Meaning says (TEACH-22). In `names` it is left out where the left cell has it
 * already: as the whole of a slot's, the entity of a head, the step or method of another row (TEACH-13).
 */
export function saidName({ spell }: Scene, row: Exclude<TableRow, { kind: "retyped" }>): string {
  if (spell.notation === "symbols") return row.name;
  const isSaid = (): boolean => {
    switch (row.kind) {
      case "slot":
        return spell.name(row.name) === row.name;
      case "head":
      case "no_reads":
        return spell.entity(row.entity) === row.name;
      case "relation":
        return row.left.includes(`.${row.name}`);
      case "get":
      case "query":
      case "search":
      case "call":
      case "create":
      case "method":
        return row.left.includes(`.${row.name}(`);
    }
  };
  return isSaid() ? "" : row.name;
}
