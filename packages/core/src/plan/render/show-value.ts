import { isEdit } from "../../values/edits.ts";
import { durationText, monthsText } from "../../values/moments.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import { type Json, isArray } from "../../values/value-type.ts";
import { visible } from "../../base/text.ts";
import { relativeDateValue } from "../../values/relative-date.ts";
import { namedFile } from "../algebra.ts";
import type { PlanValue, PlanPred } from "../ir.ts";

const LONGEST = 80;
/** An edit has two parts, each cut at that, and may be an edit of an edit. */
const LONGEST_EDIT = 400;

/** How values are shown in a dry run. */
export interface ValueStyle {
  /** text of reads stands bare where it can, text of effects always in quotes */
  readonly quoteAll: boolean;
  /** the label of a node, for holes */
  labelOf(node: string): string;
  /** milliseconds since the epoch for relative dates, or null to leave their value out */
  readonly now: number | null;
}

/** A value as a program would write it, holes as references, cut with its length (PLAN-040). */
export function showValue(value: PlanValue, style: ValueStyle): string {
  if ("lit" in value) return cut(showJson(value.lit, style));
  if ("dec" in value) return cut(value.dec);
  if ("now" in value) {
    const today = style.now === null ? null : relativeDateValue(value.now, style.now, null);
    return today === null ? value.now : `${value.now} (${today})`;
  }
  if ("from" in value) return [style.labelOf(value.from), ...value.path].join(".");
  if ("row" in value) return ["_", ...value.row].join(".");
  if ("ref" in value) return `${value.ref.entity}(${showNamed(value.ref.key, style).join(", ")})`;
  if ("cell" in value) return value.cell.join(".");
  if ("total" in value) return `${value.total}.${value.of}`;
  if ("args" in value) {
    const shown = showComputed(value, style);
    return isEdit(value.op) ? cut(shown, LONGEST_EDIT) : cut(shown);
  }
  if ("list" in value)
    return cut(`[${value.list.map((item) => showValue(item, style)).join(", ")}]`);
  const members = Object.entries(value.obj).map(
    ([key, each]) => `${showKey(key)}: ${showValue(each, style)}`,
  );
  return cut(`{${members.join(", ")}}`);
}

/** Named values as arguments, sorted as the plan has them. */
export function showNamed(
  values: Readonly<Record<string, PlanValue>>,
  style: ValueStyle,
): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name}=${showValue(value, style)}`);
}

const SIGNS: Readonly<Record<string, string>> = {
  add: "+",
  concat: "+",
  later: "+",
  later_months: "+",
  list_add: "+",
  subtract: "-",
  earlier: "-",
  earlier_months: "-",
  seconds: "-",
  list_remove: "-",
  multiply: "*",
  divide: "/",
  remainder: "%",
};
const OPERATOR = /^(?:[=!<>~]+|in|and|or)$/;

/** What an operation computes, as a program would write it. */
function showComputed(value: Extract<PlanValue, { args: unknown }>, style: ValueStyle): string {
  const { op, args } = value;
  const shown = args.map((arg) => {
    const text = showValue(arg, style);
    return "args" in arg && isInfix(arg.op) ? `(${text})` : text;
  });
  const [first = "", second = "", third = ""] = shown;
  const isMoment = op === "moment" || op === "moments" || op === "days";
  if (isMoment) return first;
  if (op === "later" || op === "earlier")
    return `${first} ${SIGNS[op]} ${duration(args[1], second, durationText, "seconds")}`;
  if (op === "later_months" || op === "earlier_months")
    return `${first} ${SIGNS[op]} ${duration(args[1], second, monthsText, "months")}`;
  if (isInfix(op)) return shown.join(` ${SIGNS[op] ?? op} `);
  if (op === "not") return `not ${first}`;
  if (op === "negate") return `-${first}`;
  if (op === "element") return `${first}[${second}]`;
  if (op === "slice")
    return `${first}[${second === "null" ? "" : second}:${third === "null" ? "" : third}]`;
  if (isEdit(op)) return showEdit(op, shown);
  if (op === "file") return `file(${quoteText(namedFile(value)?.name ?? "")})`;
  const name = op === "least" ? "min" : op === "greatest" ? "max" : op;
  return `${name}(${shown.join(", ")})`;
}

/**
 * An edit in the words of a program: `replace(b.body, "old", "new")`. Who reviews it sees what is looked for and what is
 * put there, each cut by itself (LANG-056).
 */
function showEdit(op: string, [value = "", ...parts]: readonly string[]): string {
  const [first = "", second = ""] = parts;
  switch (op) {
    case "replace":
      return `replace(${value}, ${first}, ${second}, all)`;
    case "replace_one":
      return `replace(${value}, ${first}, ${second})`;
    case "insert_after":
    case "insert_before":
      return `insert(${value}, ${second}, ${op.slice(7)}=${first})`;
    case "set_member":
      return `set(${value}, ${pathShown(parts.slice(1))}, ${first})`;
    default:
      return `remove(${value}, ${pathShown(parts)})`;
  }
}

/** The keys of a member, each in the form of a value, as one path. */
function pathShown(keys: readonly string[]): string {
  const path = keys.map((key) =>
    /^"(?:[A-Za-z_][\w-]*|\d+)"$/.test(key) ? key.slice(1, -1) : key,
  );
  const text = path.join(".");
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

const isInfix = (op: string): boolean => Object.hasOwn(SIGNS, op) || OPERATOR.test(op);

/** Seconds or months as a length of time, `2d`; what only the run knows, with its unit. */
function duration(
  value: PlanValue | undefined,
  text: string,
  written: (count: number) => string | null,
  unit: string,
): string {
  const count = value !== undefined && "lit" in value ? value.lit : null;
  return (typeof count === "number" ? written(count) : null) ?? `${text} ${unit}`;
}

function showJson(value: Json, style: ValueStyle): string {
  if (typeof value === "string") return showText(value, style);
  if (isArray(value)) return `[${value.map((item) => showJson(item, style)).join(", ")}]`;
  return visible(JSON.stringify(value));
}

/** A key of an object as a program writes it: one that is no NAME in quotes (LANG-006). */
export const showKey = (key: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? key : quoteText(key);

function showText(text: string, style: ValueStyle): string {
  const bare = /^[A-Za-z0-9_.:@/+-]+$/.test(text);
  return bare && !style.quoteAll ? text : quoteText(text);
}

/** A text of at most 80 characters, or as many as `most`; a longer one with its length (PLAN-040). */
export function cut(text: string, most = LONGEST): string {
  const points = Array.from(text);
  return points.length <= most
    ? text
    : `${points.slice(0, most).join("")}… (${points.length} characters)`;
}

/** The conditions that all hold, one text each: `built < 2015-01-01`. */
export function showConditions(pred: PlanPred | null, style: ValueStyle): readonly string[] {
  if (pred === null) return [];
  return "and" in pred ? pred.and.map((item) => showPred(item, style)) : [showPred(pred, style)];
}

/** A condition in the words of the language, with blanks around the operator. */
function showPred(pred: PlanPred, style: ValueStyle): string {
  if ("and" in pred) return group("all", pred.and, style);
  if ("or" in pred) return group("any", pred.or, style);
  if ("not" in pred) return group("not", [pred.not], style);
  if ("exists" in pred) return `exists(${pred.exists.join(".")})`;
  if ("test" in pred) return showValue(pred.test, style);
  return `${pred.path.join(".")} ${pred.op} ${showValue(pred.value, style)}`;
}

function group(word: string, items: readonly PlanPred[], style: ValueStyle): string {
  return `${word}{${items.map((item) => showPred(item, style)).join(", ")}}`;
}

/** A value of a plan in the words of a program, as messages of a run show it. */
export function valueText(value: PlanValue): string {
  // An edit is shown whole to who reviews it; beside what is wrong with it its beginning is enough.
  return cut(showValue(value, { quoteAll: false, labelOf: (node) => node, now: null }));
}
