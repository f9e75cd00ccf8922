import type { SessionKey } from "./execute-session.ts";

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
