import { useState } from "preact/hooks";
import { call, type SignedIn } from "../api.ts";
import { planIn, type ShownPlan } from "../card/shown-plan.ts";
import { Card, ProblemNote } from "../parts/ui.tsx";
import { useAskedWork } from "../parts/work.ts";
import type { LongRun } from "../records.ts";
import { ExplainedPlan } from "./planned-effects.tsx";
import type { CheckAnswer } from "./program-session.ts";

interface Planned {
  readonly text: string;
  readonly ref: string | null;
  /** what it would change, where that was read */
  readonly explained: ShownPlan | null;
}

/** The session that a run belongs to, as its agent calls it. */
const sessionOf = ({ session }: LongRun): string =>
  `/execute/${encodeURIComponent(session.prompt_hash)}/${encodeURIComponent(session.session)}`;

/**
 * Plans to take back what a run has done: a plan of the session that the run is of, which is looked at before it runs and reviewed as any
 * (UNDO-05, SURF-63). Whoever is not the agent of that session is told the program.
 */
export function UndoOffer({ of, who, done }: { of: LongRun; who: SignedIn; done: () => void }) {
  const { isBusy, problem, run } = useAskedWork();
  const [planned, setPlanned] = useState<Planned | null>(null);
  const [answer, setAnswer] = useState<string | null>(null);
  const { plan_commit_ref: ref, outcome } = of;
  const program = `undo(${ref})`;
  const count = outcome?.effects_done ?? 0;
  if (count === 0) return null;
  const isOwn =
    who.roles.agent !== undefined && (who.auth === "off" || who.roles.agent === of.subject);
  const ask = (mode: "plan" | "explain") =>
    run(async () => {
      setAnswer(null);
      const sent = { method: "POST", body: { program }, isHarmless: true } as const;
      const { text, _meta: meta } = await call<CheckAnswer>(`${sessionOf(of)}?mode=${mode}`, sent);
      const explained =
        mode === "explain" ? planIn({ content: [{ type: "text", text }], _meta: meta }) : null;
      setPlanned({ text, explained, ref: meta.plasm.plan_commit_ref ?? planned?.ref ?? null });
    });
  const runIt = (plan: string) =>
    run(async () => {
      const body = { program, plan_commit_ref: plan };
      const { text } = await call<{ readonly text: string }>(sessionOf(of), {
        method: "POST",
        body,
      });
      setPlanned(null);
      setAnswer(text);
      done();
    });
  return (
    <Card title="Undo">
      {problem === null ? null : <ProblemNote problem={problem} />}
      <p>
        {count === 1 ? "One effect was done." : `${count} effects were done.`} Where its catalog
        says how, <code>{program}</code> takes {count === 1 ? "it" : "them"} back: a plan of its
        own, which is reviewed as any.
      </p>
      {isOwn ? (
        <div class="row">
          <button type="button" disabled={isBusy} onClick={() => void ask("plan")}>
            Undo {ref}: show the plan
          </button>
          {planned === null ? null : (
            <button type="button" disabled={isBusy} onClick={() => void ask("explain")}>
              Explain
            </button>
          )}
          <span role="status" class="dim">
            {isBusy ? "Working …" : planned === null ? "" : "Nothing is undone yet."}
          </span>
        </div>
      ) : (
        <p class="dim">The agent of that session plans it; it is {of.subject ?? "unknown"}.</p>
      )}
      {planned === null ? null : (
        <>
          {planned.explained === null ? (
            <pre tabIndex={0} aria-label={`Plan of ${program}`}>
              {planned.text}
            </pre>
          ) : (
            <ExplainedPlan {...planned.explained} />
          )}
          {planned.ref === null ? null : (
            <p>
              <button type="button" disabled={isBusy} onClick={() => void runIt(planned.ref ?? "")}>
                Run this plan
              </button>
            </p>
          )}
        </>
      )}
      {answer === null ? null : <pre tabIndex={0}>{answer}</pre>}
    </Card>
  );
}
