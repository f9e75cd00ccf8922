import type { Caller, Engine, Problem } from "@plasm/agent-core";
import {
  answerTool,
  type Tool,
  type ToolArguments,
  type ToolCall,
} from "@plasm/agent-core/internal";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type CallLog, type CallNote, logCall, notePlan, notingCaller } from "@plasm/host";
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
  /** marks of the tables that its conversation still has, where its host keeps them (SESS-41) */
  readonly known?: ToolCall["known"];
  /** hears with what problem a call ends, before it is answered with it */
  readonly onProblem?: ((problem: Problem) => void) | undefined;
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

async function answer<Asked>(
  tool: Tool,
  { engine, caller, structured = false, signal, onProgress, onProblem, known }: CallContext,
  args: ToolArguments,
  note: CallNote,
  ask: AskPerson<Asked>,
): Promise<CallToolResult | Asked> {
  note.ref = textOrNull(args["logical_session_ref"]);
  try {
    const call = {
      engine,
      caller: notingCaller(caller, note),
      args,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(known === undefined ? {} : { known }),
    };
    const given = await answerTool(tool, call);
    note.text = given.text;
    notePlan(note, given.meta);
    note.ref ??= textOrNull(given.meta["logical_session_ref"]);
    return answerResult(given, structured ? tool.name : null);
  } catch (thrown) {
    const problem = engine.problemOf(thrown);
    note.outcome = problem.code;
    note.text = problem.text;
    notePlan(note, problem.meta);
    onProblem?.(problem);
    const asked = isAsking(problem) ? await ask(problem) : null;
    return asked ?? problemResult(problem, structured);
  }
}

/** Whether a person could end what a call ended with: by signing in, by a choice, or by a decision. */
const isAsking = ({ code, signIns, choices }: Problem): boolean =>
  signIns.length > 0 || choices.length > 0 || code === "plasm-approval-required";

/** What a call is answered that waits for a person; null where the text says it (RUN-131, OPS-65). */
export type AskPerson<Asked> = (problem: Problem) => Promise<Asked | null>;

/** Calls one tool. Whatever fails is a result with `isError`, never a protocol error (SURF-6). */
export const callTool = (
  tool: Tool,
  context: CallContext,
  args: ToolArguments,
): Promise<CallToolResult> =>
  callToolAsking<never>(tool, context, args, () => Promise.resolve(null));

/** Answers a call with a problem before it is made, and notes it as any call. */
export const refuseTool = (
  tool: Tool,
  { log, caller, structured = false }: CallContext,
  args: ToolArguments,
  problem: Problem,
): Promise<CallToolResult> =>
  logCall(log, caller, tool.name, (note) => {
    note.ref = textOrNull(args["logical_session_ref"]);
    note.outcome = problem.code;
    note.text = problem.text;
    return Promise.resolve(problemResult(problem, structured));
  });

/** The same for a client that leads people to pages itself. */
export const callToolAsking = <Asked>(
  tool: Tool,
  context: CallContext,
  args: ToolArguments,
  ask: AskPerson<Asked>,
): Promise<CallToolResult | Asked> =>
  logCall(context.log, context.caller, tool.name, (note) => answer(tool, context, args, note, ask));
