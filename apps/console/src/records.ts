/** What the API answers with, as far as the pages show it. */

export interface EffectView {
  readonly node: string;
  readonly catalog: string;
  readonly capability: string;
  readonly target: string | null;
  readonly args: Readonly<Record<string, string>>;
  readonly for_each: string | null;
}

export interface Approval {
  readonly commit_uuid: string;
  readonly state: "live" | "waiting" | "approved" | "rejected" | "consumed";
  readonly commit: string;
  readonly plan_commit_ref: string;
  readonly subject: string | null;
  readonly acting_for: string | null;
  readonly intent: string | null;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly program: string;
  readonly plan: string;
  readonly effects: readonly EffectView[];
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  readonly reason: string | null;
}

export interface ApprovalPage {
  readonly approvals: readonly Approval[];
  readonly total: number;
  readonly next: string | null;
  readonly callers: readonly { readonly subject: string | null; readonly waiting: number }[];
}

export interface LogLine {
  readonly n: number;
  readonly at: string;
  readonly tenant: string;
  readonly kind: string;
  readonly subject: string | null;
  readonly acting_for: string | null;
  readonly entry_id: string | null;
  readonly capability: string | null;
  readonly target: string | null;
  readonly plan_commit_ref: string | null;
  readonly commit: string | null;
  readonly operation_uuid: string | null;
  readonly request_id: string | null;
  readonly outcome: string | null;
  readonly detail: string | null;
  readonly happened_at: string;
  readonly prev: string;
  readonly hash: string;
}

export interface LogPage {
  readonly lines: readonly LogLine[];
  readonly next: number | null;
  readonly head: { readonly n: number; readonly hash: string };
  readonly first: { readonly n: number; readonly prev: string };
}
