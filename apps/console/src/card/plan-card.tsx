import { useState } from "preact/hooks";
import { EffectList, figureText, sentenceOf } from "../pages/planned-effects.tsx";
import { Card, Facts, Time } from "../parts/ui.tsx";
import type { ShownPlan } from "./shown-plan.ts";

interface PlanCardProps {
  /** null until the answer is there */
  readonly plan: ShownPlan | null;
  /** Puts a text into the conversation as the person's own; false where the client would not. */
  readonly ask: (text: string) => Promise<boolean>;
}

/**
 * What an agent would do, for the person at its client. It decides nothing: whatever a page of a client sends, a model could send as well.
 * Policy, and who it asks, decide when the agent runs the plan.
 */
export function PlanCard({ plan, ask }: PlanCardProps) {
  const [said, setSaid] = useState("");
  if (plan === null) return <p class="dim">Waiting for the plan …</p>;
  if (plan.ref === "") return <p role="alert">{plan.text}</p>;
  const { ref, effects, program, bill, expiresAt, stopped } = plan;
  const say = async (text: string) => {
    const isSaid = await ask(text).catch(() => false);
    setSaid(
      isSaid
        ? `You said: ${text}`
        : `This client does not let a card speak for you. Say it yourself: ${text}`,
    );
  };
  const sentence = sentenceOf(
    effects.map(({ capability, catalog, target }) => ({
      capability,
      catalog,
      target,
      for_each: null,
    })),
  );
  return (
    <>
      {stopped === null ? (
        <h1 class="sentence">
          The agent would <strong>{sentence}</strong>.
        </h1>
      ) : (
        <h1 class="sentence undo">
          It is not known what all the agent would do: its reads were stopped ({stopped}).
        </h1>
      )}
      <Card
        title={
          effects.length === 1 ? "What it changes" : `What it changes: ${effects.length} effects`
        }
      >
        <EffectList effects={effects} />
        <p class="dim small">Values from before as they were read just now. Nothing was changed.</p>
      </Card>
      <Card title="The program">
        <pre tabIndex={0}>{program}</pre>
      </Card>
      <Card title={`Plan ${ref}`}>
        <Facts
          of={[
            [
              "Cost",
              bill === null
                ? "not noted"
                : `${figureText(bill.requests, "requests")}, ${figureText(bill.rows, "rows")}`,
            ],
            ["Expires", <Time key="e" at={expiresAt} />],
          ]}
        />
        <div class="decide">
          <div class="row">
            <button
              type="button"
              class="primary"
              disabled={stopped !== null}
              onClick={() => void say(`Run the plan ${ref}.`)}
            >
              Say: run it
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => void say(`Do not run the plan ${ref}.`)}
            >
              Say: do not run it
            </button>
          </div>
          <p role="status" class="dim small">
            {said}
          </p>
        </div>
      </Card>
    </>
  );
}
