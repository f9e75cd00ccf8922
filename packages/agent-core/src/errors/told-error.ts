import type { RunError, RunErrorCode } from "@plasm/runtime";

/**
 * Codes of a run's error as it is told: the runtime's; `cancelled` for a run that its caller or the
 * server's end stopped (OPS-11), `interrupted` for one whose process died (OPS-32).
 */
export type ToldErrorCode = RunErrorCode | "cancelled" | "interrupted" | "set_aside";

export interface ToldError extends Omit<RunError, "code"> {
  readonly code: ToldErrorCode;
}
