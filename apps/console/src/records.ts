/** What the API answers with, as far as the pages show it. */

export interface EffectView {
  readonly node: string;
  readonly catalog: string;
  readonly capability: string;
  readonly target: string | null;
  readonly args: Readonly<Record<string, string>>;
  readonly for_each: string | null;
  /** absent in plans that an earlier program put on the list */
  readonly kind?: "create" | "update" | "delete" | "action";
  /** what takes it back, as the catalog says; absent where that says nothing */
  readonly undo?: string;
}

/** An effect as a read of its target explained it: what it finds, and what it would leave. */
export interface ExplainedView {
  readonly node: string;
  readonly row: number | null;
  readonly target: string | null;
  readonly changes: readonly {
    readonly field: string;
    /** absent where nothing gave it */
    readonly before?: unknown;
    readonly after: unknown;
  }[];
  readonly preconditions?: readonly { readonly needs: string; readonly holds: boolean | null }[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly behind: string | null;
}

/** A figure of a bill. */
export type BillFigure =
  | { readonly exact: number }
  | { readonly max: number }
  | { readonly unknown: string };

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
  /** catalog → the account that is used */
  readonly accounts: Readonly<Record<string, string>>;
  readonly bill: { readonly requests: BillFigure; readonly rows: BillFigure } | null;
  readonly explained: {
    readonly at: string;
    readonly effects: readonly ExplainedView[];
    readonly omitted: number;
  } | null;
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

/** An operation as lists of many sessions show it. */
export interface LongRun {
  readonly operation_uuid: string;
  readonly session: { readonly prompt_hash: string; readonly session: string };
  readonly trace_id: string;
  readonly run: string;
  readonly subject: string | null;
  readonly plan_commit_ref: string;
  readonly catalogs: readonly string[];
  readonly program: string;
  readonly state: "accepted" | "running" | "succeeded" | "failed" | "cancelled";
  readonly cancel_requested: boolean;
  readonly set_aside: boolean;
  readonly line: string;
  readonly step: { readonly k: number; readonly of: number; readonly rows: number };
  readonly requests: number | null;
  readonly effects: number;
  readonly outcome: {
    readonly rows: number;
    readonly code: string | null;
    readonly effects_done: number;
    readonly in_doubt: number;
  } | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}

/** What a session had of everything, also of what is not kept any more. */
export interface SessionTotals {
  readonly calls: number;
  readonly failed_calls: number;
  readonly nodes: number;
  readonly requests: number;
  readonly failed_requests: number;
  readonly operations: number;
  readonly grafts: number;
  readonly rows: number;
}

export interface SessionTrace {
  readonly trace_id: string;
  readonly kind: "logical" | "execute";
  readonly started_at: string;
  readonly updated_at: string;
  readonly seq: number;
  readonly dropped: number;
  readonly totals: SessionTotals;
}

/** One event of a session: which members it has depends on its type. */
export interface SessionEvent {
  readonly n: number;
  readonly at: string;
  readonly type: string;
  readonly call?: string;
  readonly outcome?: string;
  readonly ms?: number;
  readonly rows?: number;
  readonly plan_commit_ref?: string | null;
  readonly run?: string;
  readonly node?: string;
  readonly kind?: string;
  readonly entry_id?: string | null;
  readonly status?: string | number | null;
  readonly method?: string;
  readonly origin?: string;
  readonly path?: string;
  readonly attempt?: number;
  readonly operation?: number | null;
  readonly state?: string;
  readonly code?: string | null;
  readonly graft_id?: string;
  readonly bytes?: number;
}

export interface CatalogEntry {
  readonly entry_id: string;
  readonly label: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly version: number;
  readonly digest: string;
  readonly capabilities: number;
  /** whether calls of it have the credentials they need */
  readonly credentials: boolean;
  readonly not_loaded?: readonly { readonly part: string; readonly why: string }[];
}

export interface CatalogEntity {
  readonly entity: string;
  readonly description: string;
  readonly capabilities: readonly {
    readonly label: string;
    readonly kind: string;
    readonly description: string;
  }[];
  readonly relations: readonly {
    readonly relation: string;
    readonly target: string;
    readonly cardinality: "one" | "many";
    readonly description: string;
  }[];
}

export interface CatalogDetail extends CatalogEntry {
  readonly entities: readonly CatalogEntity[];
  /** what it was made of, where that was kept */
  readonly origin?: {
    readonly source: string;
    readonly digest: string;
    readonly read_at: string;
    readonly operations: number;
    readonly reached: number;
    readonly left_out: readonly string[];
    readonly omitted: number;
  };
}

/** What may be done with a catalog by policy, and how its API answered otherwise than it says. */
export interface CatalogSettings {
  readonly entry_id: string;
  readonly capabilities: readonly {
    readonly capability: string;
    readonly kind: string;
    readonly access: AccessLevel;
    readonly rule: string;
  }[];
  readonly drift: {
    readonly since: string;
    readonly signs: readonly {
      readonly sign: string;
      readonly count: number;
      readonly last: string;
      readonly last_at: string;
    }[];
  };
}

export type AccessLevel = "read" | "effect" | "client" | "operator" | "forbidden";

/** How a tenant is served. */
export interface ServedTenant {
  readonly tenant: string;
  readonly policy: {
    readonly name: string;
    readonly force: boolean;
    readonly rules: Readonly<Record<string, unknown>>;
  };
  readonly catalogs: readonly (Readonly<Record<AccessLevel, number>> & {
    readonly entry_id: string;
  })[];
  readonly budgets: readonly {
    readonly name: string;
    readonly most: number;
    readonly from: "policy" | "server" | "default";
  }[];
  readonly quotas: readonly {
    readonly place: string;
    /** absent where the quota is not each caller's own */
    readonly caller?: string | null;
    readonly measure: string;
    readonly per: "minute" | "day";
    readonly most: number;
    readonly used: number;
    readonly ends_at: string;
  }[];
  readonly keys: readonly {
    readonly id: string;
    readonly subject: string;
    readonly role: string;
    readonly scopes: readonly string[] | null;
    readonly act_as: readonly string[];
    readonly created_at: string;
    readonly rotated_at: string | null;
    readonly expires_at: string | null;
    readonly is_expired: boolean;
    readonly last_used_at: string | null;
  }[];
  readonly notifications: readonly { readonly kind: "webhook" | "email"; readonly host: string }[];
}

/** Rows under the name that a program gives them. */
export interface ResultRows {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly row_count: number;
  readonly partial: string | null;
}

/** A program that is kept by name. */
export interface SavedProgram {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly list: boolean;
    readonly default: unknown;
  }[];
  readonly returns: readonly string[];
  /** what it changes, as catalog/capability */
  readonly effects: readonly string[];
  readonly catalogs: readonly string[];
  readonly shared: boolean;
  readonly owner: string | null;
  readonly own: boolean;
  readonly version: string;
  readonly saved_at: string;
}

/** One due time, and what became of it. */
export interface DueRun {
  readonly due_at: string;
  readonly late: boolean;
  readonly state:
    | "starting"
    | "waiting"
    | "started"
    | "succeeded"
    | "failed"
    | "cancelled"
    | "refused";
  readonly ended_at: string | null;
  readonly plan_commit_ref: string | null;
  /** by which an operator decides on its plan */
  readonly commit_uuid: string | null;
  readonly waits_until: string | null;
  readonly operation_uuid: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly rows: number | null;
  readonly effects_done: number | null;
  readonly in_doubt: number | null;
}

/** A saved program that runs at times. */
export interface Schedule {
  readonly schedule_uuid: string;
  readonly program: string;
  readonly version: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly cron: string;
  readonly zone: string;
  readonly paused: boolean;
  readonly owner: string | null;
  readonly own: boolean;
  readonly created_at: string;
  readonly next_at: string | null;
  /** why the next run would be refused, as far as is known */
  readonly problem: string | null;
  readonly current: DueRun | null;
  readonly runs: readonly DueRun[];
  readonly missed: readonly { readonly text: string }[];
  /** null where rows are not compared */
  readonly watch: {
    readonly key: readonly string[];
    readonly reading: number;
    readonly rows: number;
  } | null;
}

/** A row that a watch has found to be another than before. */
export interface WatchEvent {
  readonly id: string;
  readonly at: string;
  readonly reading: number;
  readonly kind: "appeared" | "changed" | "vanished";
  readonly key: Readonly<Record<string, unknown>>;
  readonly row: Readonly<Record<string, unknown>> | null;
  /** the row is too long to be here */
  readonly cut: boolean;
}
