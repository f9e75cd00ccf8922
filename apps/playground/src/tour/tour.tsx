import { Card } from "@plasm/console";
import { openInPageApis } from "@plasm/sample-apis/in-page";
import { useEffect, useRef, useState } from "preact/hooks";
import { openPageEngine, type PageEngine } from "../engine/open-engine.ts";
import { Taught } from "../work/taught.tsx";
import type { WorkEvent } from "../work/use-work.ts";
import { Workbench } from "../work/workbench.tsx";
import { sampleTexts } from "./sample-catalogs.ts";
import { GOAL, STEPS, type TourSeed } from "./steps.ts";

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
  readonly onContext: (seed: TourSeed) => void;
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
  const { program, seed } = step ?? {};
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
        {seed === undefined ? null : (
          <button type="button" class="primary" onClick={() => onContext(seed)}>
            Ask for context
          </button>
        )}
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

/** The API that the tour is about, beside the other. */
const HARBOUR = "quay";

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
  const teach = async (
    { engine, prompt, entities }: Opened,
    seeds: readonly TourSeed[],
  ): Promise<void> => {
    const { text } = await engine.session.context({ intent: GOAL, seeds, notation: "names" });
    const more = seeds.filter(({ api }) => api === HARBOUR).map(({ entity }) => entity);
    const taught = [...new Set([...entities, ...more])];
    setOpened({ engine, prompt: [prompt, text].filter(Boolean).join("\n\n"), entities: taught });
    setAt((now) => (STEPS[now]?.until === "context" ? now + 1 : now));
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
        onContext={(seed) => void teach(opened, [seed]).catch(failed)}
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
            api={HARBOUR}
            entities={entities}
            given={given}
            onTeach={(more) => {
              const seeds = more.map((entity) => ({ api: HARBOUR, entity }));
              void teach(opened, seeds).catch(failed);
            }}
            onEvent={onEvent}
          />
        </>
      )}
    </>
  );
}
