import type { AgentClient, ProgramOptions, Seed } from "./agent-client.ts";
import { AgentFailure } from "./agent-failure.ts";

/**
 * What a call was answered: its text, and how it ended by the sign of its surface. `review` is exit
 * code 3, status 409 or `isError` with that code; `failed` any other error (OPS-10, SURF-6, SURF-22).
 */
export interface Told {
  readonly outcome: "done" | "review" | "failed";
  readonly text: string;
}

/** Arguments of both program calls that every surface has (OPS-34). */
export type TalkOptions = Pick<ProgramOptions, "plan_commit_ref" | "force">;

/**
 * One session, as whoever sits at a surface has it: the command line and foreign clients, too. Text is
 * all there is (SURF-5).
 */
export interface Talk {
  /** the tables it was opened with */
  readonly taught: string;
  plan(program: string, options?: TalkOptions): Promise<Told>;
  /** null is no program: the ref stands for it (OPS-3) */
  run(program: string | null, options?: TalkOptions): Promise<Told>;
  close(): Promise<void>;
}

export interface Opening {
  readonly intent: string;
  readonly seeds: readonly Seed[];
  readonly read_only?: boolean;
  readonly notation?: "symbols" | "names";
}

/** How an error of these codes ended. */
export const outcomeOf = (code: string): Told["outcome"] =>
  code === "plasm-review-required" ? "review" : "failed";

async function told(call: Promise<{ readonly text: string }>): Promise<Told> {
  try {
    return { outcome: "done", text: (await call).text };
  } catch (thrown) {
    if (!(thrown instanceof AgentFailure)) throw thrown;
    return { outcome: outcomeOf(thrown.problem.code), text: thrown.message };
  }
}

/** The talk of an agent on one session. */
export async function talkOfAgent(
  agent: AgentClient,
  opening: Opening,
  close: () => Promise<void>,
): Promise<Talk> {
  const { text, meta } = await agent.context(opening);
  const ref = meta.logical_session_ref;
  return {
    taught: text,
    plan: (program, options) => told(agent.plan(ref, program, options)),
    run: (program, options) => told(agent.run(ref, program, options)),
    close,
  };
}

/** The one ref that a text tells to run with. */
export function refIn({ text }: Told): string {
  const [, ref] = /plan_commit_ref=(pc\d+)$/m.exec(text) ?? [];
  if (ref === undefined) throw new Error(`No ref in:\n${text}`);
  return ref;
}
