import { randomBytes } from "node:crypto";
import type { Answer } from "../answer.ts";
import type { Engine } from "../engine.ts";
import { fail } from "../errors/failure.ts";
import { problemDocument } from "../errors/problem-document.ts";
import { LOCAL, type Caller } from "../identity/caller.ts";
import type { SessionAddress } from "../session/locate.ts";
import { TOOLS } from "../tools/all-tools.ts";
import { answerTool } from "../tools/answer-tool.ts";
import { INSTRUCTIONS } from "../tools/instructions.ts";
import type { ToolArguments } from "../tools/tool.ts";
import type {
  AgentSession,
  CallOptions,
  Planned,
  RunOptions,
  ToolResult,
} from "./agent-session.ts";

const isArguments = (value: unknown): value is ToolArguments =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What an answer's meta always has, as text. */
function told({ meta }: Answer, field: string): string {
  const value = meta[field];
  if (typeof value === "string") return value;
  throw new Error(`an answer has no ${field}`);
}

async function answerOf(
  engine: Engine,
  caller: Caller,
  name: string,
  args: unknown,
  options: CallOptions,
): Promise<Answer> {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) {
    const names = TOOLS.map((one) => one.name).join(", ");
    throw fail("plasm-bad-request", `No tool ${name}. There are: ${names}.`);
  }
  if (!isArguments(args)) {
    throw fail("plasm-bad-request", `The arguments of ${name} are an object.`);
  }
  return answerTool(tool, { engine, caller, args, ...options });
}

/**
 * A conversation of a caller with an engine, who is the one local user unless told otherwise (SESS-8). It
 * holds nothing that has to be closed; what it opened stays in the store.
 */
export function createAgentSession(
  engine: Engine,
  who: Omit<Caller, "connection"> = LOCAL,
): AgentSession {
  const caller: Caller = { ...who, connection: randomBytes(16).toString("hex") };
  const opened = new Set<string>();
  let last: SessionAddress | null = null;
  const address = (): SessionAddress => {
    if (last !== null) return last;
    throw fail("plasm-bad-request", "There is no context yet. Call context with intent and seeds.");
  };
  return Object.freeze<AgentSession>({
    instructions: INSTRUCTIONS,
    tools: TOOLS.map(({ definition }) => definition),
    call: async (name, args, options = {}): Promise<ToolResult> => {
      try {
        const { text, meta } = await answerOf(engine, caller, name, args, options);
        return { text, isError: false, meta };
      } catch (thrown) {
        const problem = engine.problemOf(thrown);
        const meta = { ...problem.meta, error: problemDocument(problem) };
        return { text: problem.text, isError: true, meta };
      }
    },
    discover: (intent, options = {}) => engine.discover(caller, { ...options, intent }),
    context: async (request) => {
      // The store may know this context from an earlier conversation, which had its tables.
      const { intent, replay = !opened.has(intent) } = request;
      const answer = await engine.context(caller, { ...request, replay });
      opened.add(intent);
      const ref = told(answer, "logical_session_ref");
      last = { kind: "ref", ref };
      return { ...answer, ref };
    },
    plan: async (program) => {
      const answer = await engine.plan(caller, address(), program);
      return { ...answer, commit: told(answer, "plan_commit_ref") };
    },
    run: async (work: string | Planned, { commit, ...options }: RunOptions = {}) => {
      const asked =
        typeof work === "string"
          ? { program: work, planCommitRef: commit }
          : { planCommitRef: work.commit };
      return engine.run(caller, address(), { ...asked, ...options });
    },
  });
}
