import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ColumnType } from "../row-type.ts";
import type { TypedValue } from "../typed-program.ts";

/** Where a value stands. */
export interface ValueSlot {
  /** the slot as the program writes it, for errors */
  readonly shown: string;
  readonly type: ColumnType;
  /** whether explicit null is legal (LANG-042) */
  readonly nullable: boolean;
  /** whether it may be left out instead; false where that is not known */
  readonly omittable?: boolean;
  /** whether text alone is no list there: an argument of a call (LANG-040) */
  readonly wantsList?: boolean;
  /** `wire`: sent as it is; `test`: compared with cells, dates keep their precision (RUN-113) */
  readonly use: "wire" | "test";
}

/** A value read for a slot, or what is wrong with it. A value that only lacks a `$` has both. */
export interface ValueReading {
  readonly value: TypedValue | null;
  readonly problems: readonly Diagnostic[];
}

const NONE: readonly Diagnostic[] = [];

export function readAs(value: TypedValue): ValueReading {
  return { value, problems: NONE };
}

export function literal(value: null | boolean | number | string): ValueReading {
  return readAs({ kind: "lit", value });
}

export function unreadable(...problems: readonly Diagnostic[]): ValueReading {
  return { value: null, problems };
}

/** Stands for a part that is in error already: it fits everything and causes no further error. */
export const UNKNOWN_VALUE: TypedValue = { kind: "placeholder" };
