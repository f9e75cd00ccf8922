import type { Catalog, Entity, Field, Json, ValueType } from "@plasm/core";
import { isOffsetName, isSizeName, quoteText, testValue } from "@plasm/core/internal";
import type { EntityRow } from "../decode/entity-row.ts";
import type { CapabilityCall } from "../request/environment.ts";
import type { NodeContext } from "./feed.ts";

/** Options that ask for the rows of all options. */
const NO_CHOICE = new Set(["all", "any", "both", "every", "*"]);

/** Text that says more than one value does: parts of a query language, lists, patterns. */
const IS_QUERY = /[*%,|<>!~^$(){}"\\]/;

/** A date without a time: the only form in which two dates of one name are certain to be compared as they stand. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a cell is what was sent, is certainly another value, or says nothing of it. */
type Shown = "same" | "other" | "unclear";

interface SentCondition {
  readonly name: string;
  readonly text: string;
  readonly value: Json;
  readonly judge: (cell: Json) => Shown;
  /** whether another value is certainly not met: options and truth have no second name */
  isCertain: boolean;
  /** the first other value that a row showed */
  other: string | null;
  /** rows with that value, as long as it may be another name of what was sent */
  readonly waiting: number[];
}

/** Text without case, accents and forms of letters. */
export const foldText = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** The part of a word that its other forms have too; numbers and parts of keys have no other forms. */
const stem = (word: string): string =>
  word.length < 5 || /\P{L}/u.test(word) ? word : word.slice(0, Math.ceil(word.length * 0.6));

/** APIs look for text in ways of their own; a cell with none of a word that was sent was not found by it. */
function judgeText(sent: string): ((cell: Json) => Shown) | null {
  const text = foldText(sent);
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  if (words.length === 0 || IS_QUERY.test(sent) || NO_CHOICE.has(text)) return null;
  return (cell) => {
    if (typeof cell !== "string" || cell === "") return "unclear";
    if (cell === sent) return "same";
    const shown = foldText(cell);
    const isNear = text.includes(shown) || words.every((word) => shown.includes(stem(word)));
    return isNear ? "unclear" : "other";
  };
}

const judgeBy =
  (value: Json, type: ValueType) =>
  (cell: Json): Shown =>
    testValue(cell, "=", value, type) ? "same" : "other";

/** Whether a value is a date without a time. */
export const isDay = (value: Json): boolean => typeof value === "string" && DAY.test(value);

function judgeOf(name: string, value: Json, type: ValueType): ((cell: Json) => Shown) | null {
  const isWord = typeof value === "string";
  if (value === null || (isWord && NO_CHOICE.has(value.toLowerCase()))) return null;
  switch (type.kind) {
    case "boolean":
    case "select":
      return isWord || typeof value === "boolean" ? judgeBy(value, type) : null;
    case "number":
    case "integer":
      return isSizeName(name) || isOffsetName(name) ? null : judgeBy(value, type);
    case "entity_ref":
    case "uuid":
      return judgeBy(value, type);
    case "date": {
      const judge = judgeBy(value, type);
      return isDay(value) ? (cell) => (isDay(cell) ? judge(cell) : "unclear") : null;
    }
    case "string":
      return isWord ? judgeText(value) : null;
    case "blob":
    case "json":
    case "array":
    case "multi_select":
      return null;
  }
}

/** Whether a parameter and a field are of one type; texts are, however long they may be. */
export const isSameType = (one: ValueType, other: ValueType): boolean =>
  (one.kind === "string" && other.kind === "string") ||
  JSON.stringify(one) === JSON.stringify(other);

const isPlain = (text: string): boolean => /^(?:-?\d+(?:\.\d+)?|[A-Za-z_]\w*)$/.test(text);

/** A value as a program writes it. */
export function writtenValue(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return typeof value !== "string" || isPlain(text) ? text : quoteText(text);
}

function sentCondition(name: string, value: Json, field: Field): SentCondition | null {
  const judge = judgeOf(name, value, field.type);
  if (judge === null) return null;
  const isCertain = field.type.kind === "boolean" || field.type.kind === "select";
  return { name, text: writtenValue(value), value, judge, isCertain, other: null, waiting: [] };
}

/** Whether a reference leads to rows that stand within one another: what is asked of one may be asked of all below it. */
function isOfTree({ cgs }: Catalog, type: ValueType): boolean {
  if (type.kind !== "entity_ref") return false;
  const fields = cgs.entities.get(type.target)?.fields.values() ?? [];
  return [...fields].some((each) => isSameType(each.type, type));
}

/** Whether a row lists what was sent beside the one that it names: an assignee among several. */
const isAmong = (fields: ReadonlyMap<string, Json>, { name, value }: SentCondition): boolean =>
  [...fields].some(
    ([other, cell]) => other !== name && Array.isArray(cell) && cell.includes(value),
  );

/** The conditions of a call that its rows show to be met or not: in a field that has the name and type of the parameter. */
function shownConditions(
  { catalog, capability, args, anchor }: CapabilityCall,
  entity: Entity,
): readonly SentCondition[] {
  return capability.parameters.flatMap(({ name, role, input }) => {
    const value = args[name] ?? anchor[name];
    const field = entity.fields.get(name);
    if (role !== "filter" || field === undefined || value === undefined) return [];
    if (input.kind !== "value" || !isSameType(input.type, field.type)) return [];
    if (isOfTree(catalog, field.type)) return [];
    const condition = sentCondition(name, value, field);
    return condition === null ? [] : [condition];
  });
}

/**
 * The rows that a cell proves not to meet a condition. One other value may be another name of what was sent (`me`,
 * a login for a number); a second, or one beside what was sent, is not, as no row has two.
 */
function unmetRows(
  condition: SentCondition,
  shown: Shown,
  cell: Json,
  index: number,
): readonly number[] {
  const { waiting } = condition;
  if (shown === "unclear") return [];
  if (shown === "other") {
    if (condition.isCertain) return [index];
    waiting.push(index);
    const value = JSON.stringify(cell);
    condition.other ??= value;
    if (condition.other === value) return [];
  }
  condition.isCertain = true;
  return waiting.splice(0);
}

/** Conditions of a call that are lists without a value, where a body does not hold them as they are (MAP-013). */
function emptyLists({ capability, template, args, anchor }: CapabilityCall): readonly string[] {
  if (template.body !== undefined) return [];
  return capability.parameters.flatMap(({ name, role }) => {
    const value = args[name] ?? anchor[name];
    return role === "filter" && Array.isArray(value) && value.length === 0 ? [name] : [];
  });
}

/**
 * Looks at each row of a list, page by page, and says which do not meet a condition that was sent: an API that does
 * not know a parameter answers as if it had not been there (RUN-111). No effect runs on such rows. Null where its rows
 * could show of no condition that it is not met.
 */
export function unmetConditions(
  feed: NodeContext,
  call: CapabilityCall,
  entity: Entity,
): ((row: EntityRow, index: number) => void) | null {
  const conditions = shownConditions(call, entity);
  const empty = emptyLists(call);
  if (conditions.length === 0 && empty.length === 0) return null;
  return ({ fields }, index) => {
    for (const name of empty) {
      const says = `${call.capability.name}: ${name} is an empty list, of which a query holds nothing: rows are not chosen by it`;
      feed.log.add("condition_unmet", `${says}; give ${name} a value, or leave it out`, index);
      feed.mark("condition_unmet");
    }
    for (const condition of conditions) {
      const cell = fields.get(condition.name) ?? null;
      if (cell === null) continue;
      const { name, text } = condition;
      const says = `${call.capability.name}: ${name}=${text} was sent, and rows have another ${name}`;
      const advice = `test the rows with not{${name}!=${text}}, or correct the catalog`;
      const judged = condition.judge(cell);
      const shown = judged === "other" && isAmong(fields, condition) ? "unclear" : judged;
      for (const row of unmetRows(condition, shown, cell, index)) {
        feed.log.add("condition_unmet", `${says}; ${advice}`, row);
        feed.mark("condition_unmet");
      }
    }
  };
}
