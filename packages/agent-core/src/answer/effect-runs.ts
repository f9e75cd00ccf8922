import type { EffectEntry } from "@plasm/runtime";
import { compareCodePoints, visible } from "@plasm/core/internal";
import { clipCell } from "./cell.ts";

/** Effects that share a line, in order, with their keys; one that shares none has no key. */
interface EffectRun {
  readonly entries: readonly EffectEntry[];
  readonly keys: readonly EffectKey[];
}

/** `create orchard.Tree`: label and entity. */
const kindOf = ({ label, entryId, entity }: EffectEntry): string => `${label} ${entryId}.${entity}`;

/** Whether two effects are done and of one kind; what became of others is said of each. */
const isAlike = (one: EffectEntry, other: EffectEntry): boolean =>
  one.status === "done" && other.status === "done" && kindOf(one) === kindOf(other);

/** Effects by lines: those that follow each other and differ in their keys alone share one. */
function runsOf(effects: readonly EffectEntry[]): readonly EffectRun[] {
  const runs: { readonly entries: EffectEntry[]; readonly keys: EffectKey[] }[] = [];
  for (const entry of effects) {
    const key = keyOf(entry);
    const last = runs.at(-1);
    const [first] = last?.entries ?? [];
    const [shape] = last?.keys ?? [];
    const joins = first !== undefined && isAlike(first, entry);
    if (joins && key !== null && shape !== undefined && isSameShape(shape, key)) {
      last?.entries.push(entry);
      last?.keys.push(key);
    } else {
      runs.push({ entries: [entry], keys: key === null ? [] : [key] });
    }
  }
  return runs;
}

/** An id that begins like the count of a list, or like an item in quotes, stands in quotes itself. */
const READS_OTHERWISE = /^[\u00d7"]/u;

function ownId(entry: EffectEntry): string {
  const target = targetOf(entry);
  if (target === null) return "";
  const id = idOf(target);
  if (!READS_OTHERWISE.test(id)) return ` ${id}`;
  return ` ${quoted(clipCell(rawIdOf(target), LONGEST_ID))}`;
}

/** Keys as a list: what stands before its items, and the items; none where nothing tells effects apart. */
interface KeyList {
  readonly before: string;
  readonly items: readonly string[];
}

/** Parts that are the same everywhere are said once, before the others. */
function keyList(keys: readonly EffectKey[]): KeyList {
  const [first] = keys;
  if (first === undefined || first.kind === "none") return { before: "", items: [] };
  if (first.kind === "simple") {
    const ids = keys.map((key) => (key.kind === "simple" ? itemText(key.id) : ""));
    return { before: " ", items: ids };
  }
  const valueOf = (key: EffectKey, at: number): string =>
    (key.kind === "compound" ? key.values[at] : undefined) ?? "";
  const places = first.names.map((name, at) => {
    const isShared = keys.every((key) => valueOf(key, at) === first.values[at]);
    return { name: itemText(name), at, isShared };
  });
  const differ = places.filter(({ isShared }) => !isShared);
  const shared = places
    .filter(({ isShared }) => isShared)
    .map(({ name, at }) => `${name}=${itemText(valueOf(first, at))}`)
    .join(",");
  const said = shared === "" ? "" : ` ${shared}`;
  if (differ.length === 0) return { before: said, items: [] };
  const between = said === "" ? " " : " · ";
  return {
    before: `${said}${between}${differ.map(({ name }) => name).join(",")}=`,
    items: keys.map((key) => differ.map(({ at }) => itemText(valueOf(key, at))).join(",")),
  };
}

/** `done create orchard.Tree`. */
const toldOf = (entry: EffectEntry): string => `${STATUS_WORDS[entry.status]} ${kindOf(entry)}`;

/** How effects are told. */
interface RunsLayout {
  readonly lines: readonly string[];
  /** what each effect adds to the lines: the first of a line its head, the others their key */
  readonly weights: ReadonlyMap<EffectEntry, string>;
}

/**
 * Effects in order, one line for all that are done, follow each other and differ in their keys alone:
 * `done create orchard.Tree 12`, `done send quay.Boat ×3 b1 b2 b4`, `done close shop.Order ×2 shop=north · no=7 9`
 * (SURF-15). No key is left out.
 */
export function layoutRuns(effects: readonly EffectEntry[]): RunsLayout {
  const lines: string[] = [];
  const weights = new Map<EffectEntry, string>();
  for (const { entries, keys } of runsOf(effects)) {
    const [first, ...others] = entries;
    if (first === undefined) continue;
    const alone = others.length === 0;
    const { before, items } = alone ? { before: ownId(first), items: [] } : keyList(keys);
    const head = `${toldOf(first)}${alone ? "" : ` ×${entries.length}`}${before}`;
    lines.push(`${head}${items.join(" ")}`);
    weights.set(first, `${head}${items[0] ?? ""}\n`);
    for (const [at, entry] of others.entries()) {
      const item = items[at + 1] ?? "";
      weights.set(entry, item === "" ? "" : ` ${item}`);
    }
  }
  return { lines, weights };
}

/** What tells an effect from others of its kind; null if it is too long to stand in a list. */
type EffectKey =
  | { readonly kind: "none" }
  | { readonly kind: "simple"; readonly id: string }
  | {
      readonly kind: "compound";
      readonly names: readonly string[];
      readonly values: readonly string[];
    };

const NONE: EffectKey = Object.freeze({ kind: "none" });

/** `bed=2,plot=n` as parts: an identity escapes `,` and `=` within them, and sorts them by name (RUN-046). */
function compoundKey(id: string): EffectKey | null {
  const pairs = id.split(",").map((pair) => pair.split("="));
  if (pairs.length < 2 || pairs.some((pair) => pair.length !== 2)) return null;
  const names = pairs.map(([name = ""]) => name);
  const isSorted = (name: string, at: number) =>
    at === 0 || compareCodePoints(names[at - 1] ?? "", name) < 0;
  if (!names.every(isSorted)) return null;
  return { kind: "compound", names, values: pairs.map(([, value = ""]) => value) };
}

/** The key of what an effect was done to, or null. An id that reads like a compound key is told like one. */
function keyOf(entry: EffectEntry): EffectKey | null {
  const target = targetOf(entry);
  if (target === null) return NONE;
  const id = rawIdOf(target);
  if (id.length > LONGEST_ID) return null;
  return compoundKey(id) ?? { kind: "simple", id };
}

/** Whether two keys can stand in one list. */
function isSameShape(one: EffectKey, other: EffectKey): boolean {
  if (one.kind !== "compound" || other.kind !== "compound") return one.kind === other.kind;
  return (
    one.names.length === other.names.length &&
    one.names.every((name, at) => name === other.names[at])
  );
}

/** Text in which nothing parts one item of a list from the next. */
const PLAIN = /^[^\s",=\u00b7\u00d7]+$/u;

/** Text as JSON, in which no character acts. */
const quoted = (text: string): string => visible(JSON.stringify(text));

/** An item of a list: as it is, or as JSON where it could be read as another item. */
const itemText = (text: string): string =>
  PLAIN.test(text) && visible(text) === text ? text : quoted(text);

/** Code points of an identity that a line repeats. */
const LONGEST_ID = 200;

/** The identity of the one row an effect answered with, such as what it created. */
function refOf({ result }: EffectEntry): string | null {
  if (!Array.isArray(result) || result.length !== 1) return null;
  const [row] = result as readonly { readonly ref?: unknown }[];
  return typeof row?.ref === "string" ? row.ref : null;
}

/** The identity text of what an effect was done to (RUN-046): its target, else the one row it made. */
export const targetOf = (entry: EffectEntry): string | null => entry.target ?? refOf(entry);

/** The id of a row's identity text, as it is: `12` of `Tree:12`. */
const rawIdOf = (target: string): string => target.slice(target.indexOf(":") + 1);

/** The same as a line shows it. */
export const idOf = (target: string): string => clipCell(visible(rawIdOf(target)), LONGEST_ID);

/** How lines say what became of an effect (OPS-29). */
export const STATUS_WORDS: Readonly<Record<EffectEntry["status"], string>> = {
  started: "in doubt",
  done: "done",
  failed: "failed",
  in_doubt: "in doubt",
  skipped: "not started",
};
