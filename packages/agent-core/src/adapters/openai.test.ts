import OpenAI from "openai";
import { afterEach, expect, it } from "vitest";
import { embeddedQuay } from "../testing/embedded-quay.ts";
import { PLAN_AND_RUN, scriptedModel, type Turn } from "../testing/scripted-model.ts";
import { openAiTools } from "./openai.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const completion = (turn: Turn, n: number): object => {
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

it("the tool runner of openai works a session: the tools and texts that MCP has (SURF-3, SURF-6)", async () => {
  const plasm = await embeddedQuay();
  const model = await scriptedModel(PLAN_AND_RUN, completion);
  closing.push(model.close, plasm.close);
  const session = plasm.session();
  const tools = openAiTools(session);
  const client = new OpenAI({ baseURL: model.url, apiKey: "none", maxRetries: 0 });
  const runner = client.chat.completions.runTools({
    model: "scripted",
    messages: [
      { role: "system", content: session.instructions },
      { role: "user", content: "Which boats are there?" },
    ],
    tools,
  });

  expect(await runner.finalContent()).toBe("b1 and b2");
  expect(model.asked[0]?.["tools"]).toEqual(
    session.tools.map(({ name, description, inputSchema: parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    })),
  );
  const told = runner.messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
  expect(told).toEqual([
    expect.stringContaining("logical_session_ref s0"),
    expect.stringContaining("pc0"),
    expect.stringContaining("b1"),
    expect.stringContaining("plasm_run takes no argument programm. Did you mean program?"),
  ]);
  expect(() => tools[0]?.function.parse("{intent:")).toThrow(SyntaxError);
});
