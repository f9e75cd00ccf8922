import { OPERATION_LIMITS, type OperationLimits } from "@plasm/agent-core";
import { HostStartError } from "./host-start-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

function readCount(env: Env, setting: string, otherwise: number): number {
  const text = env[setting]?.trim() ?? "";
  if (text === "") return otherwise;
  const value = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  if (value >= 1) return value;
  throw new HostStartError(
    `${setting}=${text} is no number of operations: a whole number from 1 to 999999 is.`,
  );
}

/**
 * How many operations may be unfinished at a time, where a deployment sets it (OPS-14):
 * `PLASM_OPERATIONS_PER_SESSION` and `PLASM_OPERATIONS_PER_TENANT`. Throws HostStartError for a value
 * that is no whole number of at least 1.
 */
export const operationLimitsFromEnv = (env: Env): OperationLimits => ({
  perSession: readCount(env, "PLASM_OPERATIONS_PER_SESSION", OPERATION_LIMITS.perSession),
  perTenant: readCount(env, "PLASM_OPERATIONS_PER_TENANT", OPERATION_LIMITS.perTenant),
});
