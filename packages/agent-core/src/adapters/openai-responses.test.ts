import OpenAI from "openai";
import { toResponseInputItems } from "openai/lib/responses/ResponseInputItems";
import { afterEach, expect, it } from "vitest";
import { embeddedQuay } from "../../test/embedded-quay.ts";
import { openAiResponse, PLAN_AND_RUN, scriptedModel } from "@plasm/testkit/models";
import { answerFunctionCalls, openAiFunctions } from "./openai-responses.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

it("a loop over openai's Responses API works a session: the tools and texts that MCP has (SURF-3, SURF-6)", async () => {
  const plasm = await embeddedQuay();
  const model = await scriptedModel(PLAN_AND_RUN, openAiResponse);
  closing.push(model.close, plasm.close);
  const session = plasm.session();
  const { instructions } = session;
  const tools = openAiFunctions(session);
  const client = new OpenAI({ baseURL: model.url, apiKey: "none", maxRetries: 0 });
  const told: string[] = [];
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Which boats?" }];
  const turn = () =>
    client.responses.create({ model: "scripted", instructions, tools, input: [...input] });
  let response = await turn();
  for (;;) {
    const answers = await answerFunctionCalls(session, response.output);
    if (answers.length === 0) break;
    told.push(...answers.map(({ output }) => output));
    input.push(...toResponseInputItems(response.output), ...answers);
    response = await turn();
  }

  expect(response.output_text).toBe("b1 and b2");
  expect(model.asked[0]?.["tools"]).toEqual(
    session.tools.map(({ name, description, inputSchema: parameters }) => ({
      type: "function",
      name,
      description,
      parameters,
      strict: false,
    })),
  );
  expect(told).toEqual([
    expect.stringContaining("logical_session_ref s0"),
    expect.stringContaining("pc0"),
    expect.stringContaining("b1"),
    expect.stringContaining("plasm_run takes no argument programm. Did you mean program?"),
  ]);
});

it("arguments that are no JSON, and functions that are none, are answered by what there is (SURF-6)", async () => {
  const plasm = await embeddedQuay();
  closing.push(plasm.close);
  const call = { type: "function_call", call_id: "c1" };
  expect(
    await answerFunctionCalls(plasm.session(), [
      { type: "message" },
      { ...call, name: "plasm", arguments: "{program:" },
      { ...call, call_id: "c2", name: "plasma", arguments: "{}" },
    ]),
  ).toEqual([
    {
      type: "function_call_output",
      call_id: "c1",
      output: expect.stringContaining("The arguments of plasm are an object."),
    },
    {
      type: "function_call_output",
      call_id: "c2",
      output: expect.stringContaining("No tool plasma."),
    },
  ]);
});
