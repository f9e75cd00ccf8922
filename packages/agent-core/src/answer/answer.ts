import type { Json, JsonObject } from "@plasm/core";

/** An object of JSON whose members may be absent, with or without `exactOptionalPropertyTypes`. */
export interface MetaShape {
  readonly [name: string]: Json | undefined;
}

/** What a call answers: text that suffices for a model, and `_meta.plasm` for programs (SURF-5). */
export interface Answer<Meta extends MetaShape = JsonObject> {
  readonly text: string;
  readonly meta: Meta;
}

/** One result as data: what JSON answers hold (SURF-9). */
export interface StructuredResult<Row = JsonObject> {
  /** its label in the program, else what its rows are */
  readonly name: string;
  /** in the order in which they are shown */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly row_count: number;
  /** why rows are missing, such as a budget; null if none are */
  readonly partial: string | null;
  /** the address that its rows are kept at, `plasm://…`; null if they are not */
  readonly snapshot: string | null;
  /** the handle of the API's further rows, for the program `page(…)`; null if there are none */
  readonly next: string | null;
}

/** One result as its text shows it: rows that are left out are not there, cells that are cut are (SURF-9). */
export interface FittedResult extends StructuredResult {
  /** how many of its rows are here */
  readonly shown: number;
  /** columns of which a cell is cut */
  readonly clipped: readonly string[];
  /** the handle of the rows that are left out (SURF-30) */
  readonly rest?: string;
}

/** A live run's answer: all rows as data, and the same as text within its token budget. */
export interface RunAnswer<
  Meta extends MetaShape = JsonObject,
  Row = JsonObject,
> extends Answer<Meta> {
  readonly results: readonly StructuredResult<Row>[];
  /** the results as the text shows them, within its token budget */
  readonly fitted?: readonly FittedResult[];
  /** the handle of an operation that goes on: HTTP's 202 (OPS-13) */
  readonly accepted?: string;
}

/** A resource with its type (SURF-10): text, or the bytes of a file in base64. */
export type ResourceAnswer = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);
