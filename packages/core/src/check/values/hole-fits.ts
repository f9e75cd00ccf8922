import type { Exposure } from "../../symbols/exposure.ts";
import type { ValueKind, ValueType } from "../../values/value-type.ts";
import type { ColumnType } from "../row-type.ts";
import { keyTypes } from "../type-text.ts";

/** Which kinds a slot takes from a cell; json fits everywhere and takes everything (LANG-045). */
const TAKES: Readonly<Partial<Record<ValueKind, readonly ValueKind[]>>> = {
  string: ["string", "uuid", "number", "integer", "date", "select"],
  uuid: ["uuid", "string"],
  blob: ["blob", "string"],
  number: ["number", "integer", "string"],
  integer: ["number", "integer", "string"],
  boolean: ["boolean", "string"],
  select: ["select", "string"],
  date: ["date", "string"],
};

/**
 * Whether a cell of type `from` may fill a slot of type `to`: checked here by type, and again by value
 * when the hole is filled (LANG-045). Text may turn out to be a number, date or option.
 */
export function holeFits(exposure: Exposure, from: ColumnType, to: ColumnType): boolean {
  if (from.type.kind === "json" || to.type.kind === "json") return true;
  switch (to.type.kind) {
    case "string":
    case "uuid":
    case "blob":
    case "number":
    case "integer":
    case "boolean":
    case "select":
      return scalarFits(exposure, from, to.type);
    case "date":
      return scalarFits(exposure, from, to.type) || unixFits(from.type, to.type);
    case "multi_select":
      return elementsFit(exposure, from, { entryId: to.entryId, type: selectOf(to.type) });
    case "array":
      return elementsFit(exposure, from, { entryId: to.entryId, type: to.type.items });
    case "entity_ref":
      return referenceFits(exposure, from, to);
  }
}

function scalarFits(exposure: Exposure, from: ColumnType, to: ValueType): boolean {
  if (from.type.kind === "entity_ref") {
    return to.kind === "string" && onlyKeyType(exposure, from) !== null;
  }
  return TAKES[to.kind]?.includes(from.type.kind) ?? false;
}

function unixFits(from: ValueType, to: ValueType): boolean {
  if (to.kind !== "date" || (to.format !== "unix_sec" && to.format !== "unix_ms")) return false;
  return from.kind === "integer" || from.kind === "number";
}

function elementsFit(exposure: Exposure, from: ColumnType, element: ColumnType): boolean {
  if (from.type.kind === "array") {
    return holeFits(exposure, { entryId: from.entryId, type: from.type.items }, element);
  }
  if (from.type.kind === "multi_select") {
    return holeFits(exposure, { entryId: from.entryId, type: selectOf(from.type) }, element);
  }
  return holeFits(exposure, from, element);
}

function referenceFits(exposure: Exposure, from: ColumnType, to: ColumnType): boolean {
  if (to.type.kind !== "entity_ref") return false;
  if (from.type.kind === "entity_ref") {
    return from.type.target === to.type.target && from.entryId === to.entryId;
  }
  const key = onlyKeyType(exposure, to);
  if (key === null) return false;
  if (key.kind === "entity_ref") return from.type.kind === "string";
  return holeFits(exposure, from, { entryId: to.entryId, type: key });
}

/** The type of a one-part key of the entity a reference means, or null. */
function onlyKeyType(exposure: Exposure, reference: ColumnType): ValueType | null {
  if (reference.type.kind !== "entity_ref" || reference.entryId === null) return null;
  const parts = keyTypes(exposure, reference.entryId, reference.type.target);
  return parts.length === 1 ? (parts[0]?.[1] ?? null) : null;
}

function selectOf(type: Extract<ValueType, { kind: "multi_select" }>): ValueType {
  return { kind: "select", options: type.options };
}
