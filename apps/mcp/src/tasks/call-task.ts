import {
  Failure,
  plasmRun,
  type Engine,
  type RunArguments,
  type SessionAddress,
  type StartedTask,
  type Tool,
  type ToolArguments,
  type Caller,
} from "@plasm/agent-core";
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
} from "@modelcontextprotocol/server";
import { callTool, type CallContext } from "../tools/call-tool.ts";
import { taskResult } from "./task-wire.ts";

/** What a client asked for with `task`, as far as it is heard. */
export interface TaskAsked {
  readonly ttl?: number;
}

/** The `task` of a call's parameters; null for a plain call. */
export function taskAsked(params: object): TaskAsked | null {
  const { task } = params as { readonly task?: unknown };
  if (typeof task !== "object" || task === null) return null;
  const { ttl } = task as { readonly ttl?: unknown };
  return typeof ttl === "number" ? { ttl } : {};
}

const textIn = ({ content }: CallToolResult): string => {
  const [first] = content;
  return first?.type === "text" ? first.text : "";
};

/**
 * Calls plasm_run as a task: the run is accepted after the gate, and the answer is its task, one that has
 * failed already where the plan was blocked (OPS-26). Arguments that are none, modes that run nothing, and
 * other tools are protocol errors.
 */
export async function callTask(
  tool: Tool,
  context: CallContext,
  args: ToolArguments,
  { ttl }: TaskAsked,
): Promise<CallToolResult> {
  const { MethodNotFound, InvalidParams } = ProtocolErrorCode;
  if (tool !== plasmRun) throw new ProtocolError(MethodNotFound, `${tool.name} is never a task.`);
  const started: StartedTask[] = [];
  const { tasks } = context.engine;
  const run = async (caller: Caller, address: SessionAddress, request: RunArguments) => {
    const { program, planCommitRef, force, signal } = request;
    const one = await tasks.start(caller, address, {
      program,
      planCommitRef,
      force,
      ...(signal === undefined ? {} : { signal }),
      ...(ttl === undefined ? {} : { ttl }),
    });
    started.push(one);
    if (one.begun.kind === "problem") throw new Failure(one.begun.problem);
    return one.begun.answer;
  };
  const engine: Engine = { ...context.engine, run };
  const result = await callTool(tool, { ...context, engine }, args);
  const [task] = started;
  if (task !== undefined) return taskResult(task.view, result);
  const text =
    result.isError === true ? textIn(result) : "Only live runs are tasks: leave mode out.";
  throw new ProtocolError(InvalidParams, text);
}
