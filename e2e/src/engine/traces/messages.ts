import type { TraceFact } from "@plasm/agent-core";

/** A call of a session, as its trace tells of it. */
export type Call = TraceFact & { readonly type: "call" };

/** Facts of one trace, noted at once. */
export interface Noted {
  readonly owner: string;
  readonly fact: Call;
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
