import type { Step } from "./operation-record.ts";

/** What those who ask for an operation were told last (OPS-19). */
export interface PollRecord {
  readonly event: number;
  readonly step: Pick<Step, "k" | "rows">;
}
