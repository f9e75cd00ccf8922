import type { JsonObject } from "@plasm/core";

/** The error object of every surface (SURF-18), as far as tests read it. */
export interface ProblemMeta {
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly reason?: string;
  readonly errors: readonly {
    readonly code: string;
    readonly message: string;
    readonly correction: string;
    readonly suggested_program: string | null;
    readonly span: { readonly line: number; readonly column: number } | null;
  }[];
}

/** A call that was answered with an error: its text, its error object, and the rest of its meta. */
export class AgentFailure extends Error {
  override readonly name = "AgentFailure";
  readonly problem: ProblemMeta;
  readonly meta: JsonObject;

  constructor(text: string, problem: ProblemMeta, meta: JsonObject) {
    super(text);
    this.problem = problem;
    this.meta = meta;
  }
}

/** The failure a call must end with; an answer is a failed expectation. */
export async function failureOf(call: Promise<unknown>): Promise<AgentFailure> {
  const outcome = await call.then(
    (answer) => ({ answer }),
    (thrown: unknown) => ({ thrown }),
  );
  if ("answer" in outcome) {
    throw new Error(`An error was expected, this came: ${JSON.stringify(outcome.answer)}`);
  }
  if (outcome.thrown instanceof AgentFailure) return outcome.thrown;
  throw outcome.thrown;
}
