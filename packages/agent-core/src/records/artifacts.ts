import type { Cursor } from "@plasm/runtime";
import type { GraftHeader, IndexedGraft } from "@plasm/core/internal";
import type { AccountNames, SessionKey } from "./sessions.ts";

/** When the store was last swept, by whichever process; the store's clock, in ms (SESS-37). */
export interface SweepRecord {
  readonly at: number;
}

/** A document attached to a session, as its index shows it; its content is a blob (GRAFT-1). */
export interface GraftRecord extends IndexedGraft {
  readonly mime: string;
  /** of the content's UTF-8 */
  readonly sha256: string;
  readonly bytes: number;
  /** the set's revision that brought this content (GRAFT-10) */
  readonly setRevision: number;
}

/** The grafts of one subject in one session, but for the grafts themselves (GRAFT-1). */
export interface GraftSetRecord {
  /** null until something was attached */
  readonly header: GraftHeader | null;
  /** 0 until something was attached; one more with each change */
  readonly revision: number;
  /** the revision that context answers have shown (GRAFT-10) */
  readonly shown: number;
  /** the provider has answered (GRAFT-2) */
  readonly asked: boolean;
  /** until when a process that asks it may take, by the store's clock in ms */
  readonly askingUntil: number;
}

/**
 * What of a session was dropped since the store was over its limit: the highest number of each kind, and when the last of
 * it was, in ms by the store's clock.
 */
export interface DroppedRecord {
  readonly snapshot?: number;
  readonly cursor?: number;
  readonly operation?: number;
  readonly at: number;
}

/** A file that a session holds since it is too large for a row (RUN-038); its bytes are a blob. */
export interface FileRecord {
  readonly sha256: string;
  readonly mimeType: string;
  /** of that blob */
  readonly bytes: number;
  /** where it is kept in parts, which are records of their own: the whole's size, and the parts in their order (VAL-01) */
  readonly whole?: { readonly bytes: number; readonly parts: readonly string[] };
  /** the capabilities whose answer it was, as `entry_id/capability` (SURF-25) */
  readonly uses?: readonly string[];
  /** a program had it taken to send it (VAL-07); nobody reads it then, unless it is an answer, too */
  readonly sent?: true;
  /** those who took it; absent in parts, and in records of an earlier program, which are the session's */
  readonly principals?: readonly string[];
  /** the store's clock, in ms */
  readonly createdAt: number;
}

/**
 * What a page handle continues (SESS-31): a read that has more rows upstream, or the rows of a
 * snapshot that a text answer left out (SURF-30).
 */
export type CursorSource =
  | {
      readonly kind: "upstream";
      readonly cursor: Cursor;
      /**
       * the session's effects on each catalog that its rows were read after (PLAN-083); absent in records of an earlier
       * program
       */
      readonly marks?: Readonly<Record<string, number>>;
      /** the accounts that its rows were read with, and go on with alone; absent where no catalog of it has any (RUN-129) */
      readonly accounts?: AccountNames;
    }
  | { readonly kind: "snapshot"; readonly n: number; readonly next: number };

/** A page handle and what it goes on from. */
export interface CursorRecord {
  readonly n: number;
  readonly session: SessionKey;
  readonly principal: string;
  readonly label: string;
  readonly program: string;
  readonly commit: string;
  /** what its rows are made by, as `entry_id/capability` (SURF-25) */
  readonly uses?: readonly string[];
  /** null once exhausted */
  readonly source: CursorSource | null;
  /** rows already shown, so that a page can say which it is (SURF-13) */
  readonly shown: number;
  /** number of the snapshot that the next answer of a whole cursor replaces (PLAN-080), else null */
  readonly replaces: number | null;
  readonly createdAt: number;
}

/**
 * The index entry of a snapshot `r/n`; its document is a blob (SESS-28 to SESS-30). Records of an earlier program
 * say less: what they leave out is in the document.
 */
export interface SnapshotRecord {
  readonly n: number;
  readonly runId: string;
  readonly label: string;
  readonly session: SessionKey;
  readonly owner: string;
  readonly principal: string;
  readonly contentSha256: string;
  readonly bytes: number;
  /** id of the run whose result it is (PLAN-063); a page is of none */
  readonly run: string | null;
  /** the ref under which it was run, where there was one */
  readonly ref: string | null;
  /** only in records of an earlier program: the document has it */
  readonly commit?: string;
  readonly source: "live" | "page" | "cancel" | "failure" | "explain";
  readonly rows: number;
  /** absent where it is whole; null in records of an earlier program */
  readonly partial?: string | null;
  /** catalogs that its rows are of, by which policy judges who may see it (SURF-25) */
  readonly entryIds: readonly string[];
  /** the same by capability, as `entry_id/capability`; absent in records of an earlier program */
  readonly uses?: readonly string[];
  readonly createdAt: number;
}
