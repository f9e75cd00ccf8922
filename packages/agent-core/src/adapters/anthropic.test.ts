import Anthropic from "@anthropic-ai/sdk";
import { afterEach, expect, it } from "vitest";
import { embeddedQuay } from "../../test/embedded-quay.ts";
import { anthropicTurn, PLAN_AND_RUN, scriptedModel } from "@plasm/testkit/models";
import { anthropicTools } from "./anthropic.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

it("the tool runner of @anthropic-ai/sdk works a session: the tools and texts that MCP has (SURF-3, SURF-6)", async () => {
  const plasm = await embeddedQuay();
  const model = await scriptedModel(PLAN_AND_RUN, anthropicTurn);
  closing.push(model.close, plasm.close);
  const session = plasm.session();
  const client = new Anthropic({ baseURL: model.url, apiKey: "none", maxRetries: 0 });
  const runner = client.beta.messages.toolRunner({
    model: "scripted",
    max_tokens: 1_000,
    system: session.instructions,
    messages: [{ role: "user", content: "Which boats are there?" }],
    tools: anthropicTools(session),
  });

  const { content } = await runner;
  expect(content).toEqual([expect.objectContaining({ text: "b1 and b2" })]);
  expect(model.asked[0]?.["tools"]).toEqual(
    session.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    })),
  );
  const results = runner.params.messages.flatMap(({ content: blocks }) =>
    Array.isArray(blocks) ? blocks.filter(({ type }) => type === "tool_result") : [],
  );
  const refused = "plasm_run takes no argument programm. Did you mean program?";
  expect(results).toEqual([
    expect.objectContaining({ content: expect.stringContaining("logical_session_ref s0") }),
    expect.objectContaining({ content: expect.stringContaining("pc0") }),
    expect.objectContaining({ content: expect.stringContaining("b1") }),
    expect.objectContaining({ content: expect.stringContaining(refused), is_error: true }),
  ]);
  expect(results.slice(0, 3).every((result) => !("is_error" in result))).toBe(true);
});
