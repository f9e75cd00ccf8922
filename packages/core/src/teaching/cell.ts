import { type CatalogSet, type EntityKey, entityOf } from "../catalog/federation.ts";
import type { InputType } from "../model/input.ts";
import { keyParts } from "../model/lookups.ts";
import type { ValueType } from "../values/value-type.ts";
import { optionText, wireText } from "../language/grammar/printer.ts";
import type { TypeRef } from "./list-choice.ts";
import { anchorUse } from "../mapping/anchors.ts";
import { type EntityFacts, entityFacts } from "./entity-facts.ts";
import type { Scene } from "./notation.ts";
/**
 * A left cell as parts: code, and the holes an agent fills. `$` is a value, `..` stands for options
 * (TEACH-19). A sample is program text that fits the hole.
 */
export type CellPart = string | CellHole;

export interface CellHole {
  readonly hole: "$" | "..";
  readonly sample: string;
}

export type Cell = readonly CellPart[];

/** A cell as printed: its holes as `$` and `..`. */
export function printCell(cell: Cell): string {
  return cell.map((part) => (typeof part === "string" ? part : part.hole)).join("");
}

/** A cell as a program: its holes replaced by samples. */
export function fillCell(cell: Cell): string {
  return cell.map((part) => (typeof part === "string" ? part : part.sample)).join("");
}

/** Cells one after the other with a text between them. */
export function joinCells(cells: readonly Cell[], between: string): Cell {
  return cells.flatMap((cell, at) => (at === 0 ? [...cell] : [between, ...cell]));
}

const DEEPEST = 4;

/** Program text that fits a slot of a type: what TEACH-19 puts where a row shows `$`. */
export function sampleFor(type: TypeRef, catalogs: CatalogSet): string {
  return inputSample(type.input, type.entryId, catalogs, 0);
}

function inputSample(
  input: InputType,
  entryId: string,
  catalogs: CatalogSet,
  depth: number,
): string {
  switch (input.kind) {
    case "none":
      return "null";
    case "value":
      return valueSample(input.type, entryId, catalogs, depth);
    case "array":
      return `[${inputSample(input.element, entryId, catalogs, depth)}]`;
    case "object":
      return objectSample(input.fields, [], entryId, catalogs, depth);
    case "union": {
      const [first] = input.variants;
      if (first === undefined) return "{}";
      const told = `${input.wireField}: ${wireText(first.wireValue)}`;
      return objectSample(first.fields, [told], entryId, catalogs, depth);
    }
  }
}

function objectSample(
  fields: Extract<InputType, { kind: "object" }>["fields"],
  first: readonly string[],
  entryId: string,
  catalogs: CatalogSet,
  depth: number,
): string {
  const required = fields.filter((field) => field.required);
  const members = required.map(
    (field) => `${field.name}: ${inputSample(field.input, entryId, catalogs, depth)}`,
  );
  return `{${[...first, ...members].join(", ")}}`;
}

function valueSample(
  type: ValueType,
  entryId: string,
  catalogs: CatalogSet,
  depth: number,
): string {
  switch (type.kind) {
    case "string":
      return type.semantics === "json_text" ? '"{}"' : '"x"';
    case "uuid":
      return "3f0b1a52-0c4e-4a57-9d2e-5b8a6c7d9e10";
    case "blob":
      return '"eA=="';
    case "number":
      return "1.5";
    case "integer":
      return "1";
    case "boolean":
      return "true";
    case "date":
      return type.format === "iso8601_date" ? "2026-01-31" : "2026-01-31T12:00:00Z";
    case "select":
      return type.options[0] === undefined ? '"x"' : optionText(type.options[0]);
    case "multi_select":
      return `[${type.options.slice(0, 1).map(optionText).join("")}]`;
    case "array":
      return `[${valueSample(type.items, entryId, catalogs, depth)}]`;
    case "json":
      return "{a: 1}";
    case "entity_ref":
      return keySample(type.target, entryId, catalogs, depth);
  }
}

/** A one-part key as it is, a compound one as its constructor by wire name (LANG-040). */
function keySample(target: string, entryId: string, catalogs: CatalogSet, depth: number): string {
  const entity = entityOf(catalogs, { entryId, entity: target });
  const parts = keyParts(entity).map((part) => {
    const type = entity.fields.get(part)?.type;
    const plain = type === undefined || depth >= DEEPEST;
    return { part, sample: plain ? '"x"' : valueSample(type, entryId, catalogs, depth + 1) };
  });
  if (parts.length === 1) return parts[0]?.sample ?? '"x"';
  return `${target}(${parts.map(({ part, sample }) => `${part}=${sample}`).join(", ")})`;
}

/** How the key of an exposed entity is written in its session. */
interface KeyForm {
  /** whether a row writes it with the names of its parts, since `E($)` alone would not say what it takes */
  readonly named: boolean;
  /** whether some row of the entity lets a reader know what the key is */
  readonly shown: boolean;
}

/**
 * The form of an entity's key (TEACH-16, TEACH-20): a key of one part stands alone where it is the first of the
 * columns shown, or text; a compound one has names always.
 */
export const keyForm = (scene: Scene, key: EntityKey): KeyForm => formOf(entityFacts(scene, key));

function formOf(facts: EntityFacts): KeyForm {
  const [only = "", second] = keyParts(facts.entity);
  const hasRowsByKey =
    facts.byKey.length > 0 ||
    [...facts.gets, ...facts.methods].some(
      (capability) => anchorUse(facts.catalog, capability) === "required",
    );
  if (second !== undefined) return { named: true, shown: hasRowsByKey };
  const type = facts.entity.fields.get(only)?.type;
  const isText = type === undefined || type.kind === "string";
  const isColumn = facts.entity.domainProjectionExamples && facts.columns.includes(only);
  return { named: !isText && !isColumn, shown: isText || isColumn || hasRowsByKey };
}
