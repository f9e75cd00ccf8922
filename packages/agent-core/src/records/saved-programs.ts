import type { EntityRef } from "@plasm/core";

/** A program that is kept by name (SAV-01). Its text is written in names: symbols are of a session. */
export interface SavedProgramRecord {
  readonly name: string;
  /** the principal whose it is */
  readonly owner: string;
  /** the subject of that principal */
  readonly subject: string | null;
  /** whether the whole tenant may run it */
  readonly shared: boolean;
  /** what it does, on one line */
  readonly description: string;
  readonly program: string;
  /** the labels that a call may give other values */
  readonly parameters: readonly string[];
  /** the entities that it is planned with */
  readonly seeds: readonly EntityRef[];
  /** the catalogs that it was planned against, by entry id */
  readonly digests: Readonly<Record<string, string>>;
  /** the capabilities that it calls, as `entry_id/capability` */
  readonly uses: readonly string[];
  /** those of them that change something, as `entry_id/capability`, in its order */
  readonly effects: readonly string[];
  /** the version of each saved program that it calls by itself, by name; absent where it calls none (SAV-14) */
  readonly calls?: Readonly<Record<string, string>>;
  /** what its results are, as its row says it; absent in records of an earlier program (SAV-12) */
  readonly gives?: string;
  /** labels of its results */
  readonly returns: readonly string[];
  /** hash of the plan with the defaults */
  readonly commit: string;
  /** hash of what it is: plan, catalogs, text, parameters and the versions of what it calls */
  readonly version: string;
  readonly savedAt: number;
}
