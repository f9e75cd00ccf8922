import type { JsonObject, Notation } from "@plasm/core";
import { randomBytes } from "node:crypto";
import type { Answer, RunAnswer } from "../answer/answer.ts";
import type { ExplanationMeta } from "../answer/meta.ts";
import type { Engine } from "../engine.ts";
import { Failure, fail, problemDocument } from "../errors/problem.ts";
import { type Caller, LOCAL } from "../identity/caller.ts";
import { type ApprovalView, approvalsIn, clientDecisionsIn } from "../program/gate/approvals.ts";
import type { RunProgress } from "../program/run/run-request.ts";
import type { ContextRequest } from "../session/context-request.ts";
import type { SessionAddress } from "../session/handles.ts";
import type { Store } from "../store-port.ts";
import { TOOLS } from "../tools/all-tools.ts";
import {
  INSTRUCTIONS,
  type ToolArguments,
  type ToolDefinition,
  answerTool,
} from "../tools/tool.ts";

/** Who decides on a plan, as the audit log tells it, and why. */
export interface ApprovalDecision {
  /** the person who was asked: where policy leaves plans to operators, another than the session's own subject */
  readonly by: string;
  readonly reason?: string;
}

/**
 * Plans of a conversation's caller that wait for somebody, for the code around it to show to a person (SURF-56). It is no part of what a model can
 * call. A decision binds to the plan that it is given: one that became another meanwhile is not decided.
 */
export interface SessionApprovals {
  /** those that wait, the oldest first */
  list(): Promise<readonly ApprovalView[]>;
  /** Lets it run: `run({ commit: plan.plan_commit_ref })` does. Throws plasm-policy-denied, plasm-unknown-handle. */
  approve(plan: ApprovalView, decision: ApprovalDecision): Promise<void>;
  /** Lets it never run in this session. Throws as `approve`. */
  reject(plan: ApprovalView, decision: ApprovalDecision): Promise<void>;
}

const without = async (): Promise<never> => {
  throw fail(
    "plasm-bad-request",
    "This session was made without the store of its engine, and can decide nothing. Give createAgentSession the store.",
  );
};

/** Those of a caller, on the store of its engine. */
function sessionApprovals(store: Store | null, caller: Caller): SessionApprovals {
  if (store === null) return { list: without, approve: without, reject: without };
  const operators = approvalsIn(store);
  const own = clientDecisionsIn(store);
  const decide = async (
    { commit_uuid: uuid, commit }: ApprovalView,
    verdict: "approved" | "rejected",
    { by, reason }: ApprovalDecision,
  ): Promise<void> => {
    const said = reason === undefined ? { commit } : { commit, reason };
    const asked = await own.find(caller, uuid);
    if (asked === null) {
      throw fail("plasm-unknown-handle", "No plan of this session's caller waits under that uuid.");
    }
    if (asked.byClient) await own.decide(caller, uuid, verdict, said);
    else await operators.decide({ scope: caller.scope, subject: by }, uuid, verdict, said);
  };
  return {
    list: async () => {
      const { scope, subject } = caller;
      const all = await operators.list({ scope, subject: subject ?? "" });
      const waiting = all.filter((plan) => plan.subject === subject);
      // One subject may be several principals: anonymous callers above all.
      const found = await Promise.all(waiting.map((plan) => own.find(caller, plan.commit_uuid)));
      return waiting.filter((_, index) => found[index] !== null);
    },
    approve: (plan, decision) => decide(plan, "approved", decision),
    reject: (plan, decision) => decide(plan, "rejected", decision),
  };
}

/** What a tool call gives a model: text that suffices, of a failure, too (SURF-5, SURF-6). */
export interface ToolResult {
  readonly text: string;
  /** the call failed, and the text says how and what to do */
  readonly isError: boolean;
  /** what MCP sends as `_meta.plasm` (SURF-7, SURF-8, SURF-9): for programs, not for models */
  readonly meta: Answer["meta"];
}

/** An entity that a session is to know. */
export interface Seed {
  /** the name of its catalog; may be left out where one catalog alone has an entity of that name */
  readonly api?: string;
  /** its name, or the goal's word for it: `PullRequest`, `pull requests` */
  readonly entity: string;
  /** one of several accounts that the caller has with the API; it stays that of the session (RUN-129) */
  readonly account?: string;
}

/** What a context is opened or extended with: the goal, unchanged for its life, and what it needs. */
export interface ContextOptions {
  /** the goal in one sentence; one intent is one context */
  readonly intent: string;
  /** what programs are about; later calls may add to it */
  readonly seeds: readonly Seed[];
  /** sends every table again; else each conversation gets each of them once */
  readonly replay?: boolean;
  /** adds the tables of the seeds with what tables leave out: arguments, fields and methods that are rarely used */
  readonly detail?: boolean;
  /** what tables call things: `e1`, `p4` (`symbols`), or the catalogs' own `names`; fixed by the first call */
  readonly notation?: Notation;
  /** what changes something is neither taught nor run; fixed by the first call */
  readonly readOnly?: boolean;
  /** documents to attach, as JSON (GRAFT-2) */
  readonly grafts?: ContextRequest["grafts"];
}

/** Where and how much a search for seeds looks. */
export interface DiscoverOptions {
  /** in these catalogs only */
  readonly apis?: readonly string[];
  /** most entities to name, 1 to 32; 8 unless given */
  readonly limit?: number;
}

/** The answer of a context: its text has the table that programs are written by. */
export interface ContextAnswer extends Answer {
  /** names the context in calls of tools: `s0` */
  readonly ref: string;
}

/** The answer of a dry run: its text has what the program would do and cost. */
export interface PlanAnswer extends Answer {
  /** hands the plan to `run`, so that what was planned is what runs: `pc0` */
  readonly commit: string;
}

/** A plan of a context, by its commit: the answer of `plan` is one. */
export type Planned = Pick<PlanAnswer, "commit">;

/** How a program is to run; without any of it as it stands, and waited for. */
export interface RunOptions {
  /** the commit of a plan of this very program, given with the program */
  readonly commit?: string;
  /** runs what would ask for review, but for what policy forbids */
  readonly force?: boolean;
  /** false: answers with a handle at once, for `wait(h)` and `cancel(h)` as programs */
  readonly wait?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
}

/** How a program's reads are to be executed to say what it would change. */
export type ExplainOptions = Pick<RunOptions, "commit" | "signal">;

/** What goes with a call of a tool. */
export type CallOptions = Pick<RunOptions, "signal" | "onProgress">;

/**
 * One conversation with an engine: what a model is told, the tools it calls, and the same calls as
 * methods for code that writes programs itself. Tables that a conversation was sent are not sent again, as on
 * a connection of MCP (SESS-19). Methods throw Failure; `call` never does. A call whose `signal` aborts throws a Failure named
 * AbortError, whose text says what had been done until then (SURF-56).
 */
export interface AgentSession {
  /** what a model is told before the tools: for its system prompt (SURF-2) */
  readonly instructions: string;
  /** the tools as MCP lists them, with the same texts (SURF-3) */
  readonly tools: readonly ToolDefinition[];
  /** Calls a tool with what a model handed in. What fails is a result that says so (SURF-6). */
  call(name: string, args: unknown, options?: CallOptions): Promise<ToolResult>;
  /** Finds seeds for a goal told in one sentence (TEACH-36). */
  discover(intent: string, options?: DiscoverOptions): Promise<Answer>;
  /**
   * Opens a context, or extends the one of this intent; later programs are of it. The first time that a
   * conversation asks, it gets every table, and afterwards what is new.
   */
  context(options: ContextOptions): Promise<ContextAnswer>;
  /** Plans a program of the last context; runs nothing (G13). */
  plan(program: string): Promise<PlanAnswer>;
  /**
   * Executes the reads of a program, or of what was planned, and says what each effect would send and change, before and after;
   * sends no effect (OPS-38).
   */
  explain(work: string | Planned, options?: ExplainOptions): Promise<RunAnswer<ExplanationMeta>>;
  /** plans of this caller that wait for somebody to decide */
  readonly approvals: SessionApprovals;
  /**
   * Runs a program that reads, and gives its rows one by one; further pages of a statement with `page_size` are asked for as they are
   * needed. The last statement's rows, of any type that `Row` says (SURF-55). Throws Failure where rows are missing.
   */
  rows<Row = JsonObject>(
    program: string,
    options?: Omit<RunOptions, "wait">,
  ): AsyncGenerator<Row, void, undefined>;
  /**
   * Runs a program of the last context live: all rows as data, and text within the token budget. `Row` says what its rows
   * are, as `plasm catalog types` declares them; it is taken at its word (SURF-55).
   */
  run<Row = JsonObject>(program: string, options?: RunOptions): Promise<RunAnswer<JsonObject, Row>>;
  /** Runs exactly what was planned, by the answer of `plan` or its commit alone (OPS-3). */
  run<Row = JsonObject>(
    planned: Planned,
    options?: Omit<RunOptions, "commit">,
  ): Promise<RunAnswer<JsonObject, Row>>;
  /** The last, for `ReturnType` reads it: rows of no declared type. */
  run(planned: Planned, options?: Omit<RunOptions, "commit">): Promise<RunAnswer>;
}

const isArguments = (value: unknown): value is ToolArguments =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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

/** What a caller aborted: named as fetch names it, and as whole as any other failure. */
class Aborted extends Failure {
  override readonly name = "AbortError";
}

/** Names what a call throws by what ended it. */
async function abortable<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (signal?.aborted !== true || !(thrown instanceof Failure)) throw thrown;
    throw new Aborted(thrown.problem, { cause: signal.reason });
  }
}

/** The rows of a program's last result, page by page. Throws where some of them are missing. */
async function* rowsOf<Row>(
  run: (program: string) => Promise<RunAnswer>,
  program: string,
): AsyncGenerator<Row, void, undefined> {
  for (let next: string | null = program; next !== null;) {
    const { results, accepted, text } = await run(next);
    const result = results.at(-1);
    if (accepted !== undefined || result === undefined) {
      throw fail("plasm-bad-request", `This program answers no rows at once: ${text}`);
    }
    yield* result.rows as readonly Row[];
    if (result.partial !== null) {
      throw fail("plasm-run-failed", `Rows are missing (${result.partial}):\n${text}`);
    }
    next = result.next === null ? null : `page(${result.next})`;
  }
}

/** A program, or what was planned, as engines are asked for it. */
const asked = (work: string | Planned, commit: string | undefined) =>
  typeof work === "string"
    ? { program: work, planCommitRef: commit }
    : { planCommitRef: work.commit };

/**
 * A conversation of a caller with an engine, who is the one local user unless told otherwise (SESS-8). It
 * holds nothing that has to be closed; what it opened stays in the store. Its `approvals` need the store of the engine.
 */
export function createAgentSession(
  engine: Engine,
  who: Omit<Caller, "connection"> = LOCAL,
  { store = null }: { readonly store?: Store | null } = {},
): AgentSession {
  const caller: Caller = { ...who, connection: randomBytes(16).toString("hex") };
  const opened = new Set<string>();
  let last: SessionAddress | null = null;
  const address = (): SessionAddress => {
    if (last !== null) return last;
    throw fail("plasm-bad-request", "There is no context yet. Call context with intent and seeds.");
  };
  const run = async (work: string | Planned, { commit, ...options }: RunOptions = {}) =>
    abortable(
      options.signal,
      engine.run(caller, address(), { ...asked(work, commit), ...options }),
    );
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
      const { logical_session_ref: ref } = answer.meta;
      if (ref === null) throw new Error("a context with an intent has a ref");
      last = { kind: "ref", ref };
      return { ...answer, ref };
    },
    plan: async (program) => {
      const answer = await engine.plan(caller, address(), program);
      if (answer.kind !== "planned") throw new Error("a continuation has no commit");
      return { ...answer, commit: answer.meta.plan_commit_ref };
    },
    explain: async (work, { commit, signal } = {}) => {
      const request = { ...asked(work, commit), ...(signal === undefined ? {} : { signal }) };
      const answer = await abortable(signal, engine.explain(caller, address(), request));
      if (answer.kind !== "explained") throw new Error("a continuation has no explanation");
      return answer;
    },
    approvals: sessionApprovals(store, caller),
    rows: (program, options = {}) => rowsOf((work) => run(work, options), program),
    // What a program's rows are is the embedder's word: nothing here could prove it.
    run: run as AgentSession["run"],
  });
}
