import type { Plugin, Transport } from "@plasm/runtime";
import type { RecordingChoice } from "./host-recording.ts";

/** What a host is opened with. */
export interface HostOptions {
  /** directory of credentials and, without `PLASM_DATABASE_URL`, of the store; made if missing */
  readonly dataDir: string;
  /** absolute paths, each of a catalog or of a directory of catalogs */
  readonly catalogs: readonly string[];
  /**
   * where secrets, the store, backends, budgets and origins are looked up: `PLASM_DATABASE_URL`,
   * `PLASM_BACKEND_<ENTRY_ID>`, `PLASM_BUDGET_<NAME>`, `PLASM_OPERATIONS_PER_<SESSION or TENANT>`,
   * `PLASM_RETENTION_<NAME>`, `PLASM_DATA_LIMIT`, `PLASM_TENANT_BYTES`, `PLASM_SEND_TRACEPARENT`, `OTEL_<NAME>`, `PLASM_GRAFT_URL`, `PLASM_PROFILE`, `PLASM_UI_ORIGIN`, `PLASM_TRANSPORT_ORIGIN`, `PLASM_AUTH`, `PLASM_JWT_<…>`, `PLASM_CREDENTIALS`, and
   * what catalogs name
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** functions that catalogs call by name; those that come with Plasm if not given (RUN-105) */
  readonly plugins?: readonly Plugin[];
  /** file of the policies of tenants; all is allowed without one (SURF-25) */
  readonly policyFile?: string;
  /**
   * whether callers prove who they are, before `PLASM_AUTH`; `open`: where they need not, they are nobody in
   * particular, since other machines may call (SESS-8)
   */
  readonly auth?: { readonly mode?: string | undefined; readonly open?: boolean };
  /** no `force`, and the credentials of users, whatever else says otherwise; what says so stops the start */
  readonly strict?: boolean;
  /** what to record or replay; all calls are live without it (RUN-161) */
  readonly recording?: RecordingChoice;
  /** what stands before the network, and may answer in its place; a recording stands before it */
  readonly transport?: (network: Transport) => Transport;
  /** what an operator should know of: defects with their id, refused snapshots */
  readonly warn?: (what: string, cause: unknown) => void;
}
