import type { Cursor } from "@plasm/runtime";
import type { SessionKey } from "./execute-session.ts";

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
