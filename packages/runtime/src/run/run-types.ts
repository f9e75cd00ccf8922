import type {
  BudgetName,
  Capability,
  Catalog,
  CatalogSet,
  EntityKey,
  Json,
  JsonObject,
  PlanBody,
} from "@plasm/core";
import type { KeptName } from "@plasm/core/internal";
import type { EarlierAttempt, EffectEntry, EffectLog } from "../effects/effect-log.ts";
import type { TenantHosts } from "../limits/gate.ts";
import type { FileRules, Limits } from "../limits/limits.ts";
import type { RunMemory } from "../limits/row-memory.ts";
import type { ArtifactStore, CredentialScope, Ports, RunObserver, SentRequest } from "../ports.ts";
import type { PartialReason, RunDiagnostic, RunAnswers } from "../base/diagnostic.ts";
import type { ExecuteSessionName } from "../request/engine-names.ts";
import type { SpillPlace } from "../rows/shelf.ts";
import type { ColumnPresentation } from "./column-presentation.ts";
import type { RunError } from "../base/run-failure.ts";
import type { SessionOrigins } from "../views/view-scope.ts";

/** How a message speaks of a node: by its label or id, and the expression that label stands for, if known. */
export interface NodeName {
  readonly name: string;
  readonly text: string | null;
}

/** What readers of transports have asked an endpoint once, by its address. */
export interface EndpointFacts {
  get(endpoint: string): Promise<string> | undefined;
  set(endpoint: string, fact: Promise<string>): unknown;
  delete(endpoint: string): unknown;
}

/** What a run and a continuation have in common. */
export interface RunContext {
  readonly catalogs: CatalogSet;
  /** whether a get that the plan does not name may complete rows (SURF-25); without it all may */
  readonly mayRead?: (catalog: Catalog, capability: Capability) => boolean;
  /** entry id → backend URL set by the deployment (RUN-004) */
  readonly backends: ReadonlyMap<string, string>;
  readonly ports: Ports;
  readonly limits: Limits;
  /** what its rows take, shared with other runs; whoever opened it closes it when nothing of the run is left */
  readonly memory?: RunMemory;
  /** where its rows go that do not stay in memory; they all do without it */
  readonly spill?: SpillPlace;
  readonly credentials: CredentialScope;
  /** what the tenant's runs in this process share of hosts (RUN-022, RUN-025); the run's own without it */
  readonly hosts?: TenantHosts;
  /** entry id → names that its templates see besides (RUN-015); their values are secret */
  readonly sessionVariables?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** told of variables that response hooks set, for the runs to come (RUN-105) */
  readonly keepVariables?: (entryId: string, values: Readonly<Record<string, string>>) => void;
  /** the run's one clock reading (PLAN-063), milliseconds since the epoch */
  readonly startedAt: number;
  readonly runId: string;
  /** where the session is, for catalogs whose views take it (RUN-100) */
  readonly origins?: SessionOrigins;
  /** what the session knows of its endpoints, as of a node's chain; runs of one session share it (MAP-053) */
  readonly endpoints?: EndpointFacts;
  /** the execute session, for templates that name it (RUN-014) */
  readonly session?: ExecuteSessionName;
  /** values of earlier answers of the session, which programs pass on (LANG-057); there are none without it */
  readonly kept?: KeptValues;
  /** where large files of the session go; without it they stay in their rows (RUN-038) */
  readonly artifacts?: ArtifactStore;
  /** what its files may be; VAL-05's limits without it */
  readonly files?: FileRules;
  readonly signal?: AbortSignal;
  readonly onProgress?: (event: ProgressEvent) => void;
  /** told of its nodes and requests, for traces */
  readonly observer?: RunObserver;
  /** how the program names a node, for messages; by its id without */
  readonly nameOf?: (node: string) => NodeName;
  /** for the host's log: what an `internal` error was */
  readonly onDefect?: (error: unknown) => void;
}

/** Gives a value of an earlier answer, or says why there is none: that of somebody else is none (LANG-057). */
export type KeptValues = (
  name: KeptName,
) => Promise<{ readonly value: Json } | { readonly problem: string; readonly fix: string }>;

/** A plan to run, and what the run needs. */
export interface RunRequest extends RunContext {
  readonly plan: PlanBody;
  /** where effects are written down; required by a plan that has any (OPS-28) */
  readonly effectLog?: EffectLog;
  /** goes on where an earlier attempt at this plan stopped: its effects are not sent again (OPS-32) */
  readonly earlier?: EarlierAttempt;
}

/**
 * What a host may follow a run by. `node_read` says that a node gave all that the run needs of it for
 * now, though more may come; `rows_read` how many rows it has.
 */
export type ProgressEvent =
  | { readonly kind: "node_started"; readonly node: string }
  | { readonly kind: "rows_read"; readonly node: string; readonly rows: number }
  | { readonly kind: "node_read"; readonly node: string; readonly rows: number }
  | {
      readonly kind: "node_ended";
      readonly node: string;
      readonly status: NodeStatus;
      readonly rows: number;
    }
  | { readonly kind: "request_sent"; readonly node: string; readonly requests: number };

/** How a node of a plan ended. */
export type NodeStatus = "done" | "failed" | "skipped";

/** How one node ended (PLAN-070). `reason` says why it was skipped or failed. */
export interface NodeOutcome {
  readonly id: string;
  readonly status: NodeStatus;
  readonly partial: PartialReason | null;
  readonly reason: string | null;
  readonly error: RunError | null;
  readonly rows: number;
}

/** A row of a result, with the identity that later calls may name. */
export interface ResultRow {
  /** `Entity:id` (RUN-046), or null for a row without identity */
  readonly ref: string | null;
  readonly values: JsonObject;
}

/** One returned result, in the order of the plan's returns. */
export interface RunResult {
  readonly label: string;
  readonly node: string;
  readonly entity: EntityKey | null;
  /** wire names, with types as the teaching table writes them (TEACH-21) */
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly rows: readonly ResultRow[];
  /** columns left out because no row has loaded them */
  readonly notLoaded: readonly string[];
  /** columns that an agent is not shown as they are (RUN-038) */
  readonly presented: readonly ColumnPresentation[];
  readonly partial: PartialReason | null;
  /** present while rows remain; holds no credential */
  readonly cursor: Cursor | null;
  readonly diagnostics: readonly RunDiagnostic[];
}

/** What a run used of its budgets; retries count (PLAN-050). */
export interface BudgetUse {
  readonly requests: number;
  readonly rows: number;
  readonly pages: number;
  readonly bytes: number;
  /** units of local work */
  readonly work: number;
}

/** How a run ended: nodes, results, remarks, and what it used of its budgets. */
export interface RunOutcome {
  readonly status: "succeeded" | "failed";
  /** what stopped the run before its end, if anything did */
  readonly stopped: BudgetName | "cancelled" | null;
  readonly nodes: readonly NodeOutcome[];
  readonly results: readonly RunResult[];
  readonly diagnostics: readonly RunDiagnostic[];
  /** what was odd about the answers of each capability, which operators are told (OPS-66) */
  readonly answers: readonly RunAnswers[];
  readonly budget: BudgetUse;
  readonly requests: readonly SentRequest[];
  /** every effect attempted, and those known not to have started, in order (PLAN-072) */
  readonly effects: readonly EffectEntry[];
}

/**
 * Where a result goes on (PLAN-080 to PLAN-082, RUN-076). Plain JSON: the part of the plan it
 * needs, page states, leftover rows and digests; no credential. Only this package reads `state`.
 */
export interface Cursor {
  readonly version: 1;
  readonly kind: "row" | "whole";
  readonly label: string;
  readonly node: string;
  /** entry id → effective digest, of the catalogs its rows are read from */
  readonly digests: Readonly<Record<string, string>>;
  /** how many effects of its program came before the first of its reads (PLAN-004) */
  readonly stage: number;
  readonly state: JsonObject;
}

/** A page that is asked for: a cursor, and what a run needs. */
export interface ContinueRequest extends RunContext {
  readonly cursor: Cursor;
  /**
   * whether the session performed an effect on one of the cursor's catalogs after its rows were
   * read: rows left over are then dropped and read again, a whole cursor starts over (PLAN-083)
   */
  readonly stale?: boolean;
  /** rows wanted of a row cursor, 1 to 1,000; default: the statement's page_size, else one upstream page */
  readonly limit?: number;
}

/** A continuation answers one result, or the error that left the cursor where it was (SESS-31). */
export type ContinueOutcome =
  | {
      readonly status: "succeeded";
      readonly result: RunResult;
      /** how many rows earlier pages held */
      readonly skipped: number;
      readonly budget: BudgetUse;
      readonly requests: readonly SentRequest[];
    }
  | {
      readonly status: "failed";
      readonly error: RunError;
      readonly budget: BudgetUse;
      readonly requests: readonly SentRequest[];
    };
