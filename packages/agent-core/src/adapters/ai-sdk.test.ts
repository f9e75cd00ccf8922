import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterEach, expect, it } from "vitest";
import { embeddedQuay } from "../../test/embedded-quay.ts";
import { aiSdkTurn, PLAN_AND_RUN } from "@plasm/testkit/models";
import { aiSdkTools } from "./ai-sdk.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

it("generateText of ai works a session: the tools and texts that MCP has (SURF-3, SURF-6)", async () => {
  const plasm = await embeddedQuay();
  closing.push(plasm.close);
  const session = plasm.session();
  const model = new MockLanguageModelV4({ doGenerate: PLAN_AND_RUN.map(aiSdkTurn) });
  const { text, steps } = await generateText({
    model,
    instructions: session.instructions,
    prompt: "Which boats are there?",
    tools: aiSdkTools(session),
    stopWhen: isStepCount(10),
  });

  expect(text).toBe("b1 and b2");
  expect(model.doGenerateCalls[0]?.tools).toEqual(
    session.tools.map(({ name, description, inputSchema }) =>
      expect.objectContaining({ type: "function", name, description, inputSchema }),
    ),
  );
  const told = steps.flatMap(({ content }) =>
    content.flatMap((part) =>
      part.type === "tool-result" ? [part.output] : part.type === "tool-error" ? [part.error] : [],
    ),
  );
  const refused = "plasm_run takes no argument programm. Did you mean program?";
  expect(told).toEqual([
    expect.stringContaining("logical_session_ref s0"),
    expect.stringContaining("pc0"),
    expect.stringContaining("b1"),
    expect.objectContaining({ message: expect.stringContaining(refused) }),
  ]);
});
