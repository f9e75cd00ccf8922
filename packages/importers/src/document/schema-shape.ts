import {
  isDocumentObject,
  type DocumentObject,
  listOf,
  memberOf,
  sortedEntries,
  textOf,
} from "../json.ts";
import { NAME_KEY } from "./read-document.ts";
import { foreignReference } from "./references.ts";

export type ScalarType =
  | "text"
  | "prose"
  | "uuid"
  | "integer"
  | "number"
  | "boolean"
  | "day"
  | "instant"
  | "seconds"
  | "millis";

/** A schema as far as catalogs can say it. */
export type SchemaShape =
  | { readonly kind: "scalar"; readonly type: ScalarType }
  | { readonly kind: "options"; readonly options: readonly string[] }
  | { readonly kind: "list"; readonly items: DocumentObject | null }
  | RecordShape
  /** any JSON */
  | { readonly kind: "free" };

export interface RecordShape {
  readonly kind: "record";
  /** in the order of their names */
  readonly properties: ReadonlyMap<string, DocumentObject>;
  readonly required: ReadonlySet<string>;
}

const FREE: SchemaShape = { kind: "free" };
const TEXT: SchemaShape = { kind: "scalar", type: "text" };
const DEEPEST = 8;
const MOST_OPTIONS = 100;

const isNull = (schema: unknown): boolean =>
  memberOf(schema, "type") === "null" ||
  (listOf(memberOf(schema, "enum")).length === 1 && listOf(memberOf(schema, "enum"))[0] === null);

/** The alternatives of a schema, but for null. */
function alternatives(schema: DocumentObject): readonly DocumentObject[] {
  const all = [...listOf(memberOf(schema, "oneOf")), ...listOf(memberOf(schema, "anyOf"))];
  const forms = all.filter((one) => !isNull(one)).filter(isDocumentObject);
  const present = forms.filter((one) => !saysGone(textOf(memberOf(one, NAME_KEY)) ?? ""));
  return present.length === 0 ? forms : present;
}

/** Whether a form is that of a row which is no more: `deleted_customer` beside `customer`. */
const saysGone = (name: string): boolean =>
  /^deleted(?=[_.A-Z-])|[_.a-z-]Deleted$|[_.-]deleted$/.test(name);

const parts = (schema: DocumentObject): readonly DocumentObject[] =>
  listOf(memberOf(schema, "allOf")).filter(isDocumentObject);

/** The schema that one is, where it only wraps it: as what may be null, or as what is described anew. */
function inner(schema: DocumentObject): DocumentObject | undefined {
  if (memberOf(schema, "properties") !== undefined) return undefined;
  const [first, ...others] = [...alternatives(schema), ...parts(schema)];
  return others.length === 0 ? first : undefined;
}

/** The name in `components` of a schema, or of the one that it wraps. */
export function schemaName(schema: DocumentObject, depth = 0): string | undefined {
  const own = textOf(memberOf(schema, NAME_KEY));
  const wrapped = inner(schema);
  if (wrapped === undefined || depth > DEEPEST) return own;
  return schemaName(wrapped, depth + 1) ?? own;
}

/** The types that a schema names, but for null. */
function typesOf(schema: DocumentObject): readonly string[] {
  const type = memberOf(schema, "type");
  const all = Array.isArray(type) ? type : [type];
  return all.filter((one): one is string => typeof one === "string" && one !== "null");
}

/** The texts of an enumeration, if all are texts that a line can hold. */
function optionsOf(schema: DocumentObject): readonly string[] | null {
  const constant = memberOf(schema, "const");
  const all = constant === undefined ? listOf(memberOf(schema, "enum")) : [constant];
  // An empty text beside options says that there may be none of them.
  const options = all.filter(
    (one) => one !== null && !(typeof one === "string" && one.trim() === ""),
  );
  const fit = options.every((one) => typeof one === "string" && !/\p{C}/u.test(one));
  if (!fit || options.length === 0 || options.length > MOST_OPTIONS) return null;
  return [...new Set(options.map(String))];
}

/** A property's name that says that its text has lines. */
const LONG =
  /(?:^|[_.-])(?:body|content|description|html|markdown|message|note|notes|readme|remarks)$/i;

/** A property's name that says that its text names something, whatever length the document allows all of its texts. */
const NAMES_A_ROW =
  /(?:^|[_.-])(?:id|uuid|key|code|slug|name|email|currency|ur[il]|href|link)$|[a-z](?:Id|Ur[il])$/;

function textShape(schema: DocumentObject, name: string): SchemaShape {
  const options = optionsOf(schema);
  if (options !== null) return { kind: "options", options };
  switch (memberOf(schema, "format")) {
    case "date":
      return { kind: "scalar", type: "day" };
    case "date-time":
      return { kind: "scalar", type: "instant" };
    case "uuid":
      return { kind: "scalar", type: "uuid" };
    case "binary":
      return FREE;
    case "uri":
    case "url":
    case "uri-reference":
    case "email":
    case "hostname":
      return { kind: "scalar", type: "text" };
    default: {
      const most = memberOf(schema, "maxLength");
      const long =
        LONG.test(name) || (typeof most === "number" && most > 500 && !NAMES_A_ROW.test(name));
      return { kind: "scalar", type: long ? "prose" : "text" };
    }
  }
}

/** The unit of a number that is a time since 1970, where its document says so. */
function timeOf(schema: DocumentObject): "seconds" | "millis" | null {
  const format = textOf(memberOf(schema, "format")) ?? "";
  if (/^unix-?time$|^timestamp$|^epoch$/i.test(format)) return "seconds";
  const said = (textOf(memberOf(schema, "description")) ?? "").slice(0, 500);
  if (!/\b(?:unix|epoch)\b/i.test(said) || /nanosec|microsec/i.test(said)) return null;
  if (/millis|\bms\b/i.test(said)) return "millis";
  return /\bseconds?\b|unix (?:time ?stamp|time)|epoch time/i.test(said) ? "seconds" : null;
}

interface Gathered {
  readonly found: Map<string, DocumentObject>;
  readonly required: Set<string>;
  readonly seen: Set<DocumentObject>;
}

/** What says more than that it is some object, or a list of any. */
const SAYS = ["properties", "allOf", "anyOf", "oneOf", "enum", "const", "additionalProperties"];

/** Whether nothing is said of an object, or of what a list holds. */
function isVague(schema: DocumentObject): boolean {
  const [type] = typesOf(schema);
  const items = memberOf(schema, "items");
  if (type === "array") return !isDocumentObject(items) || isVague(items);
  if (type !== undefined && type !== "object") return false;
  return SAYS.every((key) => {
    const said = memberOf(schema, key);
    return said === undefined || (isDocumentObject(said) && Object.keys(said).length === 0);
  });
}

/**
 * Properties of a schema and of all that it is made of; its own come first, but one of which nothing is said gives way: a page
 * of anything that is made a page of boats.
 */
function gather(schema: DocumentObject, gathered: Gathered): void {
  const { found, required, seen } = gathered;
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const [name, property] of sortedEntries(memberOf(schema, "properties"))) {
    // Of what is not read nobody knows what it is: the document is said to lack it.
    if (foreignReference(property) !== undefined) continue;
    const said = isDocumentObject(property) ? property : {};
    const before = found.get(name);
    if (before === undefined) found.set(name, said);
    else {
      const wins = isVague(before) && !isVague(said) ? said : before;
      found.set(name, withAccess(wins, before, said));
    }
  }
  for (const name of listOf(memberOf(schema, "required"))) required.add(String(name));
  const only = alternatives(schema);
  for (const part of [...parts(schema), ...(only.length === 1 ? only : [])]) gather(part, gathered);
}

/** A property with what several parts say of who may read and write it: the first that says it is right. */
function withAccess(
  wins: DocumentObject,
  first: DocumentObject,
  second: DocumentObject,
): DocumentObject {
  const said = ["readOnly", "writeOnly"].flatMap((key) => {
    const value = memberOf(first, key) ?? memberOf(second, key);
    return value === undefined || value === memberOf(wins, key) ? [] : [[key, value] as const];
  });
  return said.length === 0 ? wins : { ...wins, ...Object.fromEntries(said) };
}

function recordShape(schema: DocumentObject): SchemaShape {
  const found = new Map<string, DocumentObject>();
  const required = new Set<string>();
  gather(schema, { found, required, seen: new Set() });
  if (found.size === 0) return FREE;
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { kind: "record", properties: new Map(sorted), required };
}

/** What several alternatives have in common: lines of text where all are scalars, else any JSON. */
function commonShape(all: readonly DocumentObject[], name: string): SchemaShape {
  const shapes = all.map((one) => shapeOf(one, name));
  const scalar = shapes.every(({ kind }) => kind === "scalar" || kind === "options");
  return scalar ? TEXT : FREE;
}

/** What was found of each schema: documents share few schemas among many places. */
const known = [
  new WeakMap<DocumentObject, SchemaShape>(),
  new WeakMap<DocumentObject, SchemaShape>(),
  new WeakMap<DocumentObject, SchemaShape>(),
] as const;

const kindOfName = (name: string): 0 | 1 | 2 =>
  LONG.test(name) ? 1 : NAMES_A_ROW.test(name) ? 2 : 0;

/** What a schema says, as a catalog can say it; `name` is that of the property that has it. */
export function shapeOf(schema: DocumentObject, name = ""): SchemaShape {
  const shapes = known[kindOfName(name)];
  const before = shapes.get(schema);
  if (before !== undefined) return before;
  // A schema that is made of itself is any JSON.
  shapes.set(schema, FREE);
  const shape = freshShape(schema, name);
  shapes.set(schema, shape);
  return shape;
}

function freshShape(schema: DocumentObject, name: string): SchemaShape {
  if (Object.hasOwn(schema, "$ref")) return FREE;
  const types = typesOf(schema);
  const wrapped = inner(schema);
  if (types.length === 0 && wrapped !== undefined) return shapeOf(wrapped, name);
  const several = alternatives(schema);
  if (several.length > 1) return commonShape(several, name);
  if (types.length > 1) {
    return types.some((type) => type === "object" || type === "array") ? FREE : TEXT;
  }
  return typedShape(schema, types[0], name);
}

function typedShape(schema: DocumentObject, type: string | undefined, name: string): SchemaShape {
  switch (type) {
    case "string":
      return textShape(schema, name);
    case "integer":
    case "number":
      return { kind: "scalar", type: timeOf(schema) ?? type };
    case "boolean":
      return { kind: "scalar", type };
    case "array": {
      const items = memberOf(schema, "items");
      return { kind: "list", items: isDocumentObject(items) ? items : null };
    }
    case "object":
      return recordShape(schema);
    default: {
      if (optionsOf(schema) !== null) return textShape(schema, name);
      return recordShape(schema);
    }
  }
}

/** The shape of what a list holds; any JSON where that is not said. */
export const itemShape = (shape: SchemaShape, name = ""): SchemaShape =>
  shape.kind === "list" && shape.items !== null ? shapeOf(shape.items, name) : FREE;
