import type { Json, JsonObject } from "@plasm/core";
import { keyText } from "@plasm/core/internal";
import {
  type EntityRow,
  type Identity,
  NO_EDGES,
  NO_GETS,
  NO_REFERENCES,
  type Reference,
} from "../decode/entity-row.ts";
import type { ColumnTypes, Row } from "./row.ts";

/**
 * Rows as short texts, and back. What many rows have in common, their shape, is kept once; of each row its values
 * stand in a JSON list. A row that is packed comes back equal but for its wire form, which is only needed while it is
 * decoded or completed.
 */

/** A reference as rows of a shape have it: what it points at, and whether the field of its name says it all. */
interface ReferenceShape {
  readonly name: string;
  /** null where it is a null reference */
  readonly target: string | null;
  readonly parts: readonly string[];
  readonly isField: boolean;
}

/** A part of a key or of what a request gave: its name, and whether a value that stands before it says the same. */
interface PartShape {
  readonly name: string;
  readonly isKnown: boolean;
}

interface BaseShape {
  readonly entryId: string;
  readonly entity: string;
  readonly key: readonly PartShape[] | null;
  readonly ambient: readonly PartShape[];
  readonly fields: readonly string[];
  readonly references: readonly ReferenceShape[];
}

/** What rows have in common. */
interface Shape {
  readonly base: BaseShape | null;
  readonly cells: readonly string[] | null;
  readonly joined: readonly string[];
  readonly totals: readonly string[] | null;
  readonly types: ColumnTypes | undefined;
  readonly isNamed: boolean;
}

/** So many shapes rows of one list may have; rows of others are not packed. */
const MOST_SHAPES = 32;

/** Rows that were or are being completed: more is known of them than stands in them, so they stay as they are. */
const completed = new WeakSet<EntityRow>();

/** Says that a row is completed, so that it is never packed. */
export function keepAsItIs(row: EntityRow): void {
  completed.add(row);
}

/** The text of a key, which of most is the one part of it. */
function textOf(key: JsonObject): string {
  let only: Json | undefined;
  for (const part in key) {
    if (only !== undefined) return keyText(key);
    only = key[part];
  }
  return typeof only === "string" ? only : keyText(key);
}

const isText = ({ key, text }: Identity, entity: string): boolean =>
  text === `${entity}:${textOf(key)}`;

function partsShape(
  values: JsonObject,
  known: (name: string, value: Json) => boolean,
): readonly PartShape[] {
  return Object.entries(values).map(([name, value]) => ({ name, isKnown: known(name, value) }));
}

/** A reference's shape; undefined for one that holds a row of its own. */
function referenceShape(
  row: EntityRow,
  name: string,
  reference: Reference | null,
): ReferenceShape | undefined {
  if (reference === null) return { name, target: null, parts: [], isField: false };
  const { identity, embedded } = reference;
  const target = identity.text.slice(0, identity.text.indexOf(":"));
  if (embedded !== null || !isText(identity, target)) return undefined;
  const parts = Object.keys(identity.key);
  if (parts.includes("__proto__")) return undefined;
  const [only = ""] = parts;
  const isField = parts.length === 1 && identity.key[only] === row.fields.get(name);
  return { name, target, parts, isField };
}

function baseShape(row: EntityRow): BaseShape | undefined {
  const { entryId, entity, identity, ambient, fields } = row;
  if (row.edges.size > 0 || row.loadedBy.size > 0 || completed.has(row)) return undefined;
  if (identity !== null && !isText(identity, entity)) return undefined;
  const references: ReferenceShape[] = [];
  for (const [name, reference] of row.references) {
    const shape = referenceShape(row, name, reference);
    if (shape === undefined) return undefined;
    references.push(shape);
  }
  const key = identity?.key ?? {};
  // It would be no member of its own when it is set.
  if (Object.hasOwn(row.ambient, "__proto__") || Object.hasOwn(key, "__proto__")) return undefined;
  return {
    entryId,
    entity,
    key: identity === null ? null : partsShape(key, (name, value) => fields.get(name) === value),
    ambient: partsShape(ambient, (name, value) => Object.hasOwn(key, name) && key[name] === value),
    fields: [...fields.keys()],
    references,
  };
}

function shapeOf(row: Row): Shape | undefined {
  const base = row.base === null ? null : baseShape(row.base);
  if (base === undefined) return undefined;
  return {
    base,
    cells: row.cells === null ? null : [...row.cells.keys()],
    joined: [...row.joined.keys()],
    totals: row.totals === undefined ? null : [...row.totals.keys()],
    types: row.types,
    isNamed: row.name !== undefined,
  };
}

/** Adds the values of a map to `into`; false if it has other names, or others in another order. */
function addCells(
  into: Json[],
  cells: ReadonlyMap<string, Json>,
  names: readonly string[],
): boolean {
  if (cells.size !== names.length) return false;
  let at = 0;
  for (const [name, value] of cells) {
    if (names[at] !== name) return false;
    into.push(value);
    at += 1;
  }
  return true;
}

/** Adds what is not known of an object's values. */
function addParts(
  into: Json[],
  values: JsonObject,
  parts: readonly PartShape[],
  known: (name: string) => Json | undefined,
): boolean {
  let at = 0;
  for (const name in values) {
    const part = parts[at];
    const value = values[name];
    if (part?.name !== name || value === undefined) return false;
    if (part.isKnown !== (known(name) === value)) return false;
    if (!part.isKnown) into.push(value);
    at += 1;
  }
  return at === parts.length;
}

function addReferences(into: Json[], row: EntityRow, shapes: readonly ReferenceShape[]): boolean {
  if (row.references.size !== shapes.length) return false;
  let at = 0;
  for (const [name, reference] of row.references) {
    const shape = shapes[at];
    at += 1;
    if (shape?.name !== name || (reference === null) !== (shape.target === null)) return false;
    if (reference === null || shape.target === null) continue;
    const { identity, embedded } = reference;
    if (embedded !== null || !isText(identity, shape.target)) return false;
    const values = Object.values(identity.key);
    const names = Object.keys(identity.key);
    if (!shape.parts.every((part, index) => names[index] === part)) return false;
    if (names.length !== shape.parts.length) return false;
    if (shape.isField !== (names.length === 1 && values[0] === row.fields.get(name))) return false;
    if (!shape.isField) into.push(...values);
  }
  return true;
}

function addBase(into: Json[], row: EntityRow, shape: BaseShape): boolean {
  if (row.entity !== shape.entity || row.entryId !== shape.entryId) return false;
  if (row.edges.size > 0 || row.loadedBy.size > 0 || completed.has(row)) return false;
  if (!addCells(into, row.fields, shape.fields)) return false;
  const { identity } = row;
  if ((identity === null) !== (shape.key === null)) return false;
  if (identity !== null && shape.key !== null) {
    if (!isText(identity, shape.entity)) return false;
    if (!addParts(into, identity.key, shape.key, (name) => row.fields.get(name))) return false;
  }
  const key = identity?.key ?? {};
  const known = (name: string): Json | undefined =>
    Object.hasOwn(key, name) ? key[name] : undefined;
  return (
    addParts(into, row.ambient, shape.ambient, known) && addReferences(into, row, shape.references)
  );
}

/** Reads values of a packed row one after the other. */
class Values {
  readonly #values: readonly Json[];
  #at = 1;

  constructor(values: readonly Json[]) {
    this.#values = values;
  }

  next(): Json {
    return this.#values[this.#at++] ?? null;
  }

  cells(names: readonly string[]): Map<string, Json> {
    const cells = new Map<string, Json>();
    for (const name of names) cells.set(name, this.next());
    return cells;
  }

  parts(shapes: readonly PartShape[], known: (name: string) => Json | undefined): JsonObject {
    const parts: Record<string, Json> = {};
    for (const { name, isKnown } of shapes) {
      parts[name] = isKnown ? (known(name) ?? null) : this.next();
    }
    return parts;
  }
}

const identityOf = (entity: string, key: JsonObject): Identity =>
  Object.freeze({ key, text: `${entity}:${textOf(key)}` });

function unpackReferences(
  values: Values,
  shapes: readonly ReferenceShape[],
  fields: ReadonlyMap<string, Json>,
): EntityRow["references"] {
  if (shapes.length === 0) return NO_REFERENCES;
  const references = new Map<string, Reference | null>();
  for (const { name, target, parts, isField } of shapes) {
    if (target === null) {
      references.set(name, null);
      continue;
    }
    const key: Record<string, Json> = {};
    for (const part of parts) key[part] = isField ? (fields.get(name) ?? null) : values.next();
    references.set(name, { identity: identityOf(target, key), embedded: null });
  }
  return references;
}

function unpackBase(values: Values, shape: BaseShape): EntityRow {
  const fields = values.cells(shape.fields);
  const key = shape.key === null ? null : values.parts(shape.key, (name) => fields.get(name));
  const ambient = values.parts(shape.ambient, (name) => key?.[name]);
  return {
    entryId: shape.entryId,
    entity: shape.entity,
    identity: key === null ? null : identityOf(shape.entity, key),
    ambient,
    fields,
    references: unpackReferences(values, shape.references, fields),
    edges: NO_EDGES,
    loadedBy: NO_GETS,
    wire: null,
  };
}

/** Packs the rows of one list, and unpacks them: it knows their shapes, and the rows that joins have added to them. */
export class RowPacker {
  readonly #shapes: Shape[] = [];
  readonly #joined: (EntityRow | null)[] = [];
  readonly #joinedAt = new Map<EntityRow | null, number>();

  /** A row's text, without the brackets around it; null for one that cannot be packed. */
  pack(row: Row): string | null {
    for (const [at, shape] of this.#shapes.entries()) {
      const values = this.#values(row, at, shape);
      if (values !== null) return JSON.stringify(values);
    }
    if (this.#shapes.length >= MOST_SHAPES) return null;
    const shape = shapeOf(row);
    if (shape === undefined) return null;
    this.#shapes.push(shape);
    const values = this.#values(row, this.#shapes.length - 1, shape);
    return values === null ? null : JSON.stringify(values);
  }

  unpack(values: readonly Json[]): Row {
    const shape = this.#shapes[Number(values[0])];
    if (shape === undefined) throw new Error("a packed row has no shape");
    const read = new Values(values);
    const base = shape.base === null ? null : unpackBase(read, shape.base);
    const cells = shape.cells === null ? null : read.cells(shape.cells);
    const joined = new Map<string, EntityRow | null>();
    for (const path of shape.joined) joined.set(path, this.#joined[Number(read.next())] ?? null);
    const bare = { base, cells, joined };
    const row = shape.totals === null ? bare : { ...bare, totals: read.cells(shape.totals) };
    const typed = shape.types === undefined ? row : { ...row, types: shape.types };
    if (!shape.isNamed) return typed;
    const name = read.next();
    return typeof name === "string" ? { ...typed, name } : typed;
  }

  /** The values of a row, its shape first; null if the shape is another's. */
  #values(row: Row, at: number, shape: Shape): readonly Json[] | null {
    const values: Json[] = [at];
    if ((row.base === null) !== (shape.base === null)) return null;
    if ((row.cells === null) !== (shape.cells === null)) return null;
    if (row.types !== shape.types || (row.name !== undefined) !== shape.isNamed) return null;
    if (row.joined.size !== shape.joined.length) return null;
    if ((row.totals === undefined) !== (shape.totals === null)) return null;
    if (row.base !== null && shape.base !== null && !addBase(values, row.base, shape.base)) {
      return null;
    }
    if (row.cells !== null && shape.cells !== null && !addCells(values, row.cells, shape.cells)) {
      return null;
    }
    let index = 0;
    for (const [path, target] of row.joined) {
      if (shape.joined[index] !== path) return null;
      values.push(this.#placeOf(target));
      index += 1;
    }
    if (row.totals !== undefined && !addCells(values, row.totals, shape.totals ?? [])) return null;
    if (row.name !== undefined) values.push(row.name);
    return values;
  }

  #placeOf(target: EntityRow | null): number {
    const known = this.#joinedAt.get(target);
    if (known !== undefined) return known;
    this.#joined.push(target);
    this.#joinedAt.set(target, this.#joined.length - 1);
    return this.#joined.length - 1;
  }
}
