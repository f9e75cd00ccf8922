import type { TaskView } from "@plasm/agent-core";
import {
  isJSONRPCResultResponse,
  type CallToolResult,
  type JSONRPCMessage,
  type Server,
  type Task,
} from "@modelcontextprotocol/server";
import { onSend } from "../wire/on-send.ts";

/** OPS-26, in ms. */
const POLL_INTERVAL_MS = 3_000;

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** A task as MCP sends it. */
export const taskOf = (view: TaskView): Task => ({
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
export const taskResult = (view: TaskView, { content, _meta }: CallToolResult): CallToolResult => {
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
export const sendTasks = (server: Server): void => onSend(server, restored);
