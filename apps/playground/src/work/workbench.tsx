import type { AgentSession, Problem } from "@plasm/agent-core";
import {
  Badge,
  Card,
  EffectList,
  groupingOf,
  Mistakes,
  mistakesIn,
  mistakesOfText,
  namesInPrompt,
  offersAt,
  PlanView,
  plainText,
  ProgramField,
  Rows,
} from "@plasm/console";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type PlannedWork, useWork, type Work, type WorkEvent } from "./use-work.ts";

interface WorkbenchProps {
  readonly session: AgentSession;
  /** what the session has taught so far */
  readonly prompt: string;
  readonly api: string;
  /** what is taught, the entity that it began with first */
  readonly entities: readonly string[];
  /** a program that takes the place of what was written, whenever there is another one */
  readonly given: { readonly text: string };
  readonly onTeach: (entities: readonly string[]) => void;
  readonly onEvent: (event: WorkEvent) => void;
}

type Mistake = ReturnType<typeof mistakesIn>[number];

/** What is wrong with what is written: as the engine said it of this very text, else as a text. */
function useMistakes({ program, outcome }: Work): readonly Mistake[] {
  const [read, setRead] = useState<{ of: string; found: readonly Mistake[] }>({
    of: "",
    found: [],
  });
  useEffect(() => {
    let isGone = false;
    const look = async () => {
      const found = program.trim() === "" ? [] : await mistakesOfText(program);
      if (!isGone) setRead({ of: program, found });
    };
    void look();
    return () => {
      isGone = true;
    };
  }, [program]);
  return useMemo(() => {
    const isOf = outcome?.kind === "failed" && outcome.of === program;
    const said = isOf ? mistakesIn({ errors: outcome.problem.errors }) : [];
    return said.length > 0 || read.of !== program ? said : read.found;
  }, [program, outcome, read]);
}

/** Writes, plans, approves and runs programs of one session (SURF-60). */
export function Workbench(props: WorkbenchProps) {
  const { session, prompt, api, entities, onTeach, onEvent } = props;
  const work = useWork(session, onEvent);
  const [given, setGiven] = useState(props.given);
  const put = (text: string) => {
    work.write(text);
    setGiven({ text });
  };
  useEffect(() => put(props.given.text), [props.given]);
  const names = useMemo(() => namesInPrompt(prompt), [prompt]);
  const mistakes = useMistakes(work);
  const marks = useMemo(
    () => ({
      of: work.program,
      marks: mistakes.map(({ start, end, message, fix }) => ({ start, end, message, fix })),
    }),
    [mistakes],
  );
  const mayAct = work.busy === "" && work.program.trim() !== "";
  const [entity = "", ...also] = entities;
  return (
    <>
      <form
        class="program"
        aria-label="Program"
        onSubmit={(event) => {
          event.preventDefault();
          if (mayAct) work.run();
        }}
      >
        <ProgramField
          text={work.program}
          given={given}
          example={entity === "" ? "" : `${entity}.limit(5)`}
          marks={marks}
          offers={(before) => offersAt(names, before)}
          onChange={(text) => work.write(text)}
          onRun={() => {
            if (mayAct) work.run();
          }}
        />
        <div class="row">
          <button type="button" disabled={!mayAct} onClick={() => work.plan()}>
            Dry run
          </button>
          <button type="submit" class="primary" disabled={!mayAct}>
            Run
          </button>
          <span role="status" class="dim">
            {work.busy}
          </span>
        </div>
        <Mistakes
          of={mistakes}
          draft={{
            api,
            entity,
            also: also.map((one) => ({ api, entity: one })),
            program: work.program,
          }}
          onAsk={null}
          onUse={(program) => put(program)}
          onChange={({ also: more }) =>
            onTeach([entity, ...(more?.map((one) => one.entity) ?? also)])
          }
        />
      </form>
      <Results work={work} hasMistakes={mistakes.length > 0} />
    </>
  );
}

function Results({ work, hasMistakes }: { work: Work; hasMistakes: boolean }) {
  const { planned, approval, outcome } = work;
  return (
    <>
      {planned === null ? null : <Verdict planned={planned} />}
      <Approval work={work} approval={approval} />
      {outcome?.kind === "failed" && !(hasMistakes && outcome.problem.errors.length > 0) ? (
        <Failed problem={outcome.problem} />
      ) : null}
      {outcome?.kind === "ran" ? (
        <>
          {outcome.shown.results.map((result, index) => (
            <Rows
              key={result.name}
              result={result}
              raw={outcome.raw.results[index] ?? result}
              grouping={
                planned === null ? null : groupingOf(planned.document, result.name, result.columns)
              }
            />
          ))}
          <AsRead title="The answer as an agent reads it" text={outcome.shown.text} />
        </>
      ) : null}
      {planned === null ? null : (
        <>
          <PlanView
            document={planned.document}
            text={planned.text}
            isOld={planned.program !== work.program}
          />
          <AsRead title="The plan as an agent reads it" text={planned.text} />
        </>
      )}
    </>
  );
}

function AsRead({ title, text }: { title: string; text: string }) {
  return (
    <Card>
      <details class="as-read">
        <summary>{title}</summary>
        <pre tabIndex={0}>{text}</pre>
      </details>
    </Card>
  );
}

/** Whether a plan runs as it stands, and what it would change. */
function Verdict({ planned: { verdict, effects, ref } }: { planned: PlannedWork }) {
  return (
    <Card
      title={`Dry run ${ref}`}
      more={
        <Badge tone={verdict === "ok" ? "good" : "warn"}>
          {verdict === "ok" ? "ok: runs as it stands" : "review: changes something"}
        </Badge>
      }
    >
      {effects.length === 0 ? (
        <p>{verdict === "ok" ? "It only reads." : "What it changes stands in its plan."}</p>
      ) : (
        <EffectList effects={effects} />
      )}
    </Card>
  );
}

function Approval({ work, approval }: { work: Work; approval: Work["approval"] }) {
  if (approval === null) return null;
  if (approval.kind !== "waiting")
    return (
      <Card title="Approval">
        <p role="status">
          {approval.kind === "approved"
            ? "You approved this plan. Run does what it says, once."
            : "You rejected this plan. It runs no more."}
        </p>
      </Card>
    );
  return (
    <Card title="An agent asks you to approve this">
      <p>The program changes something, so it did not run. The agent was told:</p>
      <pre tabIndex={0}>{plainText(approval.text)}</pre>
      <div class="decide">
        <div class="row">
          <button type="button" class="primary" onClick={() => work.decide("approve")}>
            Approve
          </button>
          <button type="button" class="danger" onClick={() => work.decide("reject")}>
            Reject
          </button>
        </div>
      </div>
    </Card>
  );
}

function Failed({ problem }: { problem: Problem }) {
  return (
    <div class="note bad" role="alert">
      <p>
        <strong>{problem.title}</strong>
      </p>
      <pre tabIndex={0}>{plainText(problem.text)}</pre>
    </div>
  );
}
