import type { Plugin, RecordingMode, Transport } from "@plasm/runtime";
import type { Environment } from "./environment.ts";

/** What a host records or replays (RUN-161). */
export interface RecordingChoice {
  readonly mode: RecordingMode;
  readonly directory: string;
  /** hybrid: send effects that are not recorded */
  readonly allowEffects: boolean;
}

/** What a host is opened with. */
export interface HostOptions {
  /** directory of credentials and, without `PLASM_DATABASE_URL`, of the store; made if missing */
  readonly dataDir: string;
  /** absolute paths, each of a catalog or of a directory of catalogs */
  readonly catalogs: readonly string[];
  /** where settings are looked up (docs/settings.md), and the variables that catalogs name */
  readonly env: Environment;
  /** functions that catalogs call by name; none if not given (RUN-105) */
  readonly plugins?: readonly Plugin[];
  /** file of the policies of tenants; without one everything is allowed (SURF-25) */
  readonly policyFile?: string;
  /**
   * whether callers prove who they are, before `PLASM_AUTH`; `open`: where they need not, they are nobody in
   * particular, since other machines may call (SESS-8)
   */
  readonly auth?: { readonly mode?: string | undefined; readonly open?: boolean };
  /** no `force`, and only the credentials of users; a setting that contradicts it stops the start */
  readonly strict?: boolean;
  /** what to record or replay; all calls are live without it (RUN-161) */
  readonly recording?: RecordingChoice;
  /** where the files of the console are; no page is served without it (SURF-31) */
  readonly consoleDirectory?: string;
  /** wraps the network and may answer in its place; a recording wraps it in turn */
  readonly transport?: (network: Transport) => Transport;
  /** reports what an operator should know: defects with their id, refused snapshots */
  readonly warn?: (what: string, cause: unknown) => void;
}
