import {
  type AgentSession,
  type ApprovalView,
  Failure,
  type Problem,
  type RunAnswer,
} from "@plasm/agent-core";
import { planIn, type PlanDocument, showable, type ShownPlan } from "@plasm/console";
import { useRef, useState } from "preact/hooks";

/** A program that was planned: what it would do, without having done it. */
export interface PlannedWork {
  readonly program: string;
  readonly ref: string;
  /** the answer as an agent reads it */
  readonly text: string;
  readonly document: PlanDocument;
  readonly verdict: "ok" | "review";
  /** what its effects would change, as read just now */
  readonly effects: ShownPlan["effects"];
}

/** How a plan stands with the person who has to approve it. */
export type ApprovalStep =
  | { readonly kind: "waiting"; readonly plan: ApprovalView; readonly text: string }
  | { readonly kind: "approved" }
  | { readonly kind: "rejected" };

/** What a run came to. */
export type WorkOutcome =
  | { readonly kind: "ran"; readonly raw: RunAnswer; readonly shown: RunAnswer }
  | { readonly kind: "failed"; readonly problem: Problem; readonly of: string };

/** What has just happened, for whoever guides. */
export type WorkEvent =
  | { readonly kind: "planned"; readonly ref: string }
  | { readonly kind: "waiting" }
  | { readonly kind: "approved" }
  | { readonly kind: "ran"; readonly ref: string | null; readonly isChange: boolean };

export interface Work {
  readonly program: string;
  readonly planned: PlannedWork | null;
  readonly approval: ApprovalStep | null;
  readonly outcome: WorkOutcome | null;
  readonly busy: string;
  write(program: string): void;
  plan(): void;
  run(): void;
  decide(verdict: "approve" | "reject"): void;
}

/** What went wrong, as every surface of Plasm says it. */
function problemIn(thrown: unknown): Problem {
  if (thrown instanceof Failure) return thrown.problem;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    type: "about:blank",
    title: "Something went wrong in this page",
    status: 500,
    code: "plasm-internal",
    retryable: false,
    text,
    errors: [],
    meta: {},
    results: [],
    retryAfter: null,
    signIns: [],
    choices: [],
  };
}

/** What the effects of a plan would change. Nothing where its reads cannot say. */
async function effectsOf(session: AgentSession, commit: string): Promise<ShownPlan["effects"]> {
  try {
    const { text, meta } = await session.explain({ commit });
    return planIn({ content: [{ type: "text", text }], _meta: { plasm: meta } }).effects;
  } catch {
    return [];
  }
}

async function planOf(session: AgentSession, program: string): Promise<PlannedWork> {
  const { commit: ref, text, meta } = await session.plan(program);
  const verdict = meta["dry_verdict"] === "review" ? "review" : "ok";
  return {
    program,
    ref,
    text: showable(text) as string,
    document: showable(meta["plan"]) as PlanDocument,
    verdict,
    effects: verdict === "review" ? await effectsOf(session, ref) : [],
  };
}

async function waitingFor(
  session: AgentSession,
  { meta, text }: Problem,
): Promise<ApprovalStep | null> {
  const uuid = meta.approval?.commit_uuid;
  const plan = (await session.approvals.list()).find((one) => one.commit_uuid === uuid);
  return plan === undefined ? null : { kind: "waiting", plan, text };
}

/** Programs that go on with what ran before, and are not planned. */
const CONTINUES = /^\s*(page|wait|cancel)\(/;

/** A program from writing to its result, as an agent and the person beside it take it. */
export function useWork(session: AgentSession, onEvent: (event: WorkEvent) => void): Work {
  const [program, setProgram] = useState("");
  const [planned, setPlanned] = useState<PlannedWork | null>(null);
  const [approval, setApproval] = useState<ApprovalStep | null>(null);
  const [outcome, setOutcome] = useState<WorkOutcome | null>(null);
  const [busy, setBusy] = useState("");
  const written = useRef("");
  const attempt = async (what: string, job: () => Promise<void>): Promise<void> => {
    setBusy(what);
    const of = written.current;
    try {
      await job();
    } catch (thrown) {
      setOutcome({ kind: "failed", problem: problemIn(thrown), of });
    }
    setBusy("");
  };
  /** The plan of what is written; null for what goes on with an earlier run, which has none. */
  const planNow = async (known: PlannedWork | null): Promise<PlannedWork | null> => {
    if (known?.program === written.current) return known;
    setApproval(null);
    setPlanned(null);
    if (CONTINUES.test(written.current)) return null;
    const made = await planOf(session, written.current);
    setPlanned(made);
    onEvent({ kind: "planned", ref: made.ref });
    return made;
  };
  const plan = async (): Promise<void> => {
    setOutcome(null);
    setPlanned(null);
    await planNow(null);
  };
  const run = async (): Promise<void> => {
    setOutcome(null);
    const work = await planNow(planned);
    try {
      const raw = await (work === null
        ? session.run(written.current)
        : session.run({ commit: work.ref }));
      setApproval(null);
      setOutcome({ kind: "ran", raw, shown: showable(raw) as RunAnswer });
      onEvent({ kind: "ran", ref: work?.ref ?? null, isChange: work?.verdict === "review" });
    } catch (thrown) {
      const problem = problemIn(thrown);
      const waiting =
        problem.meta.approval === undefined ? null : await waitingFor(session, problem);
      if (waiting === null) throw thrown;
      setApproval(waiting);
      onEvent({ kind: "waiting" });
    }
  };
  const decide = async (verdict: "approve" | "reject"): Promise<void> => {
    if (approval?.kind !== "waiting") return;
    await session.approvals[verdict](approval.plan, { by: "you" });
    setApproval({ kind: verdict === "approve" ? "approved" : "rejected" });
    if (verdict === "approve") onEvent({ kind: "approved" });
  };
  return {
    program,
    planned,
    approval,
    outcome,
    busy,
    write: (text) => {
      written.current = text;
      setProgram(text);
    },
    plan: () => void attempt("Planning …", plan),
    run: () => void attempt("Running …", run),
    decide: (verdict) => void attempt("Deciding …", () => decide(verdict)),
  };
}
