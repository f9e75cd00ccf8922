import type { Caller } from "@plasm/agent-core";
import type { ClientDecisions, ToolArguments, TOOLS } from "@plasm/agent-core/internal";
import {
  type InputRequiredResult,
  ProtocolError,
  type Server,
  type ServerContext as RequestContext,
} from "@modelcontextprotocol/server";
import type { Connect, ConnectionClient } from "@plasm/host";
import { acceptedTask, hearingAccepted, mayBeTask, takesTasks } from "../task-extension.ts";
import { declaredBy } from "../wire/declared-client.ts";
import { askToChoose, Chosen, takeChoice, withChosen } from "./ask-choice.ts";
import { Approved, askToDecide, takeDecision } from "./ask-decision.ts";
import { askToSignIn, Declined, RUNS_NOW, waitForSignIn } from "./ask-sign-in.ts";
import {
  type AskPerson,
  type CallContext,
  callTool,
  callToolAsking,
  refuseTool,
} from "./call-tool.ts";

/** Of a server: what its calls may ask the person at the client, and how. */
export interface PersonSetting {
  readonly caller: Caller;
  readonly era: "legacy" | "modern";
  readonly standing?: boolean;
  readonly heldMs?: number | undefined;
  readonly connect?: Pick<Connect, "settled"> | undefined;
  readonly decisions?: ClientDecisions | undefined;
  readonly client?: () => Promise<ConnectionClient>;
}

/** A call of a tool that is no task. */
export interface PlainCall {
  readonly tool: (typeof TOOLS)[number];
  readonly call: CallContext;
  readonly args: ToolArguments;
}

/** A call whose plan a person has approved, run by its ref: that takes the place of a program's being sent again. */
const approvedCall = (args: ToolArguments, { ref }: Approved): ToolArguments => ({
  ...Object.fromEntries(Object.entries(args).filter(([name]) => name !== "force")),
  plan_commit_ref: ref,
});

const nobodyIsAsked: AskPerson<never> = () => Promise.resolve(null);

/** Calls a tool; a run that goes on is a task for a client of 2026-07-28 that takes them (OPS-63). */
export async function callPlain(
  server: Server,
  context: PersonSetting,
  request: RequestContext,
  plain: PlainCall,
) {
  const { tool, args, call } = plain;
  if (context.era === "legacy" || !mayBeTask(tool, args) || !takesTasks(request)) {
    return callDeciding(server, context, request, plain);
  }
  const { engine, accepted } = hearingAccepted(call.engine);
  const answer = await callDeciding(server, context, request, {
    ...plain,
    call: { ...call, engine },
  });
  const goesOn = accepted();
  return goesOn === null ? answer : acceptedTask(call.engine, call.caller, goesOn);
}

/** Calls a tool; where its person may choose or decide what it waits for, and the client can ask them, it does (TEACH-52, OPS-65). */
async function callDeciding(
  server: Server,
  context: PersonSetting,
  request: RequestContext,
  plain: PlainCall,
) {
  const { era, decisions, standing = false, heldMs, caller, client } = context;
  const modern = era === "modern";
  const declared = () => declaredBy(server, { modern, standing, kept: client }, request);
  const asking = { modern, standing, declared, heldMs };
  const deciding = decisions === undefined ? null : { ...asking, decisions, caller };
  const after = (answer: Approved | Chosen): PlainCall => ({
    ...plain,
    args:
      answer instanceof Chosen ? withChosen(plain.args, answer) : approvedCall(plain.args, answer),
  });
  const before =
    takeChoice(asking, request) ??
    (deciding === null ? null : await takeDecision(deciding, request));
  const first = before === null ? plain : after(before);
  const ask: AskPerson<InputRequiredResult | Approved | Chosen> = async (problem) => {
    if (problem.choices.length > 0) return askToChoose(server, asking, request, problem);
    return deciding === null ? null : askToDecide(server, deciding, request, problem);
  };
  const answer = await callAsking(server, context, request, first, ask);
  return answer instanceof Approved || answer instanceof Chosen
    ? callAsking(server, context, request, after(answer), nobodyIsAsked)
    : answer;
}

/** Calls a tool; where somebody must sign in first, and the client leads people to pages, it is asked to (RUN-131). */
async function callAsking<Decided>(
  server: Server,
  { era, connect, heldMs, standing = false, client }: PersonSetting,
  request: RequestContext,
  { tool, call, args }: PlainCall,
  decide: AskPerson<Decided>,
) {
  const modern = era === "modern";
  const declared = () => declaredBy(server, { modern, standing, kept: client }, request);
  const setting = connect === undefined ? null : { modern, standing, connect, declared, heldMs };
  const waiting = setting === null ? null : await waitForSignIn(setting, request);
  if (waiting instanceof Declined) return refuseTool(tool, call, args, waiting.problem);
  if (waiting !== null) return waiting;
  // Nobody is asked twice by one call: what is missing still is said in words.
  if (request.mcpReq.requestState() !== undefined) return callTool(tool, call, args);
  const answer = await callToolAsking(tool, call, args, async (problem) => {
    if (problem.signIns.length === 0) return decide(problem);
    return setting === null ? null : askToSignIn(server, setting, request, problem);
  });
  if (answer instanceof ProtocolError) throw answer;
  if (answer instanceof Declined) return refuseTool(tool, call, args, answer.problem);
  return answer === RUNS_NOW ? callTool(tool, call, args) : answer;
}
