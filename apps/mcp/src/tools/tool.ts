import type { Answer, Caller, Engine, RunArguments } from "@plasm/agent-core";
import type { Tool as ToolDefinition } from "@modelcontextprotocol/server";
import type { CallName } from "../log/call-note.ts";

export type ToolArguments = Readonly<Record<string, unknown>>;

/** One call of a tool: who calls, what with, and until when an answer is wanted. */
export interface ToolCall {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly args: ToolArguments;
  readonly signal?: AbortSignal;
  /** told how far a run is, where the caller wants to know (OPS-25) */
  readonly onProgress?: RunArguments["onProgress"];
}

export interface Tool {
  readonly name: CallName;
  /** as `tools/list` shows it (SURF-3) */
  readonly definition: ToolDefinition;
  /** arguments that are taken but not shown (SURF-4) */
  readonly untold: readonly string[];
  /** One call of agent-core; throws what that throws. */
  call(call: ToolCall): Promise<Answer>;
}
