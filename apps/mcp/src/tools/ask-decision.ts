import { type Caller, Failure, type Problem } from "@plasm/agent-core";
import type { ClientDecisions, OwnWaiting } from "@plasm/agent-core/internal";
import { visibleLines } from "@plasm/core/internal";
import type {
  InputRequiredResult,
  Server,
  ServerContext as RequestContext,
} from "@modelcontextprotocol/server";
import { askForm, filledIn, type FormSetting } from "./ask-form.ts";

/** Characters of program and plan that a form shows; what is longer is decided where all of it can be read. */
const MOST_SHOWN = 6_000;
const NAME = "decision";
const MOST_REASON = 500;

/** Of one call: whose it is, over which connection, and who keeps what is decided. */
export interface DecisionSetting extends FormSetting {
  readonly decisions: ClientDecisions;
  readonly caller: Caller;
}

/** The person has approved the plan: the call runs it by this ref. */
export class Approved {
  readonly ref: string;

  constructor(ref: string) {
    this.ref = ref;
  }
}

/** What comes back with what a person said. It is the client's own: it chooses among plans of this caller, and nothing else. */
interface Asked {
  readonly uuid: string;
  readonly commit: string;
}

const TEXT = "string" as const;
const FORM = {
  type: "object" as const,
  properties: {
    [NAME]: {
      type: TEXT,
      title: "Your decision",
      description: "Approve lets exactly this plan run once. Reject forbids it in this session.",
      enum: ["approve", "reject"],
    },
    reason: { type: TEXT, title: "Why (kept in the audit log)", maxLength: MOST_REASON },
  },
  required: [NAME],
};

/** The program has in full what the plan cuts. */
const messageOf = ({ ref, program, plan }: OwnWaiting): string =>
  visibleLines(
    `An agent asks you to let ${ref} run. Read what it would change; nothing has been sent yet.\n\nProgram:\n${program}\n\nPlan:\n${plan}`,
  );

/** What cannot be done now is nothing: the answer of the call says how the plan stands. */
function unlessFailure(thrown: unknown): null {
  if (thrown instanceof Failure) return null;
  throw thrown;
}

/** The plan that a call waits for, if its person may decide on it here and can read all of it. */
async function ownPlan(
  { decisions, caller }: DecisionSetting,
  { code, meta }: Problem,
): Promise<OwnWaiting | null> {
  const { approval } = meta as { readonly approval?: { readonly commit_uuid?: unknown } };
  const uuid = approval?.commit_uuid;
  if (code !== "plasm-approval-required" || typeof uuid !== "string") return null;
  const found = await decisions.find(caller, uuid).catch(unlessFailure);
  if (found?.state !== "waiting" || !found.byClient) return null;
  return found.program.length + found.plan.length <= MOST_SHOWN ? found : null;
}

/** Does what a person has said; null where that was nothing, or no approval. */
async function done(
  { decisions, caller }: DecisionSetting,
  { uuid, commit }: Asked,
  said: unknown,
): Promise<Approved | null> {
  const content = filledIn(said);
  const verdict = content?.[NAME];
  if (verdict !== "approve" && verdict !== "reject") return null;
  const reason = content?.["reason"];
  const isReason = typeof reason === "string" && reason.trim() !== "";
  const words = isReason ? { reason: reason.slice(0, MOST_REASON) } : {};
  const found = await decisions.find(caller, uuid).catch(unlessFailure);
  if (found === null || found.commit !== commit) return null;
  const decided = verdict === "approve" ? "approved" : "rejected";
  // Decided meanwhile, run, or over: the gate says how it stands when the call runs.
  await decisions.decide(caller, uuid, decided, { commit, ...words }).catch(unlessFailure);
  return verdict === "approve" ? new Approved(found.ref) : null;
}

/**
 * Asks the person of a call to decide on its plan, where policy lets them and their client can ask (OPS-65). Null where nobody was asked, or
 * did not approve: the text of the problem, or what the call is answered when it comes again, says how the plan stands.
 */
export async function askToDecide(
  server: Server,
  setting: DecisionSetting,
  request: RequestContext,
  problem: Problem,
): Promise<InputRequiredResult | Approved | null> {
  const plan = await ownPlan(setting, problem);
  if (plan === null) return null;
  const { uuid, commit } = plan;
  const state: Asked = { uuid, commit };
  const answer = await askForm(server, setting, request, {
    name: NAME,
    message: messageOf(plan),
    requestedSchema: FORM,
    state,
  });
  return answer !== null && "said" in answer ? done(setting, state, answer.said) : answer;
}

function readAsked(text: unknown): Asked | null {
  try {
    const { uuid, commit } = JSON.parse(String(text)) as { uuid?: unknown; commit?: unknown };
    return typeof uuid === "string" && typeof commit === "string" ? { uuid, commit } : null;
  } catch {
    return null;
  }
}

/** Does what the person of a call has said that was asked before, and comes again; null where that is no approval. */
export async function takeDecision(
  setting: DecisionSetting,
  { mcpReq }: RequestContext,
): Promise<Approved | null> {
  const asked = setting.modern ? readAsked(mcpReq.requestState()) : null;
  return asked === null ? null : done(setting, asked, mcpReq.inputResponses?.[NAME]);
}
