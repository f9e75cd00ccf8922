/** What an audit log tells of: one word a kind, which filters take (OPS-40). */
export const AUDIT_KINDS = Object.freeze([
  "effect_started",
  "effect_ended",
  "effect_withdrawn",
  "approval_requested",
  "approval_given",
  "approval_rejected",
  "refused",
  "signed_in",
  "account_shared",
  "account_revoked",
  "key_added",
  "key_rotated",
  "key_removed",
  "policy_set",
  "catalog_imported",
  "catalog_withdrawn",
  "operation_retried",
  "operation_cancelled",
  "program_saved",
  "program_removed",
  "schedule_set",
  "schedule_removed",
] as const);

/**
 * Kinds of records that a tenant's bytes leave out: nobody may free them, so that a log would in the end refuse its
 * tenant every plan (OPS-43).
 */
export const AUDIT_RECORDS = Object.freeze(["auditEvent", "auditHead", "auditLine"] as const);

/** A kind of what an audit log tells of (OPS-40). */
export type AuditKind = (typeof AUDIT_KINDS)[number];

/**
 * What is noted of one thing that happened (OPS-40): who, with what, by which plan and run. Never a secret, an
 * argument or a row. Members are named as they are shown: the hash of a line is that of its text.
 */
export interface AuditFacts {
  readonly kind: AuditKind;
  /** who did it; null where that is not known */
  readonly subject: string | null;
  /** the user that it was done for, if another (SURF-24) */
  readonly acting_for: string | null;
  readonly entry_id: string | null;
  readonly capability: string | null;
  /** what it was done to: the identity of a row, the id of a key, the name of a tenant */
  readonly target: string | null;
  readonly plan_commit_ref: string | null;
  /** hash of the plan */
  readonly commit: string | null;
  /** the run */
  readonly operation_uuid: string | null;
  readonly request_id: string | null;
  /** how it ended: the status of an effect, the code of a problem */
  readonly outcome: string | null;
  readonly detail: string | null;
}

/** What happened, before it is part of the chain. */
export interface AuditEvent extends AuditFacts {
  readonly happened_at: string;
}

/** One line of a tenant's audit log (OPS-41). */
export interface AuditLine extends AuditEvent {
  /** its place in the chain, from 1 without gaps */
  readonly n: number;
  /** when it became part of the chain: never earlier than the line before */
  readonly at: string;
  readonly tenant: string;
  /** hash of the line before; 64 zeros for the first */
  readonly prev: string;
  /** SHA-256 of the line's other members as canonical JSON, in hex */
  readonly hash: string;
}

/** Where a chain stands. */
export interface AuditHead {
  /** number of the last line; 0 before the first */
  readonly n: number;
  readonly hash: string;
  readonly at: string;
  /** the oldest line that is kept, and the hash of the line before it */
  readonly first: { readonly n: number; readonly prev: string };
}
