import { useState } from "preact/hooks";
import type { ResultRows } from "../records.ts";
import type { PlanDocument } from "./plan-view.tsx";

/** What a result is grouped by and what is figured of each group. */
export interface Grouping {
  readonly keys: readonly string[];
  readonly figures: readonly string[];
}

interface GroupBy {
  readonly keys: readonly unknown[];
  readonly aggs: readonly { readonly as: string }[];
}

/** How a result was grouped, by its columns; null where it was not, or where a later step made other columns. */
export function groupingOf(
  plan: PlanDocument,
  label: string,
  columns: readonly string[],
): Grouping | null {
  const byId = new Map(plan.nodes.map((step) => [step.id, step]));
  let id = plan.returns.find((one) => one.label === label)?.node;
  while (id !== undefined) {
    const by = byId.get(id)?.op?.["group_by"] as GroupBy | undefined;
    if (by !== undefined) {
      const figures = by.aggs.map((one) => one.as).filter((name) => columns.includes(name));
      const keys = columns.filter((name) => !by.aggs.some((one) => one.as === name));
      return figures.length === 0 || keys.length === 0 ? null : { keys, figures };
    }
    const at: string = id;
    const before = plan.edges.filter(({ to }) => to === at);
    id = before.length === 1 ? before[0]?.from : undefined;
  }
  return null;
}

const MOST_BARS = 40;
const BAR_PX = 24;
const WIDTH = 1000;

const shown = (value: unknown): string =>
  value === null || value === undefined
    ? "–"
    : typeof value === "string"
      ? value
      : JSON.stringify(value);

/** Numbers with many digits come as texts; null for what is no number, such as a date. */
function numberIn(value: unknown): number | null {
  if (value === null || value === undefined) return 0;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

interface GroupBarsProps {
  readonly name: string;
  readonly rows: ResultRows["rows"];
  readonly grouping: Grouping;
}

/** A bar for one figure of each group. The table below has the same numbers for whoever sees no bars. */
export function GroupBars({ name, rows, grouping: { keys, figures } }: GroupBarsProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const drawn = rows.slice(0, MOST_BARS);
  const choices = figures.filter((one) => drawn.every((row) => numberIn(row[one]) !== null));
  const figure = choices.find((one) => one === chosen) ?? choices[0];
  if (figure === undefined) return null;
  const bars = drawn.map((row) => ({
    label: keys.map((key) => shown(row[key])).join(" · "),
    text: shown(row[figure]),
    value: numberIn(row[figure]) ?? 0,
  }));
  const least = Math.min(0, ...bars.map(({ value }) => value));
  const span = Math.max(0, ...bars.map(({ value }) => value)) - least || 1;
  const place = (value: number) => ((value - least) / span) * WIDTH;
  return (
    <figure class="bars">
      <figcaption class="row">
        <label>
          Bars show{" "}
          <select value={figure} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {choices.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <span class="dim">by {keys.join(", ")}</span>
        {rows.length > MOST_BARS ? (
          <span class="dim">{`the first ${MOST_BARS} of ${rows.length} groups`}</span>
        ) : null}
      </figcaption>
      <ul aria-label={`${figure} of ${name} by ${keys.join(", ")}`}>
        {bars.map(({ label, text, value }, n) => (
          <li key={n}>
            <span class="bar-label" title={label}>
              {label}
            </span>
            <svg
              viewBox={`0 0 ${WIDTH} ${BAR_PX}`}
              preserveAspectRatio="none"
              aria-hidden="true"
              height={BAR_PX - 8}
            >
              <rect
                x={place(Math.min(0, value))}
                width={Math.abs(place(value) - place(0))}
                height={BAR_PX}
              />
            </svg>
            <span class="bar-value">{text}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
