import { Card } from "@plasm/console";
import { openInPageApis } from "@plasm/sample-apis/in-page";
import { useEffect, useRef, useState } from "preact/hooks";
import { openPageEngine, type PageEngine } from "../engine/open-engine.ts";
import { Taught } from "../work/taught.tsx";
import type { WorkEvent } from "../work/use-work.ts";
import { Workbench } from "../work/workbench.tsx";
import { sampleTexts } from "./sample-catalogs.ts";
import { GOAL, STEPS } from "./steps.ts";

/** An engine on the sample APIs with their first data. */
function openSamples(): Promise<PageEngine> {
  const { fetch } = openInPageApis();
  return openPageEngine(
    sampleTexts().map((texts) => ({
      texts,
      api: texts.entryId === "yard" ? fetch.yard : fetch.quay,
    })),
  );
}

interface GuideProps {
  readonly at: number;
  readonly changed: string;
  readonly onContext: () => void;
  readonly onProgram: (program: string) => void;
  readonly onMove: (to: number) => void;
  readonly onRestart: () => void;
}

/** The step that is due, what to do for it, and where in the tour that is. */
function Guide({ at, changed, onContext, onProgram, onMove, onRestart }: GuideProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [at]);
  const step = STEPS[at];
  const { program } = step ?? {};
  return (
    <section class="card guide" aria-label="Guide">
      <div class="card-head">
        <h2 tabIndex={-1} ref={heading}>
          {step === undefined ? "That was the tour" : step.title}
        </h2>
        <span class="dim">{step === undefined ? "" : `Step ${at + 1} of ${STEPS.length}`}</span>
      </div>
      <p>
        {step?.text ??
          "Go on with programs of your own: the editor offers the names that the table taught. Or try an API of yours with Your document."}
      </p>
      <div class="row">
        {step?.until === "context" ? (
          <button type="button" class="primary" onClick={onContext}>
            Ask for context
          </button>
        ) : null}
        {program === undefined ? null : (
          <button type="button" class="primary" onClick={() => onProgram(program(changed))}>
            Put the program into the editor
          </button>
        )}
        {step === undefined || at === 0 ? null : (
          <button type="button" onClick={() => onMove(at + 1)}>
            Skip this step
          </button>
        )}
        {at === 0 ? null : (
          <button type="button" onClick={onRestart}>
            Start over
          </button>
        )}
      </div>
    </section>
  );
}

interface Opened {
  readonly engine: PageEngine;
  readonly prompt: string;
  readonly entities: readonly string[];
}

/** The guided session on the sample APIs (SURF-60). */
export function Tour() {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [problem, setProblem] = useState("");
  const [at, setAt] = useState(0);
  const [changed, setChanged] = useState("");
  const [given, setGiven] = useState({ text: "" });
  const begin = async (): Promise<void> => {
    setOpened(null);
    setGiven({ text: "" });
    setAt(0);
    setOpened({ engine: await openSamples(), prompt: "", entities: [] });
  };
  const failed = (thrown: unknown): void => setProblem(String(thrown));
  useEffect(() => void begin().catch(failed), []);
  const teach = async ({ engine, prompt }: Opened, entities: readonly string[]): Promise<void> => {
    const seeds = entities.map((entity) => ({ api: "quay", entity }));
    const { text } = await engine.session.context({ intent: GOAL, seeds, notation: "names" });
    setOpened({ engine, prompt: [prompt, text].filter(Boolean).join("\n\n"), entities });
    setAt((now) => Math.max(now, 1));
  };
  const onEvent = (event: WorkEvent): void => {
    if (event.kind === "ran" && event.isChange && event.ref !== null) setChanged(event.ref);
    setAt((now) => {
      const step = STEPS[now];
      const isLast = now === STEPS.length - 1;
      const isDone =
        step?.until === event.kind && !(isLast && event.kind === "ran" && !event.isChange);
      return isDone ? now + 1 : now;
    });
  };
  if (problem !== "") return <p role="alert">{problem}</p>;
  if (opened === null) return <p class="dim loading">Loading …</p>;
  const { engine, prompt, entities } = opened;
  return (
    <>
      <Card title="What the agent is asked">
        <p>{GOAL}</p>
      </Card>
      <Guide
        at={at}
        changed={changed}
        onContext={() => void teach(opened, ["Boat"]).catch(failed)}
        onProgram={(text) => setGiven({ text })}
        onMove={setAt}
        onRestart={() => void begin().catch(failed)}
      />
      {prompt === "" ? null : (
        <>
          <Taught prompt={prompt} />
          <Workbench
            session={engine.session}
            prompt={prompt}
            api="quay"
            entities={entities}
            given={given}
            onTeach={(more) => void teach(opened, more).catch(failed)}
            onEvent={onEvent}
          />
        </>
      )}
    </>
  );
}
