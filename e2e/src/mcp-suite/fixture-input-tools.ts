import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  type InputRequests,
} from "@modelcontextprotocol/server";
import { declaredBy, fixtureTool, said, type FixtureTool } from "./fixture-tool.ts";

/** State that goes through the client, and is refused when it comes back changed. */
export const STATE = createRequestStateCodec({ key: "a key of the fixture, of 32 bytes or more" });

type InputRequest = InputRequests[string];

/** Asks for one text in a form. */
export const askText = (message: string, name: string): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: "object",
      properties: { [name]: { type: "string" } },
      required: [name],
    },
  });

const CONFIRM: InputRequest = inputRequired.elicit({
  message: "Please confirm",
  requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
});

const sample = (text: string, maxTokens: number): InputRequest => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens },
});

const ROOTS: InputRequest = { method: "roots/list", params: {} };

/** What asks for input, with state that says how far the call is. */
async function askWith(inputRequests: InputRequests, step: number): Promise<InputRequiredResult> {
  return inputRequired({ inputRequests, requestState: await STATE.mint({ step }) });
}

/** Asks for a confirmation, and goes on from the state that it gave out. */
const confirmed = (name: string): FixtureTool =>
  fixtureTool(name, "Keeps state in the client", async ({ mcpReq }) =>
    acceptedContent(mcpReq.inputResponses, "confirm") === undefined ||
    mcpReq.requestState() === undefined
      ? askWith({ confirm: CONFIRM }, 1)
      : said("state-ok"),
  );

const MULTIPLE: InputRequests = {
  user_name: askText("What is your name?", "name"),
  greeting: sample("Generate a greeting", 50),
  client_roots: ROOTS,
};

/** Tools that need something of the client before they answer (2026-07-28). */
export const INPUT_TOOLS: readonly FixtureTool[] = [
  fixtureTool("test_input_required_result_elicitation", "Asks who calls", ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, "user_name")?.["name"];
    return typeof given === "string"
      ? said(`Hello, ${given}!`)
      : inputRequired({ inputRequests: { user_name: askText("What is your name?", "name") } });
  }),
  fixtureTool("test_streaming_elicitation", "Asks who calls, on a stream", () =>
    inputRequired({ inputRequests: { user_name: askText("What is your name?", "name") } }),
  ),
  fixtureTool("test_input_required_result_sampling", "Asks the client's model", ({ mcpReq }) => {
    const given = mcpReq.inputResponses?.["capital_question"];
    return given === undefined
      ? inputRequired({
          inputRequests: { capital_question: sample("What is the capital of France?", 100) },
        })
      : said(`The model said ${JSON.stringify(given)}`);
  }),
  fixtureTool("test_input_required_result_list_roots", "Asks for roots", ({ mcpReq }) => {
    const given = mcpReq.inputResponses?.["client_roots"];
    return given === undefined
      ? inputRequired({ inputRequests: { client_roots: ROOTS } })
      : said(`The roots are ${JSON.stringify(given)}`);
  }),
  confirmed("test_input_required_result_request_state"),
  confirmed("test_input_required_result_tampered_state"),
  fixtureTool("test_input_required_result_multiple_inputs", "Asks for much", ({ mcpReq }) =>
    Object.keys(MULTIPLE).every((name) => mcpReq.inputResponses?.[name] !== undefined)
      ? said("All is there.")
      : askWith(MULTIPLE, 1),
  ),
  fixtureTool("test_input_required_result_multi_round", "Asks twice", ({ mcpReq }) => {
    const { step = 0 } = mcpReq.requestState<{ readonly step: number }>() ?? {};
    const answered = mcpReq.inputResponses?.[`step${step}`] !== undefined;
    if (step === 2 && answered) return said("Both steps are done.");
    return step === 1 && answered
      ? askWith({ step2: askText("Step 2: What is your favorite color?", "color") }, 2)
      : askWith({ step1: askText("Step 1: What is your name?", "name") }, 1);
  }),
  fixtureTool("test_input_required_result_capabilities", "Asks what it may", (context) => {
    const declared = declaredBy(context);
    return inputRequired({
      inputRequests: {
        ...(declared.sampling === undefined ? {} : { question: sample("What is it?", 100) }),
        ...(declared.elicitation === undefined ? {} : { name: askText("Who?", "name") }),
      },
    });
  }),
];
