import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { joinMessages } from "../../diagnostics/join-messages.ts";
import { stepMessages } from "../../diagnostics/step-messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Name, Path } from "../../language/grammar/ast-values.ts";
import type { CheckContext } from "../check-context.ts";
import { droppedProblem } from "../names/problems.ts";
import {
  nameMeaning,
  type NameFormatter,
  speakerLike,
  symbolProblem,
  wireName,
} from "../names/name-formatter.ts";
import { navigation } from "../relations/relation-reading.ts";
import { type ColumnType, entityRows, type RowType, typeText } from "../types.ts";
import {
  columnMeaning,
  columnNames,
  type Join,
  linkOf,
  linkOfType,
  longestColumn,
} from "./row-columns.ts";
import { unknownColumn, unreadableColumn } from "./unknown-column.ts";

const MOST_STEPS = 3;

/** A field of another entity, or what keeps a path from being one. */
type ForeignMeaning =
  | { readonly kind: "column"; readonly path: readonly string[]; readonly type: ColumnType }
  | { readonly kind: "problem"; readonly problem: Diagnostic };

/**
 * Follows a path over up to three to-one steps (LANG-053): `link` is where `own`, its first column,
 * leads, `rest` what is read there.
 */
function resolveForeign(
  context: CheckContext,
  path: Path,
  own: readonly string[],
  link: Omit<Join, "path">,
  rest: readonly Name[],
): ForeignMeaning {
  const names = [...own];
  let rows = entityRows(link.target, "opt");
  let steps = 1;
  for (const [at, segment] of rest.entries()) {
    const name = wireName(context.exposure.symbols, segment.text);
    names.push(name);
    const further = rest.slice(at + 1);
    const column = columnMeaning(context.exposure, rows, name);
    if (further.length === 0 && column.kind === "column") {
      return { kind: "column", path: names, type: column.type };
    }
    if (column.kind === "column" && column.type.type.kind === "json") {
      const keys = further.map((key) => key.text);
      return { kind: "column", path: [...names, ...keys], type: JSON_TYPE };
    }
    const next = further.length === 0 ? null : linkOf(context, rows, name);
    if (next === null)
      return { kind: "problem", problem: deadEnd(context, path, rows, segment, further) };
    steps += 1;
    if (steps > MOST_STEPS) {
      const text = path.segments.map((each) => each.text).join(".");
      const problem = diagnose(stepMessages.tooFar, path.span, { path: text, most: MOST_STEPS });
      return { kind: "problem", problem };
    }
    rows = entityRows(next.target, "opt");
  }
  throw new Error("A foreign path has something behind its reference.");
}

/** Why a segment of a foreign path leads nowhere. */
function deadEnd(
  context: CheckContext,
  path: Path,
  rows: RowType,
  segment: Name,
  further: readonly Name[],
): Diagnostic {
  const speaker = speakerLike(context.exposure, segment.text);
  const name = wireName(context.exposure.symbols, segment.text);
  const { entity } = rows;
  const receiver = () => (entity === null ? "these rows" : speaker.entity(entity));
  const column = columnMeaning(context.exposure, rows, name);
  if (column.kind === "relation") {
    const args = { name: speaker.code(name), receiver: receiver() };
    return diagnose(nameMessages.relationAsValue, segment.span, args);
  }
  const [part] = further;
  if (column.kind === "column" && column.type.type.kind === "entity_ref" && further.length > 0) {
    const { entryId, type } = column.type;
    const field = further.map((each) => wireName(context.exposure.symbols, each.text));
    const foreign = { path: [name, ...field], target: type.target, entryId: entryId ?? "" };
    return unreadableColumn(context, path, foreign);
  }
  if (column.kind === "column" && part !== undefined) {
    const type = typeText(context.exposure, column.type);
    return diagnose(stepMessages.noParts, part.span, { name: segment.text, type, part: part.text });
  }
  const columns = () => columnNames(context.exposure, rows);
  return unknownColumn(speaker, segment, name, columns, receiver);
}

/** What a path reads on rows of a type. */
export type PathMeaning =
  | { readonly kind: "column"; readonly path: readonly string[]; readonly type: ColumnType }
  /** a field of another entity, reached over a reference that no join follows */
  | {
      readonly kind: "foreign";
      readonly path: readonly string[];
      readonly target: string;
      readonly entryId: string;
    }
  /** no column; the diagnostic says so in the words of a column */
  | { readonly kind: "unknown"; readonly name: string; readonly problem: Diagnostic }
  | { readonly kind: "problem"; readonly problem: Diagnostic };

const JSON_TYPE: ColumnType = { entryId: null, type: { kind: "json" } };

/** Binds a path to columns (LANG-024, LANG-053, LANG-063); nothing is reported. */
export function resolvePath(context: CheckContext, rows: RowType, path: Path): PathMeaning {
  const dotted = dottedColumn(context, rows, path);
  if (dotted !== null) return dotted;
  const [first, ...rest] = path.segments;
  if (first === undefined) throw new Error("A path has at least one segment.");
  const meaning = nameMeaning(context.exposure.symbols, first.text);
  if (meaning.kind === "entity" || meaning.kind === "method") {
    return { kind: "problem", problem: symbolProblem(context, first, "p") };
  }
  const column = columnMeaning(context.exposure, rows, meaning.text);
  if (column.kind === "column") {
    return withRest(context, path, meaning.text, column.type, rest);
  }
  if (column.kind === "none" && meaning.kind === "unallocated") {
    return { kind: "problem", problem: symbolProblem(context, first, "p") };
  }
  const speaker = speakerLike(context.exposure, first.text);
  const receiver = () => rowsName(speaker, rows);
  if (column.kind === "relation" && rest.length > 0 && context.features.join) {
    const link = linkOf(context, rows, meaning.text);
    if (link !== null) return resolveForeign(context, path, [meaning.text], link, rest);
    const to = rows.entity === null ? null : navigation(context, rows.entity, meaning.text);
    if (to !== null && to.cardinality === "one") {
      const { entryId, entity: target } = to.target;
      return { kind: "foreign", path: [meaning.text, ...wires(context, rest)], target, entryId };
    }
  }
  if (column.kind === "relation") {
    const name = speaker.code(meaning.text);
    const problem = diagnose(nameMessages.relationAsValue, first.span, {
      name,
      receiver: receiver(),
    });
    return { kind: "problem", problem };
  }
  const ofLeft = leftColumn(context, rows, path, first, rest);
  if (ofLeft !== null) return { kind: "problem", problem: ofLeft };
  const columns = () => columnNames(context.exposure, rows);
  if (column.kind === "removed") {
    const problem = diagnoseLater(stepMessages.lostColumn, first.span, () => {
      const args = {
        name: speaker.name(meaning.text),
        step: column.by,
        columns: speaker.names(columns(), meaning.text),
      };
      return diagnose(stepMessages.lostColumn, first.span, args);
    });
    return { kind: "problem", problem };
  }
  const dropped =
    rows.entity === null
      ? null
      : droppedProblem(context, rows.entity, meaning.text, first.span, ["field"]);
  if (dropped !== null) return { kind: "problem", problem: dropped };
  return {
    kind: "unknown",
    name: meaning.text,
    problem: unknownColumn(speaker, first, meaning.text, columns, receiver),
  };
}

/** `orders.id` on rows that `orders` was joined to others in: columns of the left side keep their names (LANG-090). */
function leftColumn(
  context: CheckContext,
  rows: RowType,
  path: Path,
  first: Name,
  [second, ...rest]: readonly Name[],
): Diagnostic | null {
  const isJoined = rows.entity === null && rows.columns?.some(({ name }) => name.includes("."));
  if (isJoined !== true || second === undefined || context.labels.peek(first.text) === null) {
    return null;
  }
  const name = wireName(context.exposure.symbols, second.text);
  if (columnMeaning(context.exposure, rows, name).kind !== "column") return null;
  const form = [second, ...rest].map(({ text }) => text).join(".");
  const edits = [{ span: path.span, replacement: form }];
  return diagnose(joinMessages.leftColumn, path.span, { label: first.text, form }, edits);
}

function wires(context: CheckContext, names: readonly Name[]): readonly string[] {
  return names.map((name) => wireName(context.exposure.symbols, name.text));
}

/** How rows are called in an error. */
function rowsName(speaker: NameFormatter, rows: RowType): string {
  return rows.entity === null ? "these rows" : speaker.entity(rows.entity);
}

/** A column whose name has dots: a path that a projection made a column (LANG-064). */
function dottedColumn(context: CheckContext, rows: RowType, path: Path): PathMeaning | null {
  if (rows.columns === null || path.segments.length < 2) return null;
  const { symbols } = context.exposure;
  const names = path.segments.map(({ text }, at) => {
    // The columns of joined rows that were read inline go by the name of their entity.
    const meaning = at === 0 ? nameMeaning(symbols, text) : null;
    return meaning?.kind === "entity" ? meaning.key.entity : wireName(symbols, text);
  });
  const column = longestColumn(rows, names);
  if (column === null) return null;
  const rest = path.segments.slice(column.name.split(".").length);
  return withRest(context, path, column.name, column.type, rest);
}

function withRest(
  context: CheckContext,
  path: Path,
  name: string,
  type: ColumnType,
  rest: readonly Name[],
): PathMeaning {
  const own = name.split(".");
  const [next] = rest;
  if (next === undefined) return { kind: "column", path: own, type };
  if (type.type.kind === "json") {
    return { kind: "column", path: [...own, ...rest.map((key) => key.text)], type: JSON_TYPE };
  }
  const link = context.features.join ? linkOfType(context, type) : null;
  if (link !== null) return resolveForeign(context, path, own, link, rest);
  if (type.type.kind === "entity_ref" && type.entryId !== null) {
    const { target } = type.type;
    const { entryId } = type;
    return { kind: "foreign", path: [...own, ...wires(context, rest)], target, entryId };
  }
  const first = path.segments[0]?.text ?? name;
  const args = {
    name: first,
    type: typeText(context.exposure, type),
    part: next.text,
  };
  const isDatePart = type.type.kind === "date" && DATE_PARTS.has(next.text);
  const entry = isDatePart ? stepMessages.datePart : stepMessages.noParts;
  return { kind: "problem", problem: diagnose(entry, next.span, args) };
}

/** Functions of dates that are written as parts of them elsewhere. */
const DATE_PARTS: ReadonlySet<string> = new Set([
  "year",
  "month",
  "week",
  "weekday",
  "day",
  "hour",
  "date",
]);
