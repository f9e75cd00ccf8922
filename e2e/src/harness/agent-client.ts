import type { AgentAnswer, AgentRun, ContextMeta, PlanMeta } from "./answers.ts";

export interface Seed {
  /** left out where one catalog alone has the entity */
  readonly api?: string;
  readonly entity: string;
}

export interface ContextArguments {
  readonly intent: string;
  readonly seeds: readonly Seed[];
  readonly replay?: boolean;
  readonly notation?: "symbols" | "names";
  readonly read_only?: boolean;
}

/** Arguments of the program calls besides session and program (OPS-34). */
export interface ProgramOptions {
  readonly mode?: string;
  readonly wait?: boolean;
  readonly force?: boolean;
  readonly plan_commit_ref?: string;
}

/** The member of a call that holds the program; none for null. */
export const programMember = (program: string | null): { readonly program?: string } =>
  program === null ? {} : { program };

/**
 * What an agent does, whatever transport and protocol it speaks. Every call that is answered with an
 * error throws AgentFailure.
 */
export interface AgentClient {
  /** Opens or extends a session; the text holds the tables the agent reads. */
  context(args: ContextArguments): Promise<AgentAnswer<ContextMeta>>;
  plan(ref: string, program: string, options?: ProgramOptions): Promise<AgentAnswer<PlanMeta>>;
  /**
   * Runs and waits for the end, unless `wait` says otherwise (OPS-9). A program that is null is not sent: the ref
   * stands for it (OPS-3).
   */
  run(ref: string, program: string | null, options?: ProgramOptions): Promise<AgentRun>;
  /** `{options, omitted}`: seeds for a goal. */
  discover(args: { readonly intent: string; readonly apis?: readonly string[] }): Promise<unknown>;
  close(): Promise<void>;
}

export interface Resource {
  readonly mimeType: string;
  readonly text: string;
}

/** An agent that can read resources, too. */
export interface McpAgentClient extends AgentClient {
  readResource(uri: string): Promise<Resource>;
  /** A call with exactly these arguments, for those no agent should send. */
  callTool(name: string, args: object): Promise<AgentAnswer<object>>;
  /** What the server told at connect, and lists. */
  about(): Promise<{
    readonly instructions: string | undefined;
    readonly tools: readonly object[];
  }>;
  /** The server process, where it is this client's own child. */
  readonly serverPid: number | null;
}
