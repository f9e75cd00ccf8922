import { Failure, plasmRun, problemDocument, type Caller, type Engine } from "@plasm/agent-core";
import {
  fromJsonSchema,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type Server,
} from "@modelcontextprotocol/server";
import { answerResult, problemResult } from "../wire/results.ts";
import { sendTasks, taskOf } from "./task-wire.ts";

/** Tasks of runs, to be listed and cancelled (OPS-26). */
export const TASK_CAPABILITY = Object.freeze({
  list: {},
  cancel: {},
  requests: { tools: { call: {} } },
});

interface TaskParams {
  readonly taskId: string;
}

const NAMED = fromJsonSchema<TaskParams>({
  type: "object",
  required: ["taskId"],
  properties: { taskId: { type: "string" } },
});
const LISTED = fromJsonSchema<{ readonly cursor?: string }>({
  type: "object",
  properties: { cursor: { type: "string" } },
});

/** What the caller may not ask for is a protocol error, as the tasks of MCP have it. */
async function told<T>(engine: Engine, work: () => Promise<T>): Promise<T> {
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
async function endOf({ engine, caller, structured }: Serving, taskId: string, signal: AbortSignal) {
  const end = await engine.tasks.result(caller, taskId, signal);
  const tool = structured ? plasmRun.name : null;
  const result =
    end.kind === "answer" ? answerResult(end.answer, tool) : problemResult(end.problem, structured);
  return { ...result, _meta: { ...result._meta, [RELATED_TASK_META_KEY]: { taskId } } };
}

/** Serves the tasks of a caller in the 2025-11-25 protocol; 2026-07-28 has none in its core (OPS-26). */
export function serveTasks(
  server: Server,
  engine: Engine,
  caller: Caller,
  structured: boolean,
): void {
  sendTasks(server);
  const { tasks } = engine;
  server.setRequestHandler("tasks/get", { params: NAMED }, ({ taskId }) =>
    told(engine, async () => taskOf(await tasks.get(caller, taskId))),
  );
  server.setRequestHandler("tasks/cancel", { params: NAMED }, ({ taskId }) =>
    told(engine, async () => taskOf(await tasks.cancel(caller, taskId))),
  );
  server.setRequestHandler("tasks/list", { params: LISTED }, () =>
    told(engine, async () => ({ tasks: (await tasks.list(caller)).map(taskOf) })),
  );
  server.setRequestHandler("tasks/result", { params: NAMED }, ({ taskId }, { mcpReq }) =>
    told(engine, () => endOf({ engine, caller, structured }, taskId, mcpReq.signal)),
  );
}
