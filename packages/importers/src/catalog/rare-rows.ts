import { compareText } from "../json.ts";
import { singularWords } from "../names/singular.ts";
import { wordsOf } from "../names/words.ts";
import type { CapabilityDraft } from "./capability-draft.ts";
import type { FieldDraft } from "./entity-fields.ts";
import { type TableDraft, tableSize } from "./table-size.ts";

/** So many links are addresses of the API's own, not something that people look at. */
const FEW_LINKS = 5;

const LINKS = new Set(["url", "uri", "link", "href"]);

/** The links that people open. */
const PAGES = new Set(["html", "web", "public", "hosted", "download", "site"]);

const isLink = ({ name, ref }: FieldDraft): boolean => {
  const words = singularWords(wordsOf(name));
  const isPage = words.some((word) => PAGES.has(word));
  return ref === null && words.length > 1 && LINKS.has(words.at(-1) ?? "") && !isPage;
};

/** A table without the links of a row that has many: the API's own addresses, one for each thing that it leads to. */
export function rareLinks(table: TableDraft, keys: ReadonlySet<string>): TableDraft {
  const links = new Set(table.columns.filter((one) => isLink(one) && !keys.has(one.name)));
  if (links.size <= FEW_LINKS) return table;
  return { ...table, columns: marked(table.columns, links) };
}

/** The labels of what is done with any row: how it is listed, read, made, changed and removed. */
const MAIN = new Set(["query", "search", "get", "create", "update", "delete", "singleton"]);

const literals = ({ operation }: CapabilityDraft): number =>
  operation.segments.filter(({ kind }) => kind === "literal").length;

/**
 * A table without methods, one after the other, until it takes no more than `room`: those that are deprecated first,
 * then those whose paths say most beyond that of the entity, which are about a part of it, then those that take most.
 * `of deeper paths` are those whose paths have at least two words more.
 */
export function rareMethods(
  table: TableDraft,
  room: number,
  which: "of deeper paths" | "all",
): TableDraft {
  const own = Math.min(...table.capabilities.map(literals));
  const depth = (one: CapabilityDraft): number => literals(one) - own;
  const isDue = (one: CapabilityDraft): boolean =>
    !MAIN.has(one.label) && (which === "all" || one.operation.isDeprecated || depth(one) > 1);
  const due = table.capabilities
    .filter(isDue)
    .toSorted(
      (a, b) =>
        Number(b.operation.isDeprecated) - Number(a.operation.isDeprecated) ||
        depth(b) - depth(a) ||
        b.slots.length - a.slots.length ||
        compareText(a.label, b.label),
    );
  return withoutFewest(due, room, (gone) => ({
    ...table,
    capabilities: table.capabilities.map((one) =>
      gone.has(one) ? { ...one, detail: true as const } : one,
    ),
  }));
}

/** A table without as few of these, the first of them first, as make it take no more than `room`; else without them all. */
function withoutFewest<T>(
  due: readonly T[],
  room: number,
  without: (gone: ReadonlySet<T>) => TableDraft,
): TableDraft {
  let [fewest, most] = [0, due.length];
  while (fewest < most) {
    const middle = Math.floor((fewest + most) / 2);
    if (tableSize(without(new Set(due.slice(0, middle)))) <= room) most = middle;
    else fewest = middle + 1;
  }
  return without(new Set(due.slice(0, fewest)));
}

/** What names of columns say that people look for first. */
const TELLING = new Set(
  "name title state status type kind email amount total price count number date created updated due at on".split(
    " ",
  ),
);

/** How little a column is missed: texts least, then flags, then numbers, dates and words of a list. */
function missed({ name, value, required }: FieldDraft): number {
  const telling = wordsOf(name).some((word) => TELLING.has(word)) ? 4 : 0;
  const kind = value === "text" || value === "prose" ? 0 : value === "flag" ? 1 : 2;
  return telling + kind + (required ? 0.5 : 0);
}

/**
 * A table without values that no argument in it is named after, until it takes no more than `room`: objects and lists
 * first, then those that are missed least; `kept` of them stay, and keys and references do.
 */
export function rareValues(
  table: TableDraft,
  { room, kept, keys }: { room: number; kept: number; keys: ReadonlySet<string> },
): TableDraft {
  const asked = new Set(
    table.capabilities.flatMap(({ slots }) =>
      slots.flatMap(({ name, detail }) => (detail === true ? [] : [name])),
    ),
  );
  const order = (one: FieldDraft): number => (one.value === "free" ? -1 : missed(one));
  const free = table.columns.filter(
    ({ name, ref, detail }) =>
      detail !== true && ref === null && !keys.has(name) && !asked.has(name),
  );
  const due = free
    .toSorted((a, b) => order(a) - order(b))
    .slice(0, Math.max(0, free.length - kept));
  return withoutFewest(due, room, (gone) => ({ ...table, columns: marked(table.columns, gone) }));
}

const marked = (
  columns: readonly FieldDraft[],
  rare: ReadonlySet<FieldDraft>,
): readonly FieldDraft[] =>
  columns.map((one) => (rare.has(one) ? { ...one, detail: true as const } : one));
