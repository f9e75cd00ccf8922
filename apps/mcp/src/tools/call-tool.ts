import { refuseUnknown, type Caller, type Engine } from "@plasm/agent-core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { logCall, type CallLog } from "../log/call-log.ts";
import type { CallNote } from "../log/call-note.ts";
import { answerResult, problemResult } from "../wire/results.ts";
import type { Tool, ToolArguments, ToolCall } from "./tool.ts";

/** Whose call it is, and what it may use. */
export interface CallContext {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly log?: CallLog | undefined;
  /** answers stand as data beside their text, too: the setting `structured_content` (SURF-5) */
  readonly structured?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ToolCall["onProgress"];
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

async function answer(
  tool: Tool,
  { engine, caller, structured = false, signal, onProgress }: CallContext,
  args: ToolArguments,
  note: CallNote,
): Promise<CallToolResult> {
  const { name, definition, untold } = tool;
  note.ref = textOrNull(args["logical_session_ref"]);
  const told = Object.keys(definition.inputSchema.properties ?? {});
  try {
    refuseUnknown(Object.keys(args), { of: name, told, untold });
    const call = {
      engine,
      caller,
      args,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    };
    const given = await tool.call(call);
    note.text = given.text;
    note.ref ??= textOrNull(given.meta["logical_session_ref"]);
    return answerResult(given, structured ? name : null);
  } catch (thrown) {
    const problem = engine.problemOf(thrown);
    note.outcome = problem.code;
    note.text = problem.text;
    return problemResult(problem, structured);
  }
}

/** Calls one tool. Whatever fails is a result with `isError`, never a protocol error (SURF-6). */
export const callTool = (
  tool: Tool,
  context: CallContext,
  args: ToolArguments,
): Promise<CallToolResult> =>
  logCall(context.log, context.caller, tool.name, (note) => answer(tool, context, args, note));
