import type { TraceFact } from "../../../../packages/agent-core/src/records/trace-record.ts";

/** Facts of one trace, noted at once. */
export interface Noted {
  readonly owner: string;
  readonly fact: TraceFact;
  readonly times: number;
}

/** What a writer is asked for; it says when that is done. */
export interface WriterQuestion {
  readonly noted: Noted | null;
  /** whether it writes now what it has; by itself it does so a little later */
  readonly write: boolean;
  /** at which step of its next transactions it dies: before each, before each of its calls, after each */
  readonly dieAt: number | null;
}

/** Where the trace of an owner is. */
export const placeOf = (owner: string) =>
  ({ scope: "anonymous", owner, kind: "execute", subject: null }) as const;
