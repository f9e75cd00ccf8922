import { LOCAL, NOBODY, type Caller, type GraftSettings } from "@plasm/agent-core";
import { authModeFromEnv, issuersFromEnv } from "./auth-from-env.ts";
import { boundsFromEnv } from "./bounds-from-env.ts";
import { budgetsFromEnv } from "./budgets-from-env.ts";
import { graftRemarks, graftsFromEnv } from "./grafts-from-env.ts";
import { rowLimitsFromEnv } from "./row-limits-from-env.ts";
import { secretsFromEnv, type AuthSettings } from "./host-auth.ts";
import type { HostOptions } from "./host-options.ts";
import { operationLimitsFromEnv } from "./operation-limits-from-env.ts";
import { originsFromEnv } from "./origins-from-env.ts";
import { retentionFromEnv } from "./retention-from-env.ts";
import { switchFromEnv } from "./switch-from-env.ts";
import { collectorOf, sendsTraceparent } from "./telemetry.ts";

/** What the environment decides, and what there is to say of it. */
export interface HostSettings {
  readonly tasks: boolean;
  readonly structured: boolean;
  readonly propagateTraces: boolean;
  readonly budgets: ReturnType<typeof budgetsFromEnv>;
  readonly rows: ReturnType<typeof rowLimitsFromEnv>;
  readonly operations: ReturnType<typeof operationLimitsFromEnv>;
  readonly retention: ReturnType<typeof retentionFromEnv>;
  readonly bounds: ReturnType<typeof boundsFromEnv>;
  readonly grafts: GraftSettings;
  readonly origins: ReturnType<typeof originsFromEnv>;
  /** names that Host and Origin may have, as the origins have them */
  readonly hostnames: readonly string[];
  readonly secrets: ReturnType<typeof secretsFromEnv>;
  readonly auth: AuthSettings & { readonly local: Caller };
  /** lines on settings that do nothing */
  readonly remarks: readonly string[];
}

/** Reads the environment before anything is opened. Throws HostStartError. */
export function settingsOf({ env, auth, strict = false }: HostOptions): HostSettings {
  const origins = originsFromEnv(env);
  collectorOf(env);
  return {
    tasks: switchFromEnv(env, "PLASM_MCP_TASKS"),
    structured: switchFromEnv(env, "PLASM_MCP_STRUCTURED_CONTENT"),
    propagateTraces: sendsTraceparent(env),
    budgets: budgetsFromEnv(env),
    rows: rowLimitsFromEnv(env),
    operations: operationLimitsFromEnv(env),
    retention: retentionFromEnv(env),
    bounds: boundsFromEnv(env),
    grafts: graftsFromEnv(env),
    origins,
    hostnames: Object.values(origins).map((origin: string) => new URL(origin).hostname),
    secrets: secretsFromEnv(env, strict),
    auth: {
      mode: authModeFromEnv(env, auth?.mode),
      issuers: issuersFromEnv(env),
      local: auth?.open === true ? NOBODY : LOCAL,
    },
    remarks: graftRemarks(env),
  };
}
