import type { Json, JsonObject, Notation, ReadBudget, Reason } from "@plasm/core";
import type { BudgetUse, EffectEntry, NodeOutcome, ExplainedEffect } from "@plasm/runtime";

/**
 * What answers say to programs, as every surface sends it under `_meta.plasm` and as stored answers hold it. These are
 * types, not interfaces, so that each of them is JSON as it stands.
 */

/** A wave of symbols that an answer carries (SURF-7). */
export type WaveMeta = {
  readonly n: number;
  readonly mode: string;
  readonly entry_id: string;
  readonly digest: string;
  readonly entities: readonly string[];
  /** the saved program that it teaches, in the place of entities (SAV-12) */
  readonly program?: { readonly name: string; readonly version: string };
  readonly e: readonly number[];
  readonly m: readonly number[] | null;
  readonly p: readonly number[] | null;
  readonly parts: readonly string[];
  readonly tokens: number;
  readonly untaught: readonly JsonObject[];
  readonly cut?: readonly JsonObject[];
};

/** SESS-24's flags. */
export type Continuity = {
  readonly stale_binding_recovered: boolean;
  readonly new_symbol_space: boolean;
  readonly discard_cached_plasm_symbols?: true;
  readonly previous_execute?: { readonly prompt_hash: string; readonly session_id: string };
  readonly reason?: string;
};

/** How many grafts there are, how many the section lists, its code points (GRAFT-15). */
export type GraftsMeta = {
  readonly count: number;
  readonly indexed?: number;
  readonly hidden?: number;
  readonly chars?: number;
  readonly revision?: number;
  /** why grafts could not be read or written (GRAFT-14) */
  readonly error?: string;
};

/** `_meta.plasm` of an answer that opens or extends a session (SURF-7, SESS-24). */
export type ContextMeta = {
  readonly logical_session_id: string | null;
  readonly logical_session_ref: string | null;
  readonly execute_binding: { readonly prompt_hash: string; readonly session_id: string };
  readonly reused: boolean;
  readonly notation: Notation;
  readonly read_only?: true;
  readonly domain_revision: number;
  /** the mark of the tables so far, for hosts that keep marks (SESS-41) */
  readonly tables?: string;
  readonly resolved_seeds?: readonly {
    readonly seed: string;
    readonly api: string;
    readonly entity: string;
  }[];
  /** what the goal alone was taught, and what else was near (TEACH-47) */
  readonly chosen_seeds?: readonly { readonly api: string; readonly entity: string }[];
  readonly other_seeds?: readonly { readonly api: string; readonly entity: string }[];
  readonly catalog_entry_ids: readonly string[];
  readonly continuity: Continuity;
  readonly waves: readonly WaveMeta[];
  readonly grafts: GraftsMeta;
};

/** Data of interfaces as the JSON that it is: an interface has no index signature, a type has. */
type JsonOf<T> = T extends object ? { readonly [K in keyof T]: JsonOf<T[K]> } : T;

/** What a dry run says of a plan (SURF-8). */
export type DryRunMeta = {
  readonly dry_run: true;
  readonly plan_commit_ref: string;
  readonly plan_commit_expires_at: string;
  readonly dry_verdict: "ok" | "review";
  readonly dry_review: {
    readonly expensive: boolean;
    readonly reasons: readonly JsonOf<Reason>[];
    /** where it stops when it runs without its ref (PLAN-054); left out where it does not */
    readonly stops_at?: JsonOf<ReadBudget>;
  };
  /** the plan with its hash and bill */
  readonly plan: JsonObject;
  readonly unused_seeds: readonly string[];
};

/** The members that one kind of answer has and another lacks, so that they can be asked for before the kind is known. */
type Absent<Own, Other> = { readonly [K in Exclude<keyof Other, keyof Own>]?: never };

type HandleFacts = { readonly dry_run: true; readonly dry_verdict: "ok" };

/** What a dry run says of a continuation: its handle is good. */
export type HandleMeta = HandleFacts & Absent<HandleFacts, DryRunMeta>;

/** A result of an answer: where its rows are kept, and what of them its text shows (SURF-9). */
export type StepMeta = {
  readonly return_label: string;
  readonly n: number | null;
  readonly run_id: string | null;
  readonly artifact_uri: string | null;
  readonly content_sha256: string | null;
  readonly row_count: number;
  readonly shown: number;
  readonly clipped: readonly string[];
  readonly partial: string | null;
  /** why it is partial, and what was lost of its answers, where there is more to say than the code of a budget */
  readonly lacking?: string;
  /** the handle of the rows that the text leaves out */
  readonly rest?: string;
  /** the snapshot whose place it takes */
  readonly replaces?: string;
};

/** A result that goes on upstream. */
export type PagingMeta = {
  readonly return_label: string;
  readonly next_page_handle: string;
  readonly has_more: true;
};

/** One effect of a run, in order (PLAN-041, PLAN-073). */
export type EffectMeta = {
  readonly seq: number;
  readonly node: string;
  readonly row: number | null;
  readonly catalog: string;
  readonly capability: string;
  readonly target: string | null;
  readonly args: JsonObject;
  readonly idempotency_key: string | null;
  readonly status: EffectEntry["status"];
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly http_status: number | null;
  readonly result: Json;
  /** `correction` says what to look at where the effect is in doubt */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly correction: string;
  } | null;
};

/** How a node of the plan ended. */
export type NodeMeta = {
  readonly id: string;
  readonly status: NodeOutcome["status"];
  readonly partial: NodeOutcome["partial"];
  readonly reason: string | null;
  readonly rows: number;
};

/** What a run used of its budgets; of its work where that is worth a thought. */
export type BudgetMeta = Omit<{ readonly [K in keyof BudgetUse]: number }, "work"> & {
  readonly work?: number;
};

/** An effect that a run would send, with what it needs (OPS-38); a change without `before` was not read. */
export type ExplainedMeta = {
  readonly node: string;
  readonly row: number | null;
  readonly catalog: string;
  readonly entity: string;
  readonly capability: string;
  readonly kind: ExplainedEffect["kind"];
  readonly target: string | null;
  readonly args: JsonObject;
  readonly changes: readonly {
    readonly field: string;
    readonly before?: Json;
    readonly after: Json;
    /** of long texts, of which `before` and `after` are parts: where they differ first, and how long they are */
    readonly part?: { readonly at: number; readonly before: number; readonly after: number };
  }[];
  readonly preconditions?: readonly {
    readonly needs: string;
    readonly of: string | null;
    readonly field: string;
    readonly has?: Json;
    readonly holds: boolean | null;
  }[];
  readonly error: EffectMeta["error"];
  readonly behind: string | null;
};

/** OPS-18: accepted, news, no news, succeeded, cancelled, failed. */
export type StatusSignal = "+" | "~" | "=" | "!" | "x" | "?";

/** `_meta.plasm.op` (OPS-21): members that are not known are left out. */
export type StatusMeta = {
  /** number of the event */
  readonly n: number;
  readonly "~": StatusSignal;
  /** `k/of` */
  readonly s?: string;
  readonly l?: string;
  readonly r?: number;
};

/** What a live run did, as far as an answer knows (SURF-9). */
export type RunMeta = {
  readonly dry_run: false;
  readonly commit: string;
  readonly steps: readonly StepMeta[];
  readonly paging: readonly PagingMeta[];
  readonly dry_verdict?: never;
  /** the rest is of a whole run: a page has none of it */
  readonly plan_commit_ref?: string;
  readonly effects?: readonly EffectMeta[];
  readonly nodes?: readonly NodeMeta[];
  readonly budget?: BudgetMeta;
  /** the budget that cut it short, since nobody had reviewed what it reads (PLAN-054) */
  readonly stopped_at?: JsonOf<ReadBudget>;
  readonly diagnostics?: readonly JsonObject[];
  readonly note?: string;
  /** of an operation: the block of its end (OPS-15) */
  readonly op?: StatusMeta;
};

/** What an explanation says: the plan, and what its effects would send (OPS-38). */
export type ExplanationMeta = DryRunMeta & {
  readonly explained: readonly ExplainedMeta[];
  /** what was explained, where only its ref was named */
  readonly program?: string;
  readonly steps: readonly StepMeta[];
  readonly paging: readonly PagingMeta[];
  readonly budget: BudgetMeta;
};

type AcceptedFacts = {
  readonly plan_commit_ref: string;
  readonly dry_verdict: "ok" | "review";
  readonly op: StatusMeta;
  readonly note?: string;
};

/** What the acceptance of an operation says (OPS-13). */
export type AcceptedMeta = AcceptedFacts & Absent<AcceptedFacts, RunMeta>;

type OperationFacts = {
  readonly dry_run: false;
  readonly op: StatusMeta;
  readonly note?: string;
};

/** What those are told who ask how an operation stands (OPS-21). */
export type OperationMeta = OperationFacts & Absent<OperationFacts, RunMeta>;

/** What a search for seeds found (TEACH-36). */
export type DiscoveryMeta = {
  readonly options: readonly JsonObject[];
  readonly omitted: number;
  /** what the text tells by name alone, `{api, entity}` each (TEACH-59, TEACH-60) */
  readonly others?: readonly JsonObject[];
  /** what else the catalogs have that were named (TEACH-62) */
  readonly further?: readonly JsonObject[];
  /** catalogs of which nothing stands here (TEACH-63) */
  readonly elsewhere?: readonly string[];
};

/** The part of a graft that was fetched (GRAFT-11). */
export type FetchedGraftMeta = {
  readonly logical_session_ref: string;
  readonly graft: {
    readonly graft_id: string;
    readonly revision: number;
    readonly sha256: string;
    readonly bytes: number;
    /** code points before the next part; null where this one ends the text */
    readonly next_offset: number | null;
  };
};

/** What a problem says besides its text: what of a run's or a plan's meta it has, and why it is one. */
export type ProblemMeta = {
  readonly error?: {
    readonly code: string;
    /** why a ref does not let a plan run, or a handle names nothing */
    readonly reason?: string;
    /** how the ref stands with operators */
    readonly state?: string;
    /** the scopes that a token would need, as one text */
    readonly scope?: string;
  };
  readonly approval?: {
    readonly commit_uuid: string;
    readonly state: string;
    readonly path: string;
  };
  /** why a session is lost */
  readonly reason?: string;
  readonly explained?: readonly ExplainedMeta[];
  readonly dry_run?: boolean;
} & Partial<Omit<RunMeta, "dry_run" | "dry_verdict">> &
  Partial<
    Pick<
      DryRunMeta,
      "plan_commit_expires_at" | "dry_verdict" | "dry_review" | "plan" | "unused_seeds"
    >
  >;
