import type {
  ApprovalView,
  SavedProgramRow,
  ScheduledRunView,
  ScheduleView,
  TraceTotals,
  WatchEventView,
} from "@plasm/agent-core";
import type {
  AuditLine,
  AuditPage,
  OperationRow,
  RegistryEntryView,
  RegistryRow,
  WaitingPage,
} from "@plasm/agent-core/internal";

/**
 * What the API answers with, as far as the pages show it: types of the engine's own answers (docs/adr/0195), and what pages
 * read of the members that these give as plain JSON.
 */

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

/** The members that are JSON by their type, as plans and explanations write them. */
interface ApprovalData {
  readonly effects: readonly EffectView[];
  /** catalog → the account that is used */
  readonly accounts: Readonly<Record<string, string>>;
  readonly bill: { readonly requests: BillFigure; readonly rows: BillFigure } | null;
  readonly explained: {
    readonly at: string;
    readonly effects: readonly ExplainedView[];
    readonly omitted: number;
  } | null;
}

export type Approval = Omit<ApprovalView, keyof ApprovalData> & ApprovalData;

export type ApprovalPage = Omit<WaitingPage, "approvals"> & {
  readonly approvals: readonly Approval[];
};

export type LogLine = AuditLine;

export type LogPage = AuditPage;

/** An operation as lists of many sessions show it. */
export type LongRun = Omit<OperationRow, "handle" | "commit">;

/** What a session had of everything, also of what is not kept any more. */
export type SessionTotals = Omit<TraceTotals, "failed_nodes">;

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

export type CatalogEntry = Omit<RegistryRow, "entities" | "aliases" | "credentials_needed">;

export type CatalogEntity = RegistryEntryView["entities"][number];

export type CatalogDetail = CatalogEntry & Pick<RegistryEntryView, "entities" | "origin">;

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
export type SavedProgram = SavedProgramRow;

/** One due time, and what became of it. */
export type DueRun = ScheduledRunView;

/** A saved program that runs at times. */
export type Schedule = Omit<ScheduleView, "watch" | "missed"> & {
  readonly missed: readonly Pick<ScheduleView["missed"][number], "text">[];
  /** null where rows are not compared */
  readonly watch: Pick<NonNullable<ScheduleView["watch"]>, "key" | "reading" | "rows"> | null;
};

/** A row that a watch has found to be another than before. */
export type WatchEvent = WatchEventView;
