/** What people outside are told of: one word a kind, as receivers get it (OPS-49). */
export const NOTICE_TYPES = Object.freeze([
  "approval.requested",
  "approval.decided",
  "run.uncertain",
  "watch.changed",
] as const);

/**
 * What people outside are told of one thing that happened (OPS-49). Never what approves, nor anything that an agent or an
 * API has written: no program, intent, argument, target or row. Members are named as receivers get them.
 */
export interface Notice {
  /** the same at every target and every attempt: receivers drop what they have had */
  readonly id: string;
  readonly type: (typeof NOTICE_TYPES)[number];
  /** when it happened, ISO 8601 */
  readonly at: string;
  readonly tenant: string;
  /** who asked or ran; null where that is not known */
  readonly subject: string | null;
  /** the user that it was for, if another (SURF-24) */
  readonly acting_for: string | null;
  /** names the plan for whoever decides on it; null where none had to */
  readonly commit_uuid: string | null;
  readonly plan_commit_ref: string | null;
  /** the run; null before there is one */
  readonly operation_uuid: string | null;
  /** how many effects the plan names: one for each row counts once */
  readonly effects: number;
  /** what they would do, as `catalog.capability`, each once */
  readonly capabilities: readonly string[];
  readonly expires_at: string | null;
  readonly verdict: "approved" | "rejected" | null;
  readonly decided_by: string | null;
  /** effects of which nobody knows whether they happened */
  readonly in_doubt: number;
  /** what a watch has found, in numbers: the rows are for who may read them (WATCH-05); null of anything else */
  readonly watch: {
    readonly schedule_uuid: string;
    readonly program: string;
    readonly reading: number;
    readonly appeared: number;
    readonly changed: number;
    readonly vanished: number;
    readonly first_event_id: string;
    readonly last_event_id: string;
  } | null;
}

/** A notice on its way to one target. When it is due is what its age counts from. */
export interface NoticeRecord {
  readonly notice: Notice;
  /** the name of a target */
  readonly target: string;
  /** how often it was tried, or is being tried */
  readonly attempts: number;
  /** when it happened, in ms */
  readonly since: number;
}
