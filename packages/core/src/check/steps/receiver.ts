import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { EntityKey } from "../../catalog/federation.ts";
import type { Call } from "../../language/grammar/ast.ts";
import { effectKind } from "../../policy/may-use.ts";
import type { Capability } from "../../model/model.ts";
import { spanIn } from "../../base/source.ts";
import type { TextRange } from "../../base/span.ts";
import { clip } from "../../base/text.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { columnMeaning, columnNames } from "../columns/row-columns.ts";
import { nameMeaning, speakerLike } from "../names/name-formatter.ts";
import { keyTypes, type RowType } from "../types.ts";
import type { Rows } from "../typed-program.ts";
import { sampleReference } from "../values/slot-problems.ts";
import { callForm } from "./call-form.ts";
import { nameList } from "../../diagnostics/nearest-name.ts";
import type { Name } from "../../language/grammar/ast-values.ts";
import { operatorForm } from "./operator-forms.ts";

/** The row of rows, or the row a `=>` is at, that a call is made on. */
export interface RowReceiver {
  readonly kind: "rows" | "cursor";
  readonly key: EntityKey;
  readonly rows: Rows;
  /** where it stands in the program */
  readonly place: TextRange;
}

/** What a call is made on: an entity itself, or the one row of rows (LANG-025). */
export type Receiver =
  | { readonly kind: "entity"; readonly key: EntityKey; readonly place: TextRange }
  | RowReceiver;

/** A method of one row, called on the entity itself: the call on a row. */
export function needsTarget(
  context: CheckContext,
  receiver: Receiver,
  capability: Capability,
  step: Call,
): Diagnostic {
  const { exposure } = context;
  const { key } = receiver;
  const named = sampleReference(exposure, key.entryId, key.entity).replace(
    key.entity,
    programText(context, receiver.place).trim(),
  );
  const args = {
    name: step.name.text,
    receiver: speakerLike(exposure, step.name.text).entity(key),
    call: `${named}.${callForm(context, key, capability, step.name.text)}`,
  };
  return diagnose(
    nameMessages.needsTarget,
    step.name.span,
    args,
    targetEdits(context, receiver, capability, step),
  );
}

/**
 * The key among the arguments belongs to the entity: `E.get(id=v)` is `E(id=v)`, and `E.update(id=v, p=w)`
 * is `E(id=v).update(p=w)`, unless the method takes the key itself.
 */
function targetEdits(
  context: CheckContext,
  { key, place }: Receiver,
  capability: Capability,
  step: Call,
): readonly Edit[] | undefined {
  const parts = keyTypes(context.exposure, key.entryId, key.entity).map(([part]) => part);
  const [first, ...others] = step.args;
  if (first === undefined || parts.length !== 1) return undefined;
  const named =
    first.name === undefined ? null : nameMeaning(context.exposure.symbols, first.name.text);
  const isKey = named !== null && "text" in named && named.text === parts[0];
  const dot = step.span.start;
  if (capability.kind === "get" && others.length === 0 && (named === null || isKey)) {
    return [{ span: { start: dot, end: step.name.span.end }, replacement: "" }];
  }
  const [next] = others;
  if (!isKey || next === undefined) return undefined;
  const at = place.start + programText(context, place).trimEnd().length;
  return [
    { span: { start: at, end: at }, replacement: `(${programText(context, first.span)})` },
    { span: { start: first.span.start, end: next.span.start }, replacement: "" },
  ];
}

/** A create, list or keyless get, called on a row: the call on the entity. */
export function wrongReceiver(
  context: CheckContext,
  key: EntityKey,
  capability: Capability,
  step: Call,
): Diagnostic {
  const entity = speakerLike(context.exposure, step.name.text).entity(key);
  const form = callForm(context, key, capability, step.name.text);
  const args = { name: step.name.text, entity, call: `${entityCode(entity)}.${form}` };
  return diagnose(nameMessages.wrongReceiver, step.name.span, args);
}

/** A call on many rows: the `=>` form, where that can be written, else a narrower receiver. */
export function manyRows(
  context: CheckContext,
  receiver: RowReceiver,
  capability: Capability,
  step: Call,
): Diagnostic {
  const { features, source } = context;
  const { start } = receiver.place;
  const label = programText(context, receiver.place).trim();
  const span = spanIn(source, start, start + label.length);
  const args = { label: clip(label, 60), name: step.name.text };
  const isTaught = effectKind(capability.kind) === null ? features.derive : features.effects;
  if (!isTaught || context.cursor !== null) {
    return diagnose(nameMessages.notSingletonCall, span, args);
  }
  const arrow = ` => ${rowCode(context, receiver, step)}.`;
  const called = programText(context, { start: step.name.span.start, end: step.span.end });
  const form = clip(`${label}${arrow}${called}`, 120);
  const between = { start: span.end, end: step.name.span.start };
  const edits = [{ span: between, replacement: arrow }];
  return diagnose(nameMessages.notSingletonEach, span, { ...args, form }, edits);
}

/** The row at hand as code: its constructor with the key from `_`, or `_` if the key is no column. */
function rowCode(context: CheckContext, { key, rows }: RowReceiver, step: Call): string {
  const { exposure } = context;
  const speaker = speakerLike(exposure, step.name.text);
  const parts = keyTypes(exposure, key.entryId, key.entity).map(([part]) => part);
  const isColumn = (part: string): boolean =>
    columnMeaning(exposure, rows.type, part).kind === "column";
  if (!parts.every(isColumn)) return "_";
  const cells = parts.map((part) => {
    const name = speaker.code(part);
    return parts.length === 1 ? `_.${name}` : `${name}=_.${name}`;
  });
  return `${entityCode(speaker.entity(key))}(${cells.join(", ")})`;
}

/** The symbol or name in front of a gloss like `e1 (Boat)`. */
function entityCode(said: string): string {
  return said.split(" ")[0] ?? said;
}

/** A call on rows without identity: nothing can be called on them (LANG-069). */
export function lostReceiver(context: CheckContext, rows: Rows, step: Call): null {
  const { lostBy } = rows.type;
  const grouped = lostBy?.includes("group_by") === true && step.name.text === "count";
  const form = grouped
    ? "n=count inside it: .group_by(column, n=count)"
    : operatorForm(step.name.text);
  context.found.add(
    form === undefined
      ? nowhere(context, rows.type, step.name)
      : diagnose(nameMessages.methodIsOperator, step.name.span, {
          name: step.name.text,
          operator: form,
        }),
  );
  return null;
}

/** A step or call on rows that are of no entity, or are no longer (LANG-069). */
export function nowhere(context: CheckContext, type: RowType, name: Name): Diagnostic {
  if (type.lostBy !== null) {
    const args = { name: name.text, step: type.lostBy };
    return diagnose(nameMessages.relationLost, name.span, args);
  }
  return diagnoseLater(nameMessages.rowsOfNoEntity, name.span, () => {
    const columns = nameList(columnNames(context.exposure, type), name.text);
    return diagnose(nameMessages.rowsOfNoEntity, name.span, { name: name.text, columns });
  });
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The parameters that rows carry on from the relation they were read by, whatever steps came since
 * (RUN-044): a call on such a row need not name them (RUN-010, RUN-011).
 */
export function carriedNames(rows: Rows): ReadonlySet<string> {
  switch (rows.kind) {
    case "relation":
      return "bindings" in rows.reading ? new Set(rows.reading.bindings.keys()) : NONE;
    case "filter":
    case "limit":
    case "page_size":
    case "sort":
    case "project":
    case "singleton":
    case "distinct":
    case "join":
      return carriedNames(rows.source);
    case "list":
    case "get":
    case "aggregate":
    case "group_by":
    case "pair":
    case "render":
    case "derive":
    case "for_each":
    case "effect":
    case "data":
      return NONE;
  }
}
