import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { conditionMessages } from "../../diagnostics/condition-messages.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import type { Path } from "../../language/ast-names.ts";
import type { Slot } from "../../schema/input.ts";
import { usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { resolvePath, type PathMeaning } from "../columns/resolve-path.ts";
import { unreadableColumn } from "../columns/unreadable-column.ts";
import { deniedProblem } from "../names/denied-problem.ts";
import { wireName } from "../names/symbol-name.ts";
import { speakerLike } from "../names/speaker.ts";
import type { ColumnType, RowType } from "../row-type.ts";
import { keyTypes } from "../type-text.ts";
import { conditionNames, deniedTaking, type ListSlots } from "./condition-names.ts";

/** A name that a condition may use. */
export interface KnownName {
  readonly kind: "name";
  /** as the program writes it */
  readonly shown: string;
  readonly path: readonly string[];
  /** the column of that name, if rows have one */
  readonly column: ColumnType | null;
  /** the slots of that name of the entity's lists */
  readonly slots: readonly Slot[];
  readonly entryId: string | null;
}

export type ConditionName = KnownName | { readonly kind: "problem"; readonly problem: Diagnostic };

/** Binds the name of a condition: a parameter of the entity's lists, a column, or both (LANG-052). */
export function conditionName(
  context: CheckContext,
  rows: RowType,
  path: Path,
  lists: readonly ListSlots[],
): ConditionName {
  const meaning = resolvePath(context, rows, path);
  const shown = path.segments.map((segment) => segment.text).join(".");
  const entryId = rows.entity?.entryId ?? null;
  const slots = slotsNamed(context, path, lists);
  if (meaning.kind === "column") {
    return { kind: "name", shown, path: meaning.path, column: meaning.type, slots, entryId };
  }
  if (meaning.kind === "foreign") {
    return { kind: "problem", problem: foreignField(context, path, meaning) };
  }
  const [slot] = slots;
  if (slot !== undefined && rows.columns === null) {
    return { kind: "name", shown, path: [slot.name], column: null, slots, entryId };
  }
  if (meaning.kind === "unknown" && rows.entity !== null && rows.columns === null) {
    const denied = deniedTaking(context, rows.entity, meaning.name);
    const problem =
      denied === null
        ? unknownSlot(context, rows, path, meaning.name)
        : deniedProblem(context, rows.entity, denied, path.span);
    return { kind: "problem", problem };
  }
  return { kind: "problem", problem: meaning.problem };
}

function slotsNamed(
  context: CheckContext,
  path: Path,
  lists: readonly ListSlots[],
): readonly Slot[] {
  const [first] = path.segments;
  if (first === undefined || path.segments.length > 1) return [];
  const wire = wireName(context.exposure.symbols, first.text);
  return lists.flatMap(({ slots }) => slots.get(wire) ?? []);
}

function unknownSlot(context: CheckContext, rows: RowType, path: Path, wire: string): Diagnostic {
  const at = path.segments[0] ?? path;
  return diagnoseLater(conditionMessages.unknownSlot, at.span, () => {
    const speaker = speakerLike(context.exposure, textAt(path));
    const names = conditionNames(context, rows);
    const near = nearestName(wire, names);
    const args = {
      name: speaker.name(wire),
      entity: rows.entity === null ? "these rows" : speaker.entity(rows.entity),
      nearest: speaker.nearest(names, wire),
      names: speaker.names(names, wire),
    };
    const edits = near === null ? undefined : [{ span: at.span, replacement: speaker.code(near) }];
    return diagnose(conditionMessages.unknownSlot, at.span, args, edits);
  });
}

function textAt(path: Path): string {
  return path.segments[0]?.text ?? "";
}

/** A field of another entity that no join reads: its lists can be asked first, if it has some. */
function foreignField(
  context: CheckContext,
  path: Path,
  meaning: Extract<PathMeaning, { kind: "foreign" }>,
): Diagnostic {
  const { entryId, target } = meaning;
  const key = { entryId, entity: target };
  const lists = usableCapabilities(context, key).filter(({ kind }) => kind === "query");
  if (lists.length === 0) return unreadableColumn(context, path, meaning);
  const speaker = speakerLike(context.exposure, textAt(path));
  const [first] = keyTypes(context.exposure, entryId, target);
  const [name = "", ...field] = meaning.path;
  const args = {
    path: path.segments.map((segment) => segment.text).join("."),
    target: speaker.entity(key),
    field: field.map((each) => speaker.code(each)).join("."),
    name: speaker.code(name),
    key: speaker.code(first?.[0] ?? "id"),
  };
  return diagnose(conditionMessages.foreignField, path.span, args);
}
