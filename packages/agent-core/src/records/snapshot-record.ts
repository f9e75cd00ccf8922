import type { SessionKey } from "./execute-session.ts";

/** The index entry of a snapshot `r/n`; its document is a blob (SESS-28 to SESS-30). */
export interface SnapshotRecord {
  readonly n: number;
  readonly runId: string;
  readonly label: string;
  readonly session: SessionKey;
  readonly owner: string;
  readonly principal: string;
  readonly contentSha256: string;
  readonly bytes: number;
  readonly createdAt: number;
}
