import {
  type Caller,
  type Engine,
  Failure,
  type RunArguments,
  type SessionAddress,
  type StartedTask,
  type TaskView,
} from "@plasm/agent-core";
import {
  plasmRun,
  problemDocument,
  type Tool,
  type ToolArguments,
} from "@plasm/agent-core/internal";
import {
  type CallToolResult,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type Server,
  type Task,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { answerResult, problemResult } from "./wire/results.ts";
import { onSend } from "./wire/outgoing-messages.ts";
import { type CallContext, callTool } from "./tools/call-tool.ts";

/** Tasks of runs, to be listed and cancelled (OPS-26). */
export const TASK_CAPABILITY = Object.freeze({
  list: {},
  cancel: {},
  requests: { tools: { call: {} } },
});

/** What names a task, in both eras. */
export const NAMED_TASK = z.looseObject({ taskId: z.string() });
const LISTED = z.looseObject({ cursor: z.string().optional() });

/** What the caller may not ask for is a protocol error, as the tasks of MCP have it. */
export async function toldTask<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const problem = engine.problemOf(thrown);
    const { InvalidParams, InternalError } = ProtocolErrorCode;
    const code = thrown instanceof Failure ? InvalidParams : InternalError;
    throw new ProtocolError(code, problem.text, problemDocument(problem));
  }
}

interface Serving {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly structured: boolean;
}

/** The end of a task, as the call itself would have been answered. */
export async function taskEnd(
  { engine, caller, structured }: Serving,
  taskId: string,
  signal: AbortSignal,
) {
  const end = await engine.tasks.result(caller, taskId, signal);
  const tool = structured ? plasmRun.name : null;
  return end.kind === "answer"
    ? answerResult(end.answer, tool)
    : problemResult(end.problem, structured);
}

/** Serves the tasks of a caller in the 2025-11-25 protocol; 2026-07-28 has them as an extension (OPS-26, OPS-63). */
export function serveTasks(
  server: Server,
  engine: Engine,
  caller: Caller,
  structured: boolean,
): void {
  sendTasks(server);
  const { tasks } = engine;
  server.setRequestHandler("tasks/get", { params: NAMED_TASK }, ({ taskId }) =>
    toldTask(engine, async () => taskOf(await tasks.get(caller, taskId))),
  );
  server.setRequestHandler("tasks/cancel", { params: NAMED_TASK }, ({ taskId }) =>
    toldTask(engine, async () => taskOf(await tasks.cancel(caller, taskId))),
  );
  server.setRequestHandler("tasks/list", { params: LISTED }, () =>
    toldTask(engine, async () => ({ tasks: (await tasks.list(caller)).map(taskOf) })),
  );
  server.setRequestHandler("tasks/result", { params: NAMED_TASK }, ({ taskId }, { mcpReq }) =>
    toldTask(engine, async () => {
      const end = await taskEnd({ engine, caller, structured }, taskId, mcpReq.signal);
      return { ...end, _meta: { ...end._meta, [RELATED_TASK_META_KEY]: { taskId } } };
    }),
  );
}

/** OPS-26, in ms. */
export const POLL_INTERVAL_MS = 3_000;

export const timeOf = (ms: number): string => new Date(ms).toISOString();

/** A task as MCP sends it. */
const taskOf = (view: TaskView): Task => ({
  taskId: view.taskId,
  status: view.status,
  statusMessage: view.message,
  ttl: view.ttl,
  pollInterval: POLL_INTERVAL_MS,
  createdAt: timeOf(view.createdAt),
  lastUpdatedAt: timeOf(view.updatedAt),
});

/** A member of `_meta` under which a task passes through the SDK, which has no place for one in a result. */
const MARK = "plasm/task";

/** What a host may show its model while the task goes on: the handle works in parallel (OPS-26). */
const IMMEDIATE = "io.modelcontextprotocol/model-immediate-response";

/** The answer of a call that became a task: the task, and the call's own meta. */
const taskResult = (view: TaskView, { content, _meta }: CallToolResult): CallToolResult => {
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  return { content: [], _meta: { ..._meta, [IMMEDIATE]: text, [MARK]: taskOf(view) } };
};

function restored(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCResultResponse(message)) return message;
  const { [MARK]: task, ...meta } = message.result._meta ?? {};
  return task === undefined ? message : { ...message, result: { task, _meta: meta } };
}

/** Has a server of the 2025 protocols send tasks as results of calls, which the SDK refuses to do. */
const sendTasks = (server: Server): void => onSend(server, restored);

/** What a client asked for with `task`, as far as it is heard. */
interface TaskAsked {
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
  if (args["save"] !== undefined)
    throw new ProtocolError(InvalidParams, "Only live runs are tasks: leave save out.");
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
