import { useMemo, useRef, useState } from "preact/hooks";
import { ApiProblem, call, callRaw, showable } from "../api.ts";
import type { Marks } from "../parts/code-editor.ts";
import type { PageProps } from "../parts/page-props.ts";
import { ProgramField } from "../parts/program-field.tsx";
import { Card, Page, ProblemNote } from "../parts/ui.tsx";
import { useLoad } from "../parts/load.ts";
import type { ResultRows, SavedProgram } from "../records.ts";
import { AsCurl } from "./as-curl.tsx";
import { groupingOf } from "./group-bars.tsx";
import { planIn, type ShownPlan } from "../card/shown-plan.ts";
import { Mistakes, untaught } from "./mistakes.tsx";
import { ExplainedPlan } from "./planned-effects.tsx";
import { type PlanDocument, PlanView } from "./plan-view.tsx";
import { ProgramChoice } from "./program-choice.tsx";
import { DoneBefore, Rows } from "./program-rows.tsx";
import {
  type Checked,
  type ProgramDraft,
  isOnSame,
  isSameDraft,
  keepDraft,
  keptDraft,
  type CheckAnswer,
  useChecked,
  useProgramSession,
} from "./program-session.ts";
import { namesInPrompt, offersAt, programNames } from "./taught-names.ts";

interface Answered {
  readonly results: readonly ResultRows[];
  readonly text: string;
}

type Work =
  | { readonly kind: "idle" }
  | { readonly kind: "busy"; readonly what: string }
  | {
      readonly kind: "planned";
      readonly mode: "plan" | "explain";
      readonly text: string;
      /** what it would change, where that was read */
      readonly explained: ShownPlan | null;
      readonly ref: string | null;
      /** what it is the plan of */
      readonly of: ProgramDraft;
    }
  | {
      readonly kind: "ran";
      readonly shown: Answered;
      readonly raw: Answered;
      readonly of: ProgramDraft;
    }
  | {
      readonly kind: "failed";
      readonly problem: ApiProblem;
      /** what failed */
      readonly of: ProgramDraft;
    };

/** Writes, plans and runs a program as the agent of this sign-in. */
export function Program({ who }: PageProps) {
  const [draft, setDraft] = useState(keptDraft);
  /** the draft as it was changed last, drawn or not */
  const newest = useRef(draft);
  const [given, setGiven] = useState({ text: draft.program });
  const [work, setWork] = useState<Work>({ kind: "idle" });
  const session = useProgramSession(draft);
  const checked = useChecked(draft, session);
  const saved = useLoad<{ readonly programs: readonly SavedProgram[] }>(
    who.roles.agent === undefined ? null : "/v1/programs",
  );
  const names = useMemo(
    () => [...namesInPrompt(session.prompt), ...programNames(saved.data?.programs ?? [])],
    [session.prompt, saved.data],
  );
  const change = (more: Partial<ProgramDraft>) => {
    newest.current = { ...newest.current, ...more };
    keepDraft(newest.current);
    setDraft(newest.current);
  };
  /** Puts a corrected text in place of the one that it corrects: what was written since is not lost. */
  const replace = (program: string, of: ProgramDraft) => {
    if (!isSameDraft(of, newest.current)) return;
    change({ program });
    setGiven({ text: program });
  };
  const attempt = async (what: string, job: (at: string, of: ProgramDraft) => Promise<Work>) => {
    setWork({ kind: "busy", what });
    const of = newest.current;
    try {
      setWork(await session.use(of, (at) => job(at, of)));
    } catch (thrown) {
      const problem =
        thrown instanceof ApiProblem ? thrown : new ApiProblem(0, "defect", String(thrown));
      setWork({ kind: "failed", problem, of });
    }
  };
  const ask = (mode: "plan" | "explain", what: string) =>
    attempt(what, async (at, of) => {
      const body = { program: of.program };
      const sent = { method: "POST", body, isHarmless: true } as const;
      const { text, _meta: meta } = await call<CheckAnswer>(`${at}?mode=${mode}`, sent);
      const explained =
        mode === "explain" ? planIn({ content: [{ type: "text", text }], _meta: meta }) : null;
      return {
        kind: "planned",
        mode,
        text,
        explained,
        ref: meta.plasm.plan_commit_ref ?? null,
        of,
      };
    });
  const run = (ref: string | null) =>
    attempt("Running …", async (at, of) => {
      const body = { program: of.program, ...(ref === null ? {} : { plan_commit_ref: ref }) };
      const raw = await callRaw<Answered>(at, { method: "POST", body });
      return { kind: "ran", raw, shown: showable(raw) as Answered, of };
    });
  const mayRun = work.kind !== "busy" && draft.program.trim() !== "" && draft.entity !== "";
  const mistakes = checked?.mistakes ?? [];
  const planned = usePlanned(draft, checked);
  const beside =
    planned === null || planned.plan === null ? null : (
      <PlanView {...planned.plan} isOld={!isSameDraft(planned.of, draft)} />
    );
  return (
    <Page
      title="Program"
      lead="Write a program as an agent does, look at its plan, and run it. Reads run at once. What changes something runs from its plan, and where policy asks for it, after an approval."
    >
      <ProgramChoice draft={draft} isBusy={work.kind === "busy"} onChange={change} />
      <div class={beside === null ? undefined : "program-split"}>
        <form
          class="program"
          onSubmit={(event) => {
            event.preventDefault();
            if (mayRun) void run(null);
          }}
        >
          <ProgramField
            text={draft.program}
            given={given}
            example={draft.entity === "" ? "" : `${draft.entity}.limit(5)`}
            marks={useMarks(draft, checked)}
            offers={(before) => offersAt(names, before)}
            onChange={(program) => change({ program })}
            onRun={() => {
              if (mayRun) void run(null);
            }}
          />
          <div class="row">
            <button type="submit" class="primary" disabled={!mayRun}>
              Run
            </button>
            <button type="button" disabled={!mayRun} onClick={() => void ask("plan", "Planning …")}>
              Show the plan
            </button>
            <button
              type="button"
              disabled={!mayRun}
              onClick={() => void ask("explain", "Reading what it would change …")}
            >
              Explain
            </button>
            <span role="status" class="dim">
              {work.kind === "busy" ? work.what : checkedText(checked)}
            </span>
          </div>
          <Mistakes
            of={mistakes}
            draft={draft}
            onAsk={checked?.askMore ?? null}
            onUse={replace}
            onChange={change}
          />
        </form>
        {beside}
      </div>
      <Outcome
        // The plan of what was written before is no plan of what stands there now.
        work={work.kind === "planned" && !isSameDraft(work.of, draft) ? { kind: "idle" } : work}
        plan={usePlanOf(work, planned)}
        onRun={(ref) => void run(ref)}
        onUse={mistakes.length > 0 || !isFailureOf(work, draft) ? null : replace}
      />
      <AsCurl draft={draft} />
    </Page>
  );
}

const isFailureOf = (work: Work, draft: ProgramDraft): boolean =>
  work.kind === "failed" && isSameDraft(work.of, draft);

/** The last plan of what is written: it stands there while its writer goes on, but not for another entity. */
function usePlanned(draft: ProgramDraft, checked: Checked | null) {
  const last = useRef<Checked | null>(null);
  if (checked !== null && checked.plan !== null) last.current = checked;
  if (last.current === null || draft.program.trim() === "") return null;
  return isOnSame(last.current.of, draft) ? last.current : null;
}

/** The plan of what ran, also once another program stands there; null where it is not known. */
function usePlanOf(work: Work, planned: Checked | null): PlanDocument | null {
  const known = useRef<{ readonly of: Work; readonly plan: PlanDocument } | null>(null);
  const plan = planned?.plan?.document;
  if (work.kind === "ran" && planned !== null && plan !== undefined && known.current?.of !== work) {
    if (isSameDraft(work.of, planned.of)) known.current = { of: work, plan };
  }
  return known.current?.of === work ? known.current.plan : null;
}

/** Mistakes as the editor marks them. */
const useMarks = (draft: ProgramDraft, checked: Checked | null): Marks =>
  useMemo(() => {
    const marks = (checked?.mistakes ?? []).map(({ message, correction, start, end, fix }) => ({
      start,
      end,
      // What a model would have to call is a button beside the editor.
      message:
        correction === "" || untaught(correction, draft) !== null
          ? message
          : `${message}\n${correction}`,
      fix,
    }));
    return { of: draft.program, marks };
  }, [checked]);

function checkedText(checked: Checked | null): string {
  if (checked === null) return "";
  if (checked.problem !== null) return `Not checked: ${checked.problem.message}`;
  const { length } = checked.mistakes;
  if (length > 0) return length === 1 ? "1 mistake" : `${length} mistakes`;
  return "No mistake";
}

interface OutcomeProps {
  readonly work: Work;
  /** of what ran; null where it is not known */
  readonly plan: PlanDocument | null;
  readonly onRun: (ref: string) => void;
  /** null where what would be right stands beside what is written already, or where that is another text by now */
  readonly onUse: ((program: string, of: ProgramDraft) => void) | null;
}

function Outcome({ work, plan, onRun, onUse }: OutcomeProps) {
  switch (work.kind) {
    case "idle":
    case "busy":
      return null;
    case "failed":
      return (
        <>
          <ProblemNote problem={work.problem} />
          <DoneBefore done={work.problem.done} />
          {work.problem.suggestion === null || onUse === null ? null : (
            <Card title="This would be right">
              <pre tabIndex={0}>{work.problem.suggestion}</pre>
              <p>
                <button type="button" onClick={() => onUse(work.problem.suggestion ?? "", work.of)}>
                  Use it
                </button>
              </p>
            </Card>
          )}
        </>
      );
    case "planned":
      return (
        <Card
          title={
            work.mode === "plan"
              ? "The plan, and what it costs"
              : "What it would change, as read now"
          }
        >
          {work.explained === null ? (
            <pre tabIndex={0}>{work.text}</pre>
          ) : (
            <ExplainedPlan {...work.explained} />
          )}
          {work.ref === null ? null : (
            <p>
              <button type="button" onClick={() => onRun(work.ref ?? "")}>
                Run this plan
              </button>
            </p>
          )}
        </Card>
      );
    case "ran":
      return work.shown.results.length === 0 ? (
        <Card title="Answer">
          <pre tabIndex={0}>{work.shown.text}</pre>
        </Card>
      ) : (
        <>
          {work.shown.results.map((result, index) => (
            <Rows
              key={result.name}
              result={result}
              raw={work.raw.results[index] ?? result}
              grouping={plan === null ? null : groupingOf(plan, result.name, result.columns)}
            />
          ))}
        </>
      );
  }
}
