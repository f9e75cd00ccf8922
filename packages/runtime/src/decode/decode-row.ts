import type { Entity, Field, Json, ValueType } from "@plasm/core";
import { type Derive, keyParts } from "@plasm/core/internal";
import type { RunDiagnosticCode } from "../base/diagnostic.ts";
import { convertValue } from "./convert-value.ts";
import {
  cellReference,
  type DecodeContext,
  contextEntity,
  narrowElements,
  ownMember,
  readReference,
  referenceValue,
  rowIdentity,
  type RowOrigin,
  scalarReference,
} from "./row-references.ts";
import {
  type EntityRow,
  type Identity,
  NO_EDGES,
  NO_GETS,
  NO_REFERENCES,
  type Reference,
} from "./entity-row.ts";
import { hasMember, isArray, isObject, isScalar, typeName } from "../base/json-kinds.ts";
import { decodeEdges, type WireShape, wireShape } from "./row-edges.ts";
import { followKeys } from "./response-body.ts";

type Select = Extract<ValueType, { readonly kind: "select" }>;

/** One row while its fields are being read. */
interface Decoding {
  readonly context: DecodeContext;
  readonly wire: Json;
  readonly origin: RowOrigin;
  readonly fields: Map<string, Json>;
  /** null before the first */
  references: Map<string, Reference | null> | null;
}

function setReference(row: Decoding, name: string, reference: Reference | null): void {
  row.references ??= new Map();
  row.references.set(name, reference);
}

function report(row: Decoding, code: RunDiagnosticCode, name: string, problem: string): void {
  const { entity, index } = row.origin;
  row.context.log.add(code, `${entity.name}.${name}: ${problem}`, index);
}

/** A field's wire value; undefined when it is absent (RUN-032, RUN-034). */
function wireValue(row: Decoding, field: Field): Json | undefined {
  const { wire } = row;
  if (field.path === undefined && field.derive === undefined && isObject(wire)) {
    return Object.hasOwn(wire, field.name) ? (wire[field.name] ?? null) : undefined;
  }
  const path = field.path ?? [field.name];
  // A scalar row is its identity alone: it has no members to miss.
  if (path.length > 0 && isScalar(wire)) return undefined;
  const found = followKeys(wire, path);
  if (!found.found) {
    if (found.wrongType !== null) report(row, "path_type", field.name, found.wrongType);
    return undefined;
  }
  if (field.derive === undefined) return found.value;
  const derived = deriveValue(field.derive, found.value);
  if (derived.problem !== null) report(row, "derive_failed", field.name, derived.problem);
  return derived.value;
}

/** What a reference's wire value points at; undefined if it does not tell (RUN-036). */
function pointedAt(row: Decoding, target: Entity, value: Json): Reference | null | undefined {
  const { context, origin } = row;
  if (isScalar(value) && keyParts(target).length === 1) return scalarReference(value, target);
  if (value === null) return null;
  const ambient = { ...origin.ambient, ...Object.fromEntries(row.fields) };
  return readReference(context, decodeRow, value, target, origin, ambient);
}

/** Reads what a reference points at; its wire value stays, with a diagnostic, if it does not tell. */
function addReference(row: Decoding, name: string, target: string, value: Json): Json {
  const reference = pointedAt(row, contextEntity(row.context, target), value);
  if (reference === undefined) {
    report(row, "value_unconverted", name, `${typeName(value)} is no identity of ${target}`);
    return value;
  }
  setReference(row, name, reference);
  return referenceValue(reference);
}

/** Fills a field that the wire lacks with what its list was asked in; false if that has no value for it. */
function fillFromScope(row: Decoding, { name, type }: Field): boolean {
  const value = ownMember(row.origin.scope ?? {}, name) ?? null;
  if (value === null) return false;
  if (type.kind === "entity_ref") {
    const reference = cellReference(value, contextEntity(row.context, type.target)) ?? null;
    if (reference === null) return false;
    setReference(row, name, reference);
    row.fields.set(name, referenceValue(reference));
    return true;
  }
  const { value: converted, problem } = convertValue(value, type);
  if (problem !== null || !isScalar(value)) return false;
  // A list may take words that no row has, such as `all`.
  const options = type.kind === "select" ? type.options : [];
  if (options.length > 0 && !options.some((each) => String(each) === String(value))) return false;
  row.fields.set(name, converted);
  return true;
}

/** The options of each field, as answers have them. */
const optionSets = new WeakMap<readonly unknown[], ReadonlySet<string>>();

/** Whether a text is one of the options of a field, or empty; a field that names none has every word. */
function isOption({ options }: Select, value: Json): boolean {
  if (typeof value !== "string" || value.trim() === "" || options.length === 0) return true;
  const known = optionSets.get(options) ?? new Set(options.map(String));
  optionSets.set(options, known);
  return known.has(value);
}

function decodeField(row: Decoding, field: Field): void {
  const { type, name } = field;
  const { statics = null } = row.origin;
  if (statics !== null && Object.hasOwn(statics, name)) {
    row.fields.set(name, statics[name] ?? null);
    return;
  }
  const raw = wireValue(row, field);
  if (raw === undefined) {
    if (fillFromScope(row, field)) return;
    // RUN-035: only an explicit `provides` makes an absent field null.
    if (row.origin.provides?.has(name) !== true) return;
    row.fields.set(name, null);
    const { entity } = row.origin;
    if (field.required && !keyParts(entity).includes(name))
      row.context.log.odd("field_missing", `${entity.name}.${name}: not in the answer`);
    return;
  }
  if (type.kind === "entity_ref") {
    row.fields.set(name, addReference(row, name, type.target, raw));
    return;
  }
  const element = type.kind === "array" ? type.items : null;
  const value =
    element?.kind === "entity_ref"
      ? narrowElements(row.context, decodeRow, raw, element.target, row.origin)
      : raw;
  const converted = convertValue(value, type);
  if (converted.problem !== null) report(row, "value_unconverted", name, converted.problem);
  if (type.kind === "select" && !isOption(type, converted.value))
    row.context.log.odd(
      "option_unknown",
      `${row.origin.entity.name}.${name}: a word that is none of its options`,
    );
  row.fields.set(name, converted.value);
}

function decodeOneRelations(row: Decoding, { references }: WireShape): void {
  for (const { name, target } of references) {
    if (hasMember(row.wire, name)) addReference(row, name, target, row.wire[name] ?? null);
    else if (row.origin.provides?.has(name) === true) setReference(row, name, null);
  }
}

/** A missing key field is filled from the identity, in its declared type (RUN-046). */
function fillKeyFields(entity: Entity, fields: Map<string, Json>, identity: Identity | null): void {
  if (identity === null) return;
  const { key } = identity;
  for (const part in key) {
    const value = key[part];
    if (value === undefined || (fields.get(part) ?? null) !== null) continue;
    const field = entity.fields.get(part);
    if (field !== undefined)
      fields.set(part, isScalar(value) ? convertValue(value, field.type).value : value);
  }
}

/** Decodes one row of an entity: fields, references, embedded rows, identity (RUN-032 to RUN-046). */
export function decodeRow(context: DecodeContext, wire: Json, origin: RowOrigin): EntityRow {
  const { entity } = origin;
  const shape = wireShape(entity);
  const row: Decoding = { context, wire, origin, fields: new Map(), references: null };
  for (const field of shape.fields) decodeField(row, field);
  decodeOneRelations(row, shape);
  const identity = rowIdentity(wire, row.fields, origin);
  fillKeyFields(entity, row.fields, identity);
  const decoded: EntityRow = {
    entryId: context.catalog.entryId,
    entity: entity.name,
    identity,
    ambient: { ...origin.ambient, ...identity?.key },
    fields: row.fields,
    references: row.references ?? NO_REFERENCES,
    edges: NO_EDGES,
    loadedBy: NO_GETS,
    wire,
  };
  if (shape.embedded.length > 0) decoded.edges = decodeEdges(context, decodeRow, decoded, entity);
  return decoded;
}

/** A derived value, with what was wrong about its input if anything was (RUN-034). */
interface Derived {
  readonly value: Json;
  readonly problem: string | null;
}

const ok = (value: Json): Derived => ({ value, problem: null });
const bad = (problem: string): Derived => ({ value: null, problem });

type Of<T extends Derive["type"]> = Extract<Derive, { type: T }>;

const sameText = (a: Json | undefined, b: string, ignoreCase: boolean): boolean =>
  isScalar(a) && (ignoreCase ? String(a).toLowerCase() === b.toLowerCase() : String(a) === b);

function segmentsAfterPrefix(rule: Of<"segments_after_prefix">, input: Json): Derived {
  if (typeof input !== "string") return bad(`${typeName(input)} where text was expected`);
  const prefix = input.startsWith(rule.prefix)
    ? rule.prefix
    : rule.alternatePrefixes.find((each) => input.startsWith(each));
  if (prefix === undefined) return bad("no matching prefix");
  const parts = input
    .slice(prefix.length)
    .replace(/\.git\/*$/, "")
    .split("/")
    .filter((part) => part !== "");
  return ok(parts[rule.partIndex] ?? null);
}

function nameValueLookup(rule: Of<"name_value_array_lookup">, input: Json): Derived {
  if (!isArray(input)) return bad(`${typeName(input)} where an array was expected`);
  const found = input.find(
    (item) =>
      hasMember(item, rule.matchKeyField) &&
      sameText(item[rule.matchKeyField], rule.equals, rule.caseInsensitive),
  );
  return ok(hasMember(found, rule.valueField) ? (found[rule.valueField] ?? null) : null);
}

function objectKeyLookup(rule: Of<"object_key_lookup">, input: Json): Derived {
  if (!isObject(input)) return bad(`${typeName(input)} where an object was expected`);
  const key = Object.keys(input).find((name) => sameText(name, rule.key, rule.caseInsensitive));
  return ok(key === undefined ? null : (input[key] ?? null));
}

/** The part after `segment` in text like `a:segment:b`. */
function afterSegment(text: Json | undefined, segment: string): string | null {
  if (typeof text !== "string") return null;
  const parts = text.split(":");
  const at = parts.indexOf(segment);
  return at < 0 ? null : (parts[at + 1] ?? null);
}

type ColonPair = Of<"colon_pair_prefer_keys_else_block_refs">;

function colonPair(rule: ColonPair, input: Json): Derived {
  if (!isObject(input)) return bad(`${typeName(input)} where an object was expected`);
  for (const key of rule.preferKeys) {
    const found = hasMember(input, key) ? afterSegment(input[key], rule.segment) : null;
    if (found !== null) return ok(found);
  }
  const blocks = hasMember(input, rule.blocksKey) ? input[rule.blocksKey] : null;
  if (blocks === null || blocks === undefined) return ok(null);
  if (!isArray(blocks)) return bad(`${typeName(blocks)} under ${rule.blocksKey}`);
  for (const block of blocks) {
    const ref = hasMember(block, rule.refField) ? block[rule.refField] : undefined;
    const found = afterSegment(ref, rule.segment);
    if (found !== null) return ok(found);
  }
  return ok(null);
}

/** Applies a field's `derive` to what its path led to; null stays null (RUN-034). */
export function deriveValue(rule: Derive, input: Json): Derived {
  if (input === null) return ok(null);
  switch (rule.type) {
    case "segments_after_prefix":
      return segmentsAfterPrefix(rule, input);
    case "name_value_array_lookup":
      return nameValueLookup(rule, input);
    case "object_key_lookup":
      return objectKeyLookup(rule, input);
    case "colon_pair_prefer_keys_else_block_refs":
      return colonPair(rule, input);
  }
}
