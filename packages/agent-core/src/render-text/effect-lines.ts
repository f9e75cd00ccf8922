import { visible } from "@plasm/core";
import type { EffectEntry } from "@plasm/runtime";

const STATUS_WORDS: Readonly<Record<EffectEntry["status"], string>> = {
  started: "in doubt",
  done: "done",
  failed: "failed",
  in_doubt: "in doubt",
  skipped: "not started",
};

/** The identity of the one row an effect answered with, such as what it created. */
function refOf({ result }: EffectEntry): string | null {
  if (!Array.isArray(result) || result.length !== 1) return null;
  const [row] = result as readonly { readonly ref?: unknown }[];
  return typeof row?.ref === "string" ? row.ref : null;
}

/** The id of a row's identity text: `12` of `Tree:12`. */
export const idOf = (target: string): string => target.slice(target.indexOf(":") + 1);

/** `create orchard.Tree 12`: label, entity and identity; a create has the one it was given. */
function what(entry: EffectEntry): string {
  const target = entry.target ?? refOf(entry);
  const id = target === null ? "" : ` ${visible(idOf(target))}`;
  return `${entry.label} ${entry.entryId}.${entry.entity}${id}`;
}

/** One line an effect, in order: `done create orchard.Tree 12` (SURF-15). */
export const doneLines = (effects: readonly EffectEntry[]): readonly string[] =>
  effects.map((entry) => `${STATUS_WORDS[entry.status]} ${what(entry)}`);

const COUNTED = ["done", "failed", "in_doubt", "skipped"] as const;

/** The line of counts and one line an effect, with its node (OPS-29, ERR-020); none without effects. */
export function failedEffectLines(effects: readonly EffectEntry[]): readonly string[] {
  if (effects.length === 0) return [];
  const counts = COUNTED.flatMap((status) => {
    const n = effects.filter((entry) => STATUS_WORDS[entry.status] === STATUS_WORDS[status]).length;
    return n === 0 ? [] : [`${n} ${STATUS_WORDS[status]}`];
  });
  const lines = effects.map((entry) => {
    const row = entry.row === null ? "" : `[${entry.row}]`;
    return `${STATUS_WORDS[entry.status]} ${entry.node}${row} ${what(entry)}`;
  });
  return [`effects: ${counts.join(", ")}`, ...lines];
}
