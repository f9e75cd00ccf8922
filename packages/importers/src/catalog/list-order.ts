import { listOf } from "../json.ts";
import { folded } from "../names/words.ts";
import type { CapabilityDraft, SlotDraft } from "./capability-draft.ts";
import type { FieldDraft } from "./entity-fields.ts";
import type { ValueEntry } from "./value-table.ts";

/** How a list is asked for its rows in order of a column, as `sort` says it (CAT-144). */
export type ListOrder = Readonly<Record<string, unknown>>;

const [ASCENDING, DESCENDING] = [/^asc(?:ending)?$/i, /^desc(?:ending)?$/i] as const;

/** Types that every server sorts alike. */
const SORTED = new Set(["number", "integer", "date"]);

/** A parameter of an order, and the words that it takes. */
interface Worded {
  readonly name: string;
  readonly words: readonly string[];
}

/**
 * How a list is asked for its rows in an order; null where that is not certain. It is where one parameter of an order takes
 * words that are called like columns, and another one the direction, or each word has it (`-price`, `price_desc`).
 */
export function listOrder(
  { kind, slots, properties, entity }: CapabilityDraft,
  fields: readonly FieldDraft[],
  values: ReadonlyMap<string, ValueEntry>,
): ListOrder | null {
  if (kind !== "query" && kind !== "search") return null;
  const asked = slots.filter(({ role }) => role === "sort" || role === "sort_direction");
  const worded = asked.flatMap((slot): readonly Worded[] => {
    const words = wordsOf(slot, values);
    return words.length === 0 ? [] : [{ name: slot.name, words }];
  });
  // What takes any text may say another order besides.
  if (worded.length < asked.length) return null;
  const ways = worded.filter(isDirection);
  const [by, second] = worded.filter((one) => !isDirection(one));
  const [way, other] = ways;
  if (by === undefined || second !== undefined || other !== undefined) return null;
  // A key may be a number, and be sorted as one or as text.
  const keys = new Set(entity.key.map(({ name }) => name));
  const columns = fields.filter(
    ({ name, property, value }) =>
      !keys.has(name) &&
      SORTED.has(String(values.get(value)?.["type"])) &&
      property !== null &&
      properties?.has(property) === true,
  );
  const found = way === undefined ? wordsWithWays(by, columns) : plainWords(by, columns);
  if (found.size === 0) return null;
  return { param: by.name, columns: found, ...(way === undefined ? {} : directionOf(way)) };
}

function wordsOf({ type }: SlotDraft, values: ReadonlyMap<string, ValueEntry>): readonly string[] {
  const entry = type.kind === "value" ? values.get(type.value) : undefined;
  const options = entry?.["type"] === "select" ? listOf(entry["allowed_values"]) : [];
  return options.filter((one) => typeof one === "string");
}

const isDirection = ({ words }: Worded): boolean =>
  words.length === 2 &&
  words.some((one) => ASCENDING.test(one)) &&
  words.some((one) => DESCENDING.test(one));

function directionOf({ name, words }: Worded): ListOrder {
  const ascending = words.find((one) => ASCENDING.test(one));
  const descending = words.find((one) => DESCENDING.test(one));
  const isPlain = ascending === "asc" && descending === "desc";
  return { direction: name, ...(isPlain ? {} : { ascending, descending }) };
}

/** The column that a word names: one called so, or the time of it (`created` is `created_at`). */
function columnOf(word: string, columns: readonly FieldDraft[]): string | undefined {
  const called = (name: string) =>
    columns.find((one) => [one.name, one.property].includes(name)) ??
    columns.find((one) => folded(one.name) === folded(name));
  return (called(word) ?? called(`${word}_at`) ?? called(`${word}At`))?.name;
}

function plainWords(
  { words }: Worded,
  columns: readonly FieldDraft[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const word of words) {
    const column = columnOf(word, columns);
    // Of two words for a column the one is right that is called like it.
    if (column !== undefined && (!found.has(column) || word === column)) found.set(column, word);
  }
  return found;
}

/** Words that have their direction in them; one without it is ascending where its contrary is there as `-word`. */
function wordsWithWays(
  { words }: Worded,
  columns: readonly FieldDraft[],
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const found = new Map<string, Readonly<Record<string, string>>>();
  for (const word of words) {
    const [, name = "", end = ""] =
      /^[-+]?(.+?)(?:[_:. -]?(asc|desc)(?:ending)?)?$/i.exec(word) ?? [];
    const signed = word.startsWith("-") ? "descending" : "ascending";
    const isSigned = words.includes(`-${name}`) && end === "";
    const way =
      end === "" ? (isSigned ? signed : null) : /^asc/i.test(end) ? "ascending" : "descending";
    const column = columnOf(name, columns);
    if (way === null || column === undefined || found.get(column)?.[way] !== undefined) continue;
    found.set(column, { ...found.get(column), [way]: word });
  }
  return found;
}
