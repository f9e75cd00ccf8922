import type {
  ColumnDataType,
  ColumnDefinitionBuilder,
  Generated,
  Kysely,
  RawBuilder,
  SchemaModule,
} from "kysely";

/**
 * One step from a schema to the next, on either database. A step that has been published never
 * changes; what it adds must not break a process that still runs on the schema before it.
 */
export type SchemaStep = (schema: SchemaModule, types: DialectTypes) => Promise<void>;

type ColumnType = ColumnDataType | RawBuilder<unknown>;

/** How a database writes the column types that differ between the two. */
export interface DialectTypes {
  /** text that is compared byte by byte, so that a range of an index holds a prefix */
  readonly text: ColumnType;
  readonly bytes: ColumnType;
  /** a primary key that the database numbers, rising with each row */
  readonly rowNumber: {
    readonly type: ColumnType;
    readonly build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  };
}

/** The tables, the same for every dialect. Times are ms since the epoch; bodies are JSON text. */
export interface Tables {
  records: {
    /** insertion order, for stable listings */
    seq: Generated<number>;
    kind: string;
    scope: string;
    id: string;
    version: number;
    body: string;
    /** what its age counts from; null while an earlier program wrote it last */
    aged_from: number | null;
    /** SHA-256 of the blob that its value names */
    blob: string | null;
    /** the version that the two are of: another one was written by an earlier program */
    settled: number | null;
    /** SHA-256 of the blob that holds the text of this name, as JSON, where the body leaves it out */
    program: string | null;
    plan: string | null;
  };
  counters: { owner: string; kind: string; next: number };
  slots: { principal: string; slot: number; logical_id: string };
  execute_sessions: {
    session_id: string;
    prompt_hash: string;
    scope: string;
    /** null once the session has lost its key to a successor */
    reuse_key: string | null;
    expires_at: number;
    body: string;
    /** when its lifetime was over, once it has ended for good; `expires_at` is 0 then */
    ended_at: number | null;
  };
  /** `digest` is that of the wave's catalog; null in a row of an earlier program */
  waves: { session_id: string; n: number; body: string; digest: string | null };
  catalogs: { digest: string; body: string; pinned_at: Generated<number> };
  /** `loose_since`: since when no record may name it; null once one is known to, 0 in a row of an earlier program */
  blobs: { sha256: string; bytes: Uint8Array; loose_since: Generated<number | null> };
}

/** A database of these tables, or one of its transactions. */
export type Db = Kysely<Tables>;
