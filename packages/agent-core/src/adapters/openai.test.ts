import OpenAI from "openai";
import { afterEach, expect, it } from "vitest";
import { embeddedQuay } from "../../test/embedded-quay.ts";
import { openAiTurn, PLAN_AND_RUN, scriptedModel } from "@plasm/testkit/models";
import { openAiTools } from "./openai.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

it("the tool runner of openai works a session: the tools and texts that MCP has (SURF-3, SURF-6)", async () => {
  const plasm = await embeddedQuay();
  const model = await scriptedModel(PLAN_AND_RUN, openAiTurn);
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
