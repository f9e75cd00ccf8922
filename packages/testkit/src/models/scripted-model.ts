import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A turn of a scripted model: tools that it calls, or what it says at the end. */
export type Turn =
  | { readonly say: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> };

/** The turns of a model that answers one question with a context, a plan and a run of it (SURF-2, OPS-3). */
export const PLAN_AND_RUN: readonly Turn[] = Object.freeze([
  {
    call: "plasm_context",
    args: { intent: "which boats are moored", seeds: [{ api: "quay", entity: "Boat" }] },
  },
  { call: "plasm", args: { logical_session_ref: "s0", program: "Boat.limit(2)[id]" } },
  { call: "plasm_run", args: { logical_session_ref: "s0", plan_commit_ref: "pc0" } },
  { call: "plasm_run", args: { logical_session_ref: "s0", programm: "Boat" } },
  { say: "b1 and b2" },
]);

/** A turn as the Chat Completions API answers it. */
export const openAiTurn = (turn: Turn, n: number): object => {
  const call = (name: string, args: object) => ({
    id: `call_${n}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  });
  const message =
    "say" in turn
      ? { role: "assistant", content: turn.say }
      : { role: "assistant", content: null, tool_calls: [call(turn.call, turn.args)] };
  const finish_reason = "say" in turn ? "stop" : "tool_calls";
  const choices = [{ index: 0, message, finish_reason, logprobs: null }];
  return { id: `c${n}`, object: "chat.completion", created: 0, model: "scripted", choices };
};

/** A turn as the Responses API answers it. */
export const openAiResponse = (turn: Turn, n: number): object => ({
  id: `resp_${n}`,
  object: "response",
  created_at: 0,
  model: "scripted",
  status: "completed",
  output: [
    "say" in turn
      ? {
          id: `msg_${n}`,
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: turn.say, annotations: [] }],
        }
      : {
          id: `fc_${n}`,
          type: "function_call",
          status: "completed",
          call_id: `call_${n}`,
          name: turn.call,
          arguments: JSON.stringify(turn.args),
        },
  ],
});

/** A turn as the Messages API answers it. */
export const anthropicTurn = (turn: Turn, n: number): object => ({
  id: `msg_${n}`,
  type: "message",
  role: "assistant",
  model: "scripted",
  content: [
    "say" in turn
      ? { type: "text", text: turn.say }
      : { type: "tool_use", id: `toolu_${n}`, name: turn.call, input: turn.args },
  ],
  stop_reason: "say" in turn ? "end_turn" : "tool_use",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A turn as a model of the AI SDK gives it. */
export const aiSdkTurn = (turn: Turn, index: number) => ({
  content: [
    "say" in turn
      ? { type: "text" as const, text: turn.say }
      : {
          type: "tool-call" as const,
          toolCallId: `call_${index}`,
          toolName: turn.call,
          input: JSON.stringify(turn.args),
        },
  ],
  finishReason: { unified: "say" in turn ? "stop" : "tool-calls", raw: undefined } as const,
  usage,
  warnings: [],
});

/** A server that answers each request with the next turn, and remembers what it was asked. */
export interface ScriptedModel {
  readonly url: string;
  /** bodies of requests, in their order */
  readonly asked: readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
}

/** Serves turns in the form that `write` gives them, the last one over and over. */
export async function scriptedModel(
  turns: readonly Turn[],
  write: (turn: Turn, n: number) => object,
): Promise<ScriptedModel> {
  const asked: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      asked.push(await bodyOf(request));
      const n = Math.min(asked.length, turns.length);
      const turn = turns[n - 1];
      if (turn === undefined) throw new Error("a model of no turns");
      response.setHeader("content-type", "application/json");
      // A connection that is kept open may be closed just as the next turn is asked for.
      response.setHeader("connection", "close");
      response.end(JSON.stringify(write(turn, n)));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
