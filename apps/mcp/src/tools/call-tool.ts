import { refuseUnknown, type Caller, type Engine } from "@plasm/agent-core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { answerResult, problemResult } from "../wire/results.ts";
import type { Tool, ToolArguments } from "./tool.ts";

/** Calls one tool. Whatever fails is a result with `isError`, never a protocol error (SURF-6). */
export async function callTool(
  tool: Tool,
  engine: Engine,
  caller: Caller,
  args: ToolArguments,
  signal: AbortSignal | undefined,
): Promise<CallToolResult> {
  const { definition, untold } = tool;
  const told = Object.keys(definition.inputSchema.properties ?? {});
  try {
    refuseUnknown(Object.keys(args), { of: definition.name, told, untold });
    const call = { engine, caller, args, ...(signal === undefined ? {} : { signal }) };
    return answerResult(await tool.call(call));
  } catch (thrown) {
    return problemResult(engine.problemOf(thrown));
  }
}
