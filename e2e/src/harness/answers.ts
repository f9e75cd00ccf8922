import type { Json, JsonObject } from "@plasm/core";

/** `_meta.plasm` of a context answer (SURF-7), as far as tests read it. */
export interface ContextMeta {
  readonly logical_session_id: string;
  readonly logical_session_ref: string;
  readonly execute_binding: { readonly prompt_hash: string; readonly session_id: string };
  readonly reused: boolean;
  readonly notation: string;
  readonly read_only?: true;
  readonly domain_revision: number;
  /** what seeds mean that name no catalog */
  readonly resolved_seeds?: readonly {
    readonly seed: string;
    readonly api: string;
    readonly entity: string;
  }[];
  readonly catalog_entry_ids: readonly string[];
  readonly continuity: {
    readonly stale_binding_recovered: boolean;
    readonly new_symbol_space: boolean;
    readonly discard_cached_plasm_symbols?: true;
  };
  readonly waves: readonly {
    readonly n: number;
    readonly mode: "open" | "expand" | "federate";
    readonly entry_id: string;
    readonly entities: readonly string[];
  }[];
}

/** A node of a plan, as a dry run shows it (PLAN section 2). */
export interface PlanNodeMeta {
  readonly id: string;
  readonly kind: string;
  readonly catalog?: { readonly entry_id: string; readonly entity: string };
  readonly capability?: string;
  readonly args?: JsonObject;
  readonly key?: JsonObject;
  readonly anchor?: JsonObject;
  readonly filter?: Json;
  readonly limit?: number | null;
  readonly source?: string;
  readonly result: { readonly card: string; readonly entity: string | null };
}

/** What a dry run and a blocked run say of a plan (PLAN-041, OPS-10). */
export interface ReviewMeta {
  readonly plan_commit_ref: string;
  readonly plan_commit_expires_at: string;
  readonly dry_verdict: "ok" | "review";
  readonly dry_review: {
    readonly expensive: boolean;
    readonly reasons: readonly { readonly code: string; readonly severity: string }[];
  };
}

/** `_meta.plasm` of a dry run (PLAN-041). */
export interface PlanMeta extends ReviewMeta {
  readonly dry_run: true;
  readonly plan: {
    readonly commit: string;
    readonly nodes: readonly PlanNodeMeta[];
    readonly returns: readonly { readonly label: string; readonly node: string }[];
    readonly bill: JsonObject;
  };
  readonly unused_seeds: readonly string[];
}

/** `_meta.plasm` of a live run (SURF-9). */
export interface RunMeta {
  readonly dry_run: false;
  readonly commit: string;
  readonly steps: readonly {
    readonly return_label: string;
    readonly n: number;
    readonly run_id: string;
    readonly artifact_uri: string;
    readonly content_sha256: string;
    readonly row_count: number;
    readonly shown: number;
    readonly clipped: readonly string[];
    readonly partial: string | null;
    readonly rest?: string;
  }[];
  readonly paging: readonly { readonly return_label: string; readonly next_page_handle: string }[];
  readonly plan_commit_ref: string;
  readonly effects: readonly JsonObject[];
  readonly budget: { readonly requests: number };
  readonly diagnostics: readonly JsonObject[];
}

/** Text that suffices for a model, and what programs read beside it (SURF-5). */
export interface AgentAnswer<Meta> {
  readonly text: string;
  readonly meta: Meta;
}

/** A result with all its rows, by wire name. */
export interface ResultRows {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
}

export interface AgentRun extends AgentAnswer<RunMeta> {
  readonly results: readonly ResultRows[];
}
