import type { Answer } from "../answer.ts";
import type { Engine } from "../engine.ts";
import type { Caller } from "../identity/caller.ts";
import type { RunArguments } from "../live-run/run-arguments.ts";

/** The tools there are (SURF-3). */
export type ToolName =
  | "plasm_context"
  | "plasm"
  | "plasm_run"
  | "discover_capabilities"
  | "grafted_context_fetch";

/** What a model hands in for a call, before any check. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** JSON as a schema holds it; libraries for models take no readonly arrays. */
export type SchemaValue =
  | string
  | number
  | boolean
  | null
  | SchemaValue[]
  | { [keyword: string]: SchemaValue };

/** The JSON Schema of a tool's arguments; the names of `properties` are those that are told (SURF-4). */
export type ToolInputSchema = {
  type: "object";
  required: string[];
  properties: { [argument: string]: { [keyword: string]: SchemaValue } };
};

/** A tool as a model is told of it: by MCP's `tools/list`, or by an embedder's own loop (SURF-3). */
export interface ToolDefinition {
  readonly name: ToolName;
  readonly description: string;
  readonly inputSchema: ToolInputSchema;
  /** hints as MCP has them */
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

/** One call of a tool: who calls, what with, and until when an answer is wanted. */
export interface ToolCall {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly args: ToolArguments;
  readonly signal?: AbortSignal;
  /** told how far a run is, where the caller wants to know (OPS-25) */
  readonly onProgress?: RunArguments["onProgress"];
}

/** A tool: what a model is told of it, and what a call of it does. */
export interface Tool {
  readonly name: ToolName;
  readonly definition: ToolDefinition;
  /** arguments that are taken but not shown (SURF-4) */
  readonly untold: readonly string[];
  /** One call of the engine; throws what that throws. */
  call(call: ToolCall): Promise<Answer>;
}
