import type {
  Caller,
  Engine,
  LiveOutcome,
  RunArguments,
  SessionAddress,
  TaskView,
} from "@plasm/agent-core";
import { plasmRun, type Tool, type ToolArguments } from "@plasm/agent-core/internal";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type Server,
  type ServerContext as RequestContext,
} from "@modelcontextprotocol/server";
import { NAMED_TASK, POLL_INTERVAL_MS, taskEnd, timeOf, toldTask } from "./tasks.ts";

const EXTENSION = "io.modelcontextprotocol/tasks";

/** What a server of 2026-07-28 declares: it may answer a call with a task (OPS-63). */
export const TASKS_CAPABILITY = Object.freeze({ [EXTENSION]: {} });

/** Whether the client of a request says that it can be answered with a task: each request says it anew. */
export function takesTasks({ mcpReq }: RequestContext): boolean {
  const envelope = new Map<string, unknown>(Object.entries(mcpReq.envelope ?? {}));
  const { extensions } = (envelope.get(CLIENT_CAPABILITIES_META_KEY) ?? {}) as {
    readonly extensions?: unknown;
  };
  return typeof extensions === "object" && extensions !== null && EXTENSION in extensions;
}

function refuseOthers(request: RequestContext): void {
  if (takesTasks(request)) return;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [EXTENSION]: {} } },
  });
}

/**
 * How a task stands, as 2026-07-28 has it. A run that failed has completed: what failed is said by its result, and
 * `failed` is for errors of the protocol alone.
 */
const taskOf = ({ taskId, status, message, ttl, createdAt, updatedAt }: TaskView) => ({
  taskId,
  status: status === "failed" ? "completed" : status,
  statusMessage: message,
  createdAt: timeOf(createdAt),
  lastUpdatedAt: timeOf(updatedAt),
  ttlMs: ttl,
  pollIntervalMs: POLL_INTERVAL_MS,
});

/** Serves the tasks of a caller to clients of 2026-07-28 that declare the extension (OPS-63). */
export function serveTaskExtension(
  server: Server,
  engine: Engine,
  caller: Caller,
  structured: boolean,
): void {
  const { tasks } = engine;
  const complete = { resultType: "complete" };
  server.setRequestHandler("tasks/get", { params: NAMED_TASK }, ({ taskId }, request) => {
    refuseOthers(request);
    return toldTask(engine, async () => {
      const told = taskOf(await tasks.get(caller, taskId));
      if (told.status !== "completed") return { ...complete, ...told };
      const { signal } = request.mcpReq;
      const result = await taskEnd({ engine, caller, structured }, taskId, signal);
      return { ...complete, ...told, result: { ...complete, ...result } };
    });
  });
  // Nothing is asked for in the middle of a run: whoever has to sign in or to decide is asked before it is a task.
  server.setRequestHandler("tasks/update", { params: NAMED_TASK }, ({ taskId }, request) => {
    refuseOthers(request);
    return toldTask(engine, async () => {
      await tasks.get(caller, taskId);
      return complete;
    });
  });
  server.setRequestHandler("tasks/cancel", { params: NAMED_TASK }, ({ taskId }, request) => {
    refuseOthers(request);
    return toldTask(engine, async () => {
      const { status } = await tasks.get(caller, taskId);
      if (status === "working") await tasks.cancel(caller, taskId);
      return complete;
    });
  });
}

/** A run of a call that goes on: where, and by which handle. */
interface Accepted {
  readonly address: SessionAddress;
  readonly handle: string;
}

/** An engine whose runs say which of them went on as an operation. */
export function hearingAccepted(engine: Engine): {
  readonly engine: Engine;
  readonly accepted: () => Accepted | null;
} {
  let last: Accepted | null = null;
  const run = async (caller: Caller, address: SessionAddress, request: RunArguments) => {
    const outcome: LiveOutcome = await engine.run(caller, address, request);
    if (outcome.kind === "accepted") last = { address, handle: outcome.accepted };
    return outcome;
  };
  return { engine: { ...engine, run }, accepted: () => last };
}

/** Whether a call may be answered with a task: a run whose model did not ask for a handle (OPS-63). */
export const mayBeTask = (tool: Tool, args: ToolArguments): boolean =>
  tool === plasmRun && args["wait"] !== false;

/** The task in place of the answer of a run that goes on. It can be asked for from now on. */
export async function acceptedTask(
  engine: Engine,
  caller: Caller,
  { address, handle }: Accepted,
): Promise<CallToolResult> {
  const view = await engine.tasks.adopt(caller, address, handle);
  return { content: [], resultType: "task", ...taskOf(view) };
}
