import { instantOf } from "../../values/dates.ts";
import { type Json, mayBeList, type ValueType } from "../../values/value-type.ts";
import { compareCells } from "../../values/sort-key.ts";
import { isPresent, testValue } from "../../values/test-value.ts";
import { canonicalDate } from "../../values/coerce-value.ts";
import { addNote, type CheckContext, programText } from "../check-context.ts";
import type { TypedCondition, Rows, TypedPred } from "../typed-program.ts";
import { constantOf } from "../values/scalar-values.ts";

/** A condition that must hold, or with `negated` must not. */
interface Fact {
  readonly pred: TypedPred;
  readonly negated: boolean;
}

/**
 * Notes conditions of rows and of the steps they come from that no row meets together, and groups of
 * conditions that every row meets (LANG-051): what a program means by them is something else. Only what
 * holds whatever the rows are is noted.
 */
export function noteContradictions(context: CheckContext, rows: Rows): void {
  const preds = conditionsOf(rows);
  const culprits = impossible(preds.flatMap((pred) => facts(pred, false)));
  if (culprits !== null) addNote(context, "contradiction", neverText(context, culprits), "review");
  for (const pred of preds) noteGroups(context, pred);
}

/** The conditions that rows met on their way: steps between keep what columns say. */
function conditionsOf(rows: Rows): readonly TypedPred[] {
  const preds: TypedPred[] = [];
  let at: Rows = rows;
  for (;;) {
    switch (at.kind) {
      case "filter":
        preds.unshift(at.pred);
        at = at.source;
        break;
      case "join":
      case "limit":
      case "page_size":
      case "sort":
      case "singleton":
      case "distinct":
      case "project":
        at = at.source;
        break;
      default:
        return preds;
    }
  }
}

function noteGroups(context: CheckContext, pred: TypedPred): void {
  switch (pred.kind) {
    case "and":
      for (const item of pred.items) noteGroups(context, item);
      return;
    case "or": {
      const culprits = impossible(facts(pred, true));
      if (culprits !== null)
        return addNote(context, "always_true", alwaysText(context, "any", culprits), "review");
      for (const item of pred.items) {
        const never = impossible(facts(item, false));
        if (never === null) noteGroups(context, item);
        else addNote(context, "contradiction", neverText(context, never), "review");
      }
      return;
    }
    case "not": {
      const culprits = impossible(facts(pred.pred, false));
      if (culprits === null) return noteGroups(context, pred.pred);
      return addNote(context, "always_true", alwaysText(context, "not", culprits), "review");
    }
    case "exists":
    case "test":
    case "bad":
    case "condition":
      return;
  }
}

/** What must hold for a condition to hold, or with `negated` not to, as far as that is one conjunction. */
function facts(pred: TypedPred, negated: boolean): readonly Fact[] {
  if (pred.kind === "not") return facts(pred.pred, !negated);
  if (pred.kind !== "and" && pred.kind !== "or") return [{ pred, negated }];
  const splits = pred.kind === (negated ? "or" : "and") || pred.items.length === 1;
  return splits ? pred.items.flatMap((item) => facts(item, negated)) : [{ pred, negated }];
}

/** Some facts about one column that no value of it meets together, or null if there are none such. */
function impossible(all: readonly Fact[]): readonly Fact[] | null {
  const byPath = new Map<string, Fact[]>();
  for (const fact of all) {
    const leaves = constantLeaves(fact.pred);
    const paths = new Set(leaves?.map(({ path }) => path.join("\0")));
    const [path] = paths;
    if (path === undefined || paths.size > 1) continue;
    byPath.set(path, [...(byPath.get(path) ?? []), fact]);
  }
  for (const group of byPath.values()) {
    const found = noValue(group) ?? noRange(group);
    if (found !== null) return found;
  }
  return null;
}

type Leaf = TypedCondition | Extract<TypedPred, { kind: "exists" }>;

/** The comparisons a condition is made of, or null if one of them is not with a constant. */
function constantLeaves(pred: TypedPred): readonly Leaf[] | null {
  switch (pred.kind) {
    case "and":
    case "or": {
      const parts = pred.items.map(constantLeaves);
      return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
    }
    case "not":
      return constantLeaves(pred.pred);
    case "exists":
      return [pred];
    case "test":
    case "bad":
      return null;
    case "condition":
      return pred.column === null || constantOf(pred.tested) === undefined ? null : [pred];
  }
}

function holds(pred: TypedPred, cell: Json): boolean {
  switch (pred.kind) {
    case "and":
      return pred.items.every((item) => holds(item, cell));
    case "or":
      return pred.items.some((item) => holds(item, cell));
    case "not":
      return !holds(pred.pred, cell);
    case "exists":
      return isPresent(cell);
    case "test":
    case "bad":
      return true;
    case "condition":
      return testValue(
        cell,
        pred.op,
        constantOf(pred.tested) ?? null,
        pred.column ?? { kind: "json" },
      );
  }
}

/** The only values with which a fact is met, or null if they are many. */
function candidates({ pred, negated }: Fact): readonly Json[] | null {
  if (pred.kind === "exists") {
    if (!negated) return null;
    return mayBeList(pred.column) ? [null, []] : [null];
  }
  if (pred.kind !== "condition") return null;
  const value = constantOf(pred.tested) ?? null;
  const isExact = value === null || (pred.column !== null && equalsOnce(pred.column));
  if (!isExact) return null;
  if (pred.op === (negated ? "!=" : "=")) return [value];
  return pred.op === "in" && !negated && Array.isArray(value) ? (value as readonly Json[]) : null;
}

/** Whether a cell equals one value alone: a list equals each of its elements, a date each time of its day. */
function equalsOnce({ kind }: ValueType): boolean {
  return kind !== "array" && kind !== "multi_select" && kind !== "json" && kind !== "date";
}

function noValue(group: readonly Fact[]): readonly Fact[] | null {
  for (const fact of group) {
    const values = candidates(fact);
    if (values !== null) return refusing(group, fact, values);
  }
  return null;
}

function refusing(
  group: readonly Fact[],
  exact: Fact,
  values: readonly Json[],
): readonly Fact[] | null {
  const meets = (fact: Fact, value: Json) => holds(fact.pred, value) !== fact.negated;
  if (values.some((value) => group.every((fact) => meets(fact, value)))) return null;
  return group.filter((fact) => fact === exact || values.some((value) => !meets(fact, value)));
}

interface Bound {
  readonly fact: Fact;
  readonly type: ValueType;
  readonly value: Json;
  readonly strict: boolean;
}

/** Whether lower and upper bounds of numbers, dates or text leave nothing between them. */
function noRange(group: readonly Fact[]): readonly Fact[] | null {
  const lower: Bound[] = [];
  const upper: Bound[] = [];
  for (const fact of group) {
    const { pred, negated } = fact;
    if (negated || pred.kind !== "condition") continue;
    const type = pred.column;
    const value = constantOf(pred.tested) ?? null;
    // The kind of json is known only at run.
    if (value === null || type === null || type.kind === "json") continue;
    const bound = { fact, type, value, strict: pred.op === ">" || pred.op === "<" };
    if (pred.op === ">" || pred.op === ">=") lower.push(bound);
    if (pred.op === "<" || pred.op === "<=") upper.push(bound);
    const day = pred.op === "=" && type.kind === "date" ? dayOf(value) : null;
    if (day === null) continue;
    lower.push({ fact, type, value: day.start, strict: false });
    upper.push({ fact, type, value: day.end, strict: true });
  }
  for (const low of lower) {
    for (const high of upper) {
      const order = compareCells(low.value, high.value, low.type);
      if (order < 0 || low.fact === high.fact) continue;
      const isEmpty = order > 0 || low.strict || high.strict;
      // Bounds that meet leave one value, which another condition may refuse.
      const refused = isEmpty ? [] : onlyRefused(group, low);
      if (refused === null) continue;
      return group.filter(
        (fact) => fact === low.fact || fact === high.fact || refused.includes(fact),
      );
    }
  }
  return null;
}

const onlyRefused = (group: readonly Fact[], { fact, type, value }: Bound) =>
  equalsOnce(type) ? refusing(group, fact, [value]) : null;

const DAY = 86_400;

/** A date equals what is of its day in UTC, where one of the two has no time (RUN-113). */
function dayOf(value: Json): { readonly start: Json; readonly end: Json } | null {
  const instant = instantOf(value, "rfc3339");
  if (instant === null) return null;
  const seconds = Math.floor(instant.seconds / DAY) * DAY;
  const at = (moved: number) => canonicalDate({ seconds: seconds + moved, nanos: 0, bare: false });
  return { start: at(0), end: at(DAY) };
}

function neverText(context: CheckContext, culprits: readonly Fact[]): string {
  const either = equalities(context, culprits, "=");
  const texts = textsOf(context, culprits, false).join(" and ");
  const advice =
    either === null ? "" : `; for either, write ${either.name} in [${either.values.join(", ")}]`;
  return `no row has ${texts}, so there are 0 rows${advice}`;
}

function alwaysText(
  context: CheckContext,
  group: "any" | "not",
  culprits: readonly Fact[],
): string {
  const neither = equalities(context, culprits, group === "not" ? "=" : "!=");
  const texts = textsOf(context, culprits, group === "any").join(", ");
  const forms = neither?.values.map((value) => `${neither.name}!=${value}`).join(", ");
  const advice = forms === undefined ? "" : `; for neither, write ${forms}`;
  return `every row meets ${group}{${texts}}${advice}`;
}

/** Facts as written; those of an `any{}` have been negated to see whether all can fail. */
function textsOf(
  context: CheckContext,
  culprits: readonly Fact[],
  flipped: boolean,
): readonly string[] {
  return culprits.map(({ pred, negated }) => {
    const text = predText(context, pred);
    return negated === flipped ? text : `not{${text}}`;
  });
}

function predText(context: CheckContext, pred: TypedPred): string {
  switch (pred.kind) {
    case "and":
      return `all{${pred.items.map((item) => predText(context, item)).join(", ")}}`;
    case "or":
      return `any{${pred.items.map((item) => predText(context, item)).join(", ")}}`;
    case "not":
      return `not{${predText(context, pred.pred)}}`;
    case "exists":
      return `exists(${pred.path.join(".")})`;
    case "bad":
      return "";
    case "test":
    case "condition":
      return programText(context, pred.span);
  }
}

/** The name and the values, as written, of comparisons with one operator that contend; else null. */
function equalities(context: CheckContext, culprits: readonly Fact[], op: "=" | "!=") {
  const values: string[] = [];
  let name = "";
  for (const { pred, negated } of culprits) {
    const isOwn = pred.kind === "condition" && pred.op === op && negated === (op === "!=");
    if (!isOwn || constantOf(pred.tested) === null) return null;
    name = programText(context, pred.nameSpan);
    const behind = { start: pred.nameSpan.end, end: pred.span.end };
    values.push(programText(context, behind).trim().slice(op.length).trim());
  }
  return { name, values };
}
