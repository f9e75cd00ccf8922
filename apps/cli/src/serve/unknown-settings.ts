import { nearestName } from "@plasm/core";
import type { Environment } from "../cli-context.ts";

/** Beginnings of names whose rest is a catalog's or an issuer's. */
const FAMILIES = ["PLASM_BACKEND_", "PLASM_OAUTH_", "PLASM_JWT_"] as const;

/** What `plasm` and what stands beside it reads; those of one program may be set for all. */
export const SETTINGS: readonly string[] = [
  "PLASM_ADMIN_KEY",
  "PLASM_API_KEY",
  "PLASM_AUTH",
  "PLASM_BUDGET_BYTES",
  "PLASM_BUDGET_FAN_OUT",
  "PLASM_BUDGET_PAGES",
  "PLASM_BUDGET_REQUESTS",
  "PLASM_BUDGET_ROWS",
  "PLASM_BUDGET_WALL",
  "PLASM_BUDGET_WORK",
  "PLASM_CATALOG_ENV",
  "PLASM_COMPUTED_BYTES",
  "PLASM_COMPUTED_CELLS",
  "PLASM_CREDENTIALS",
  "PLASM_DATA",
  "PLASM_DATA_LIMIT",
  "PLASM_DATABASE_PASSWORD",
  "PLASM_DATABASE_URL",
  "PLASM_GRAFT_URL",
  "PLASM_LOG",
  "PLASM_MCP_STRUCTURED_CONTENT",
  "PLASM_MCP_TASKS",
  "PLASM_OPERATIONS_PER_SESSION",
  "PLASM_OPERATIONS_PER_TENANT",
  "PLASM_OPERATOR_KEY",
  "PLASM_POLICY",
  "PLASM_PROFILE",
  "PLASM_RESULT_BYTES",
  "PLASM_RETENTION_OPERATIONS",
  "PLASM_RETENTION_SESSIONS",
  "PLASM_RETENTION_SNAPSHOTS",
  "PLASM_RETENTION_TRACES",
  "PLASM_ROWS_MEMORY",
  "PLASM_ROWS_MEMORY_PER_RUN",
  "PLASM_ROWS_MEMORY_PER_TENANT",
  "PLASM_SEND_TRACEPARENT",
  "PLASM_TENANT_BYTES",
  "PLASM_TRANSPORT_ORIGIN",
  "PLASM_UI_ORIGIN",
  "PLASM_WORKSPACE",
];

const isKnown = (name: string): boolean =>
  SETTINGS.includes(name) || FAMILIES.some((beginning) => name.startsWith(beginning));

/** A remark on each variable that looks like a setting and is none: a limit that is misspelt would hold nothing. */
export function unknownSettings(env: Environment): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith("PLASM_") && env[name] !== undefined && !isKnown(name))
    .toSorted()
    .map((name) => {
      const nearest = nearestName(name, SETTINGS);
      const meant = nearest === null ? "" : `; did you mean ${nearest}?`;
      return `${name} is no setting of plasm, and does nothing${meant}`;
    });
}
