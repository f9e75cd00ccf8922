import type { Caller, Engine } from "@plasm/agent-core";
import {
  answerTool,
  type Tool,
  type ToolArguments,
  type ToolCall,
} from "@plasm/agent-core/internal";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type CallLog, type CallNote, logCall } from "@plasm/host";
import { answerResult, problemResult } from "../wire/results.ts";

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
  note.ref = textOrNull(args["logical_session_ref"]);
  try {
    const call = {
      engine,
      caller,
      args,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    };
    const given = await answerTool(tool, call);
    note.text = given.text;
    note.ref ??= textOrNull(given.meta["logical_session_ref"]);
    return answerResult(given, structured ? tool.name : null);
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
