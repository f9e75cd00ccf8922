import { nameMessages } from "../../diagnostics/name-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import type { Chain, MapNode } from "../../language/grammar/ast.ts";
import type { ObjectValue } from "../../language/grammar/ast-values.ts";
import { clip } from "../../base/text.ts";
import { checkChain } from "../check-chain.ts";
import { type CheckContext, type RowCursor, programText } from "../check-context.ts";
import { joinedRows } from "../columns/joined-rows.ts";
import { runsEffect, noteEffect } from "../effects/effect-rows.ts";
import { wireName } from "../names/name-formatter.ts";
import type { RowType } from "../types.ts";
import { reportDuplicates } from "../steps/row-steps.ts";
import { reportNotYet } from "../steps/operator-forms.ts";
import type {
  DeriveRows,
  FilterRows,
  ForEachRows,
  JoinRows,
  Rows,
  TypedPred,
  TypedValue,
} from "../typed-program.ts";
import { readFreeColumn } from "../values/free-value.ts";
import { UNKNOWN_VALUE } from "../values/value-reading.ts";
import { predValues, readsCursor } from "../values/typed-parts.ts";
import { conjuncts, keyedRead } from "../reads/choose-list.ts";

/** `rows => body`: derived rows, or a read per row (LANG-071). Null: in error, reported. */
export function checkMap(context: CheckContext, node: MapNode): Rows | null {
  const source = checkChain(context, node.chain);
  const { derive, effects } = context.features;
  if (!derive && (!effects || node.body.kind === "ObjectValue")) {
    return reportNotYet(context, "derive", node.body.span);
  }
  if (source === null || node.body.kind === "Bad") return null;
  const outer = context.cursor;
  const cursor: RowCursor = { rows: source, paths: [], totals: [] };
  context.cursor = cursor;
  const made =
    node.body.kind === "ObjectValue"
      ? { rows: derivedRows(context, source, node, node.body), after: [] }
      : bodyPerRow(context, source, node.body);
  context.cursor = outer;
  if (made === null) return null;
  const mapped = { ...made.rows, source: joinedRows(context, source, cursor.paths, cursor.totals) };
  if (runsEffect(mapped)) return noteEffect(context, mapped);
  return made.after.reduce<Rows>((rows, step) => {
    return { ...step, source: rows, type: { ...step.type, card: "many" } };
  }, mapped);
}

function derivedRows(
  context: CheckContext,
  source: Rows,
  node: MapNode,
  body: ObjectValue,
): DeriveRows {
  const entries = body.entries.map((entry) => {
    const { key } = entry;
    const name = key.kind === "Name" ? wireName(context.exposure.symbols, key.text) : key.text;
    const reading = readFreeColumn(context, entry.value);
    for (const problem of reading.problems) context.found.add(problem);
    const value: TypedValue = reading.value ?? UNKNOWN_VALUE;
    return { at: key.span, name, value, type: reading.type };
  });
  reportDuplicates(context, entries);
  const arrow = { start: node.chain.span.end, end: body.span.end };
  const type: RowType = {
    card: source.type.card,
    entity: null,
    columns: entries.map((entry) => ({ name: entry.name, type: entry.type })),
    open: false,
    removedBy: null,
    lostBy: clip(programText(context, arrow).trim(), 40),
  };
  const columns = entries.map(({ name, value }): readonly [string, TypedValue] => [name, value]);
  return { kind: "derive", stage: context.stage, span: body.span, type, source, columns };
}

/**
 * A read or an effect whose values may be cells of the row: an entity's list or row, or a method called
 * on it. Which of the two, the call decides, not its spelling (LANG-070).
 */
function bodyPerRow(context: CheckContext, source: Rows, body: Chain): PerRow | null {
  const made = checkChain(context, body);
  if (made === null) return null;
  if (made.kind !== "effect" && !context.features.derive) {
    return reportNotYet(context, "derive", body.span);
  }
  const split = made.kind === "effect" ? { body: made, after: [] } : splitBody(context, made);
  if (split === null || (made.kind !== "effect" && !isRead(split.body))) {
    const instead =
      split === null
        ? "compare with _ only what the read itself tests: its key, or fields of its own"
        : "name an entity after =>, with _ in its key or conditions, or a method of _";
    const args = { what: `${clip(programText(context, body.span), 40)} as a body`, instead };
    context.found.add(diagnose(nameMessages.notYet, body.span, args));
    return null;
  }
  const type: RowType = { ...made.type, card: "many" };
  const { span } = body;
  const rows: ForEachRows = {
    kind: "for_each",
    stage: context.stage,
    span,
    type,
    source,
    body: split.body,
  };
  return { rows, after: split.after };
}

/** A read or effect per row, and the steps of its body that run behind all its rows. */
interface PerRow {
  readonly rows: ForEachRows;
  readonly after: SplitBody["after"];
}

/** Whether rows are one read with filters, made by the body alone. */
function isRead(rows: Rows): boolean {
  let at = rows;
  while (at.kind === "filter") at = at.source;
  return at.kind === "list" || at.kind === "get";
}

/** A body, and the steps of it that run once behind all its rows, innermost first. */
interface SplitBody {
  readonly body: Rows;
  readonly after: readonly (FilterRows | JoinRows)[];
}

/**
 * A body as one read per row, and what is tested behind it: conditions on fields of other entities, and
 * those beside a whole key, which no read takes (LANG-071). The rows are the same, since neither adds
 * any. Null if what would be behind reads the row the `=>` is at.
 */
function splitBody(context: CheckContext, made: Rows): SplitBody | null {
  const after: (FilterRows | JoinRows)[] = [];
  let at = made;
  while (at.kind === "join" || (at.kind === "filter" && isBehindJoin(at))) {
    after.unshift(at);
    at = at.source;
  }
  const keyed = splitKey(context, at);
  const steps = keyed === null ? after : [keyed.rest, ...after];
  const isFree = steps.every((step) => step.kind === "join" || !readsCursorIn(step.pred));
  return isFree ? { body: keyed?.body ?? at, after: steps } : null;
}

function isBehindJoin(rows: FilterRows): boolean {
  let at: Rows = rows;
  while (at.kind === "filter") at = at.source;
  return at.kind === "join";
}

/** Conditions that name a key, and those beside it (LANG-027); null where there are no two such parts. */
function splitKey(
  context: CheckContext,
  rows: Rows,
): { readonly body: Rows; readonly rest: FilterRows } | null {
  if (rows.kind !== "filter") return null;
  const conditions: TypedPred[] = [];
  let at: Rows = rows;
  while (at.kind === "filter") {
    conditions.push(...conjuncts(at.pred));
    at = at.source;
  }
  const keyed = at.kind === "list" ? keyedRead(context, at, conditions) : null;
  if (keyed === null || keyed.rest.length === 0) return null;
  const rest = new Set(keyed.rest);
  const own = conditions.filter((each) => !rest.has(each));
  const body: FilterRows = { ...rows, source: at, pred: { kind: "and", items: own } };
  return { body, rest: { ...rows, source: body, pred: { kind: "and", items: keyed.rest } } };
}

function readsCursorIn(pred: TypedPred): boolean {
  return predValues(pred).some(readsCursor);
}
