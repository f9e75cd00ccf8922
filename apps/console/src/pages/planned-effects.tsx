import type { ShownEffect, ShownPlan } from "../card/shown-plan.ts";
import { Badge, Table } from "../parts/ui.tsx";
import type { BillFigure, EffectView, ExplainedView } from "../records.ts";
import { isCut, shownValue } from "./approval-state.ts";

const VERBS = /^(create|update|delete)$/;

/** What of an effect stands in a sentence. */
type SaidEffect = Pick<EffectView, "capability" | "catalog" | "target" | "for_each">;

/** What a plan would do, as a sentence: `delete boat b2, and 3 more`. */
export function sentenceOf(effects: readonly SaidEffect[]): string {
  const [first] = effects;
  if (first === undefined) return "change nothing";
  const words = first.capability.split(/[._]/);
  const verb = words.findLast((word) => VERBS.test(word));
  const noun = words.filter((word) => word !== verb).join(" ");
  const what = verb === undefined ? `do ${words.join(" ")}` : `${verb} ${noun}`;
  const target = first.target === null ? ` in ${first.catalog}` : ` ${first.target}`;
  const each = first.for_each === null ? "" : ", once for each row";
  const more = effects.length > 1 ? `, and ${effects.length - 1} more` : "";
  return `${what}${target}${each}${more}`;
}

/** Nobody approves what they have not been shown: a part says that it is one. */
export function Value({ shown }: { shown: string }) {
  return (
    <>
      {shown}
      {isCut(shown) ? <strong class="cut"> cut: read the whole in the program below</strong> : null}
    </>
  );
}

/** A figure of a bill in words. */
export function figureText(figure: BillFigure, what: string): string {
  const counted = (n: number): string => `${n} ${n === 1 ? what.replace(/s$/, "") : what}`;
  if ("exact" in figure) return counted(figure.exact);
  return "max" in figure
    ? `at most ${counted(figure.max)}`
    : `${what}: not known (${figure.unknown})`;
}

/** What becomes of an effect that was a mistake: what the catalog says of it, else what its kind allows (UNDO-02). */
export function undoText({
  kind,
  capability,
  undo,
}: Pick<EffectView, "kind" | "capability" | "undo">): string {
  if (undo === "none")
    return "Plasm cannot undo this: the catalog says that nothing takes it back.";
  if (undo === "restore") return "Plasm can undo this, by writing the values from before.";
  if (undo !== undefined) return `Plasm can undo this, by ${undo}.`;
  const is = kind ?? (/delete/.test(capability) ? "delete" : "action");
  switch (is) {
    case "delete":
      return "Plasm cannot undo this: what is deleted is gone unless the API keeps it.";
    case "create":
      return "Undone only by deleting what it makes, where the API has that.";
    case "update":
      return "Undone only by writing the values from before.";
    case "action":
      return "Plasm cannot undo this, and does not know whether the API can.";
  }
}

/** Values before and after, of each row that an effect has been explained for, and what stands in its way. */
export function Explained({
  of: capability,
  rows,
}: {
  of: string;
  rows: readonly ExplainedView[];
}) {
  const remarks = rows.flatMap(remarksOf);
  const hasChanges = rows.some(({ changes }) => changes.length > 0);
  return (
    <>
      {hasChanges ? (
        <Table
          label={`What ${capability} changes in ${rows[0]?.node}`}
          head={["Of", "Member", "Before", "After"]}
        >
          {rows.flatMap(({ target, row, changes }) =>
            changes.map(({ field, before, after }) => (
              <tr key={`${row} ${field}`}>
                <td>
                  <code>{target ?? "a new one"}</code>
                </td>
                <td>
                  <code>{field}</code>
                </td>
                <td class="value">{shownValue(before)}</td>
                <td class="value">{shownValue(after)}</td>
              </tr>
            )),
          )}
        </Table>
      ) : null}
      {remarks.map((remark) => (
        <p key={remark} class="undo">
          {remark}
        </p>
      ))}
    </>
  );
}

/** What stands in the way of an effect, or of knowing what it does. */
function remarksOf({
  target,
  error,
  behind,
  preconditions = [],
}: ExplainedView): readonly string[] {
  const of = target ?? "a row";
  const unmet = preconditions.filter(({ holds }) => holds !== true);
  return [
    ...(error === null ? [] : [`It would fail for ${of}: ${error.message}`]),
    ...(behind === null ? [] : [`What it does to ${of} is known when ${behind} has run.`]),
    ...unmet.map(({ needs, holds }) =>
      holds === null
        ? `${of} needs ${needs}; whether that holds is not known.`
        : `${of} needs ${needs}, which does not hold.`,
    ),
  ];
}

/** What is told as a change already is not told again. */
const othersOf = ({ args, changes }: ShownEffect): readonly [string, unknown][] =>
  Object.entries(args).filter(([name]) => !changes.some(({ field }) => field === name));

function Effect({ effect }: { effect: ShownEffect }) {
  const { capability, target, catalog, row } = effect;
  const others = othersOf(effect);
  return (
    <li>
      <p>
        <Badge tone={/delete/.test(capability) ? "bad" : "info"}>{capability}</Badge>{" "}
        <code>{target ?? "a new one"}</code> <span class="dim">in {catalog}</span>
      </p>
      {others.length === 0 ? null : (
        <Table
          label={`Arguments of ${capability}${row === null ? "" : `, row ${row}`}`}
          head={["Member", "New value"]}
        >
          {others.map(([name, value]) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td class="value">{shownValue(value)}</td>
            </tr>
          ))}
        </Table>
      )}
      <Explained of={capability} rows={[effect]} />
      <p class={undoText(effect).startsWith("Plasm cannot") ? "undo" : "dim small"}>
        {undoText(effect)}
      </p>
    </li>
  );
}

/** What effects would change, each with the values from before. */
export function EffectList({ effects }: Pick<ShownPlan, "effects">) {
  return (
    <ol class="effects">
      {effects.map((effect) => (
        <Effect key={`${effect.node} ${effect.row}`} effect={effect} />
      ))}
    </ol>
  );
}

/** Effects that stand there; what else there is, is told in words. */
const MOST_EXPLAINED = 200;

/** What a plan was explained to change, with the values from before as they were read just now, and all of it in words. */
export function ExplainedPlan({ effects, stopped, text }: Omit<ShownPlan, "ref" | "expiresAt">) {
  const more = effects.length - MOST_EXPLAINED;
  return (
    <>
      {stopped === null ? null : (
        <p class="undo">
          It is not known what all it would do: its reads were stopped ({stopped}).
        </p>
      )}
      {effects.length === 0 ? null : (
        <>
          <EffectList effects={effects.slice(0, MOST_EXPLAINED)} />
          <p class="dim small">
            {more > 0 ? `${more} more effects stand in the words below. ` : ""}
            Values from before as they were read just now. Nothing was changed.
          </p>
        </>
      )}
      <details open={effects.length === 0}>
        <summary>In words</summary>
        <pre tabIndex={0}>{text}</pre>
      </details>
    </>
  );
}
