import type { Continuity } from "../answer/meta.ts";
import type { Notation } from "@plasm/core";
import type { GoalSeeds } from "@plasm/core/internal";
import type { SessionKey, WaveRecord } from "../records/sessions.ts";
import type { SeededProgram } from "./seeded-programs.ts";
import type { ResolvedSeed } from "./seeds.ts";

/** A call of plasm_context, of POST /execute or of …/context, before any check. */
export interface ContextRequest {
  /** absent only on HTTP, for a session without logical session */
  readonly intent?: unknown;
  /** without them the intent chooses (TEACH-47) */
  readonly seeds?: unknown;
  /** saved programs among the seeds, which the engine has looked up (SAV-12) */
  readonly programs?: readonly SeededProgram[];
  readonly replay?: unknown;
  /** true: the tables of the seeds with all that they have, too, whenever they were exposed (TEACH-46) */
  readonly detail?: unknown;
  readonly notation?: unknown;
  /** true: the session teaches and takes reads alone; fixed when it opens (TEACH-25) */
  readonly readOnly?: unknown;
  /** `{api, digest}` of each seeded catalog, where only those will do (RUN-172) */
  readonly pins?: unknown;
  /**
   * what the conversation still has of tables: a mark or a list of them, empty for none (SESS-41); left out by callers
   * that keep no marks
   */
  readonly known?: unknown;
  /** whom the caller acts for (SURF-24) */
  readonly principal?: unknown;
  /** documents to attach (GRAFT-2) */
  readonly grafts?: unknown;
  /** the answer goes without its text, so that what stands there counts as not shown (GRAFT-10) */
  readonly silent?: boolean;
  /** extends exactly this execute session (HTTP `…/context`) */
  readonly session?: SessionKey;
}

/** What a context call did, for its answer. */
export interface ContextUpdate {
  readonly logicalId: string | null;
  readonly ref: string | null;
  readonly key: SessionKey;
  readonly reused: boolean;
  readonly notation: Notation;
  readonly readOnly: boolean;
  /** all waves of the session after the call */
  readonly waves: readonly WaveRecord[];
  /** how many of them this call added */
  readonly added: number;
  /** waves whose text this answer carries */
  readonly sent: readonly WaveRecord[];
  /** what a caller that keeps marks says of these tables the next time; null for others (SESS-41) */
  readonly mark: string | null;
  /** what seeds without catalog mean */
  readonly resolved: readonly ResolvedSeed[];
  /** what was chosen by the goal alone */
  readonly goal: GoalSeeds | null;
  readonly continuity: Continuity;
  readonly text: string;
}
