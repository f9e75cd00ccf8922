import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { conditionMessages } from "../../diagnostics/condition-messages.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import type { Path } from "../../language/grammar/ast-values.ts";
import type { Slot } from "../../model/input.ts";
import { deniedCapabilities, usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { type PathMeaning, resolvePath } from "../columns/resolve-path.ts";
import { unreadableColumn } from "../columns/unknown-column.ts";
import { deniedProblem } from "../names/problems.ts";
import { type NameFormatter, speakerLike, wireName } from "../names/name-formatter.ts";
import { type ColumnType, keyTypes, type RowType } from "../types.ts";
import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import { capabilitySlots, sentSlots } from "../../mapping/capability-slots.ts";
import type { Capability } from "../../model/model.ts";
import { compareCodePoints } from "../../base/text.ts";
import { columnNames } from "../columns/row-columns.ts";

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
  lists: readonly SendableList[],
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
  lists: readonly SendableList[],
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

/** A list of an entity, and the slots by which its conditions are sent (MAP-004). */
export interface SendableList {
  readonly capability: Capability;
  readonly slots: ReadonlyMap<string, Slot>;
}

/** The usable queries and searches of an entity with the slots a condition can be sent by. */
export const sendableLists = (context: CheckContext, entity: EntityKey): readonly SendableList[] =>
  slotsOf(context, entity, usableCapabilities(context, entity));

/** The query or search of this parameter that was taught and is forbidden since, or null (SURF-25). */
function deniedTaking(context: CheckContext, entity: EntityKey, name: string): Capability | null {
  const denied = deniedCapabilities(context, entity, ["query", "search"]);
  const found = slotsOf(context, entity, denied).find(({ slots }) => slots.has(name));
  return found?.capability ?? null;
}

function slotsOf(
  context: CheckContext,
  entity: EntityKey,
  capabilities: readonly Capability[],
): readonly SendableList[] {
  const catalog = catalogOf(context.exposure.catalogs, entity.entryId);
  return capabilities
    .filter(({ kind }) => kind === "query" || kind === "search")
    .map((capability) => {
      const sent = sentSlots(catalog, capability);
      const { slots } = capabilitySlots(catalog, capability);
      const named = slots.filter((slot) => sent.has(slot.name));
      return { capability, slots: new Map(named.map((slot) => [slot.name, slot])) };
    });
}

/** All names a condition on these rows may use, sorted. */
function conditionNames(context: CheckContext, rows: RowType): readonly string[] {
  const columns = columnNames(context.exposure, rows);
  if (rows.entity === null) return columns;
  const lists = sendableLists(context, rows.entity);
  const slots = lists.flatMap((list) =>
    [...list.slots.values()].filter((slot) => slot.role !== "search").map((slot) => slot.name),
  );
  return [...new Set([...columns, ...slots])].toSorted(compareCodePoints);
}

/** The labels of the lists that take a parameter. */
export function takingLabels(
  context: CheckContext,
  entity: EntityKey,
  name: string,
  speaker: NameFormatter,
): string {
  return sendableLists(context, entity)
    .filter(({ slots }) => slots.has(name))
    .map(({ capability }) => speaker.method(entity, capability.label))
    .join(", ");
}
