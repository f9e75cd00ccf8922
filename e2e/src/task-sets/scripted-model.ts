import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a script says to a tool user: calls, the further pages of what was answered last, or an answer. */
type Step =
  | { readonly calls: readonly object[] }
  | { readonly follow: true }
  | { readonly answer: unknown };

/** What is said of one task: right in each form, and wrong. */
export interface ScriptedAnswer {
  readonly program: string;
  readonly code: string;
  readonly tools: readonly Step[];
  readonly wrong: { readonly program: string; readonly code: string; readonly tools: Step };
}

/** A task's goal with what is said of it. */
export interface Script {
  readonly goal: string;
  readonly answer: ScriptedAnswer;
}

interface Message {
  readonly role: string;
  readonly content: string;
}

/** `$id` is the first id of the last results. */
function withId(step: Step | undefined, results: string): Step | undefined {
  const [, id = "0"] = /"id":(\d+)/.exec(results) ?? [];
  return step === undefined
    ? undefined
    : (JSON.parse(JSON.stringify(step).replaceAll('"$id"', id)) as Step);
}

/** A page on for each next of the last results, else what the script has behind it. */
function stepOf(steps: readonly Step[], messages: readonly Message[]): Step | undefined {
  const said = messages.filter(({ role }) => role === "assistant");
  const followed = said.filter(({ content }) => content.includes("next_page")).length;
  const at = said.length - followed;
  const step = steps[at];
  const results = messages.at(-1)?.content ?? "";
  if (step === undefined || !("follow" in step)) return withId(step, results);
  const calls = [...results.matchAll(/"next":"([^"]+)"/g)].map(([, next]) => ({
    tool: "next_page",
    arguments: { next },
  }));
  return calls.length > 0 ? { calls } : steps[at + 1];
}

function saidTo(
  messages: readonly Message[],
  scripts: readonly Script[],
  isWrong: boolean,
): string {
  const prompt = messages[0]?.content ?? "";
  const script = scripts.find(({ goal }) => prompt.includes(`\nTask: ${goal}\n`));
  if (script === undefined) throw new Error("the script has no such task");
  const { answer } = script;
  const of = isWrong ? answer.wrong : answer;
  if (prompt.includes("one JavaScript program")) return of.code;
  if (!prompt.includes("by calling these tools")) return of.program;
  const step = isWrong ? answer.wrong.tools : stepOf(answer.tools, messages);
  return JSON.stringify(step ?? { answer: null });
}

/** A model that is asked as OpenAI's are, and says what scripts have. */
export async function startScriptedModel(
  scripts: readonly Script[],
  isWrong: boolean,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { messages } = JSON.parse(body) as { readonly messages: readonly Message[] };
      const content = saidTo(messages, scripts, isWrong);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ choices: [{ message: { content } }] }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}
