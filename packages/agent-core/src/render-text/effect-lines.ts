import type { JsonObject } from "@plasm/core";
import type { EffectEntry } from "@plasm/runtime";

const STATUS_WORDS: Readonly<Record<EffectEntry["status"], string>> = {
  started: "in doubt",
  done: "done",
  failed: "failed",
  in_doubt: "in doubt",
  skipped: "not started",
};

const idOf = (target: string): string => target.slice(target.indexOf(":") + 1);

/** The one row that a create made, by its identity text; its answer may name none. */
function madeBy({ result }: EffectEntry): string | null {
  const [row, ...others] = Array.isArray(result) ? (result as readonly JsonObject[]) : [];
  const ref = others.length === 0 ? row?.["ref"] : undefined;
  return typeof ref === "string" ? ref : null;
}

function what(entry: EffectEntry): string {
  const object = entry.target ?? madeBy(entry);
  const id = object === null ? "" : ` ${idOf(object)}`;
  return `${entry.label} ${entry.entryId}.${entry.entity}${id}`;
}

/** One line an effect that was done, in order: `done create orchard.Tree 12` (SURF-15). */
export const doneLines = (effects: readonly EffectEntry[]): readonly string[] =>
  effects.map((entry) => `${STATUS_WORDS[entry.status]} ${what(entry)}`);

const COUNTED = ["done", "failed", "in_doubt", "skipped"] as const;

/** The line of counts and one line an effect, with its node (OPS-29, ERR-020); none without effects. */
export function failedEffectLines(effects: readonly EffectEntry[]): readonly string[] {
  if (effects.length === 0) return [];
  const counts = COUNTED.flatMap((status) => {
    const n = effects.filter((entry) => entry.status === status).length;
    return n === 0 ? [] : [`${n} ${STATUS_WORDS[status]}`];
  });
  const lines = effects.map((entry) => {
    const row = entry.row === null ? "" : `[${entry.row}]`;
    return `${STATUS_WORDS[entry.status]} ${entry.node}${row} ${what(entry)}`;
  });
  return [`effects: ${counts.join(", ")}`, ...lines];
}
