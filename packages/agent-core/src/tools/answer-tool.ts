import type { Answer } from "../answer.ts";
import { refuseUnknown } from "../errors/refuse-unknown.ts";
import type { Tool, ToolCall } from "./tool.ts";

/**
 * Calls one tool with what a model handed in: every surface that has tools goes through here. Throws Failure
 * for an argument that the tool does not take, naming the nearest one (SURF-4), and whatever the engine
 * throws; `engine.problemOf` makes either into a text for the model (SURF-6).
 */
export async function answerTool(tool: Tool, call: ToolCall): Promise<Answer> {
  const { name, definition, untold } = tool;
  const told = Object.keys(definition.inputSchema.properties);
  refuseUnknown(Object.keys(call.args), { of: name, told, untold });
  return tool.call(call);
}
