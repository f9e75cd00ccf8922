import type { OpenResult } from "./measure-open.ts";
import type { CallCost, WavesResult } from "./measure-waves.ts";

const short = (value: number): string => String(Number(value.toPrecision(3)));

/** A line for each cost: its exponent, and the figures it is fitted through. */
const costLine = ({ name, unit, points, fit }: CallCost): string => {
  const values = points.map(({ waves, value }) => `${waves}: ${short(value)}`);
  return `waves^${fit.exponent.toFixed(3)}  ${name} (${unit}): ${values.join(", ")}`;
};

/** What calls cost in sessions that grow, as lines a reader compares at a glance. */
export const wavesText = ({ costs, unchanged_tokens_most: most }: WavesResult): string =>
  [...costs.map(costLine), `an unchanged call takes ${most} tokens at most, of 60 (TEACH-41)`].join(
    "\n",
  );

/** What many open sessions cost, likewise. */
export function openText(open: OpenResult): string {
  const { sessions, all_ms: all, one_ms: one, slower, peak_mb: peak } = open;
  const calls = (["context", "plan"] as const).map(
    (call) =>
      `  next ${call}: p50 ${short(all[call].p50)} ms, with one session ${short(one[call].p50)} ms, ${short(slower[call])}x`,
  );
  return [
    `${sessions} open sessions in SQLite: ${peak === null ? "?" : Math.round(peak)} MB at most`,
    ...calls,
    `  opening: p50 ${short(open.open_ms.first)} ms of the first tenth, ${short(open.open_ms.last)} ms of the last`,
  ].join("\n");
}
