import type { RunCode } from "@plasm/core";
import { DATA_ERRORS } from "./data-errors.ts";
import type { RunErrorExample } from "./run-error-example.ts";
import { UPSTREAM_ERRORS } from "./upstream-errors.ts";

/** Run codes that nothing causes yet: recordings (RUN-161), and runs that outlive a catalog (OPS-32). */
export const WITHOUT_CAUSE = [
  "replay_miss",
  "catalog_changed",
] as const satisfies readonly RunCode[];

type CausedCode = Exclude<RunCode, (typeof WITHOUT_CAUSE)[number]>;

/** Every run code that something causes, with runs that end in it. */
export const RUN_ERRORS: Readonly<Record<CausedCode, readonly RunErrorExample[]>> = {
  ...DATA_ERRORS,
  ...UPSTREAM_ERRORS,
};
