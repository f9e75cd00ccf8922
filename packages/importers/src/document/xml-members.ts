import { type DocumentObject, isDocumentObject, memberOf, textOf } from "../json.ts";
import { itemShape, type SchemaShape, shapeOf } from "./schema-shape.ts";

/** What a mapping says of a member of an answer in XML (MAP-035). */
export interface XmlMemberDraft {
  readonly list?: string;
  readonly type?: "number" | "boolean" | "object";
  readonly from?: string;
  readonly map?: string;
}

/** What each entry of a map is called. */
const ENTRY = "entry";

/** What a map holds under names that only its answer says; null for what is none. */
function heldByMap(schema: DocumentObject): DocumentObject | null {
  const held = memberOf(schema, "additionalProperties");
  const isPlain = memberOf(schema, "properties") === undefined;
  return isPlain && isDocumentObject(held) && memberOf(schema, "type") === "object" ? held : null;
}

const DEEPEST = 5;
const MOST = 400;

/** What an element is called whose document does not say it. */
const ITEM = "member";

const xmlOf = (schema: unknown, key: string): unknown => memberOf(memberOf(schema, "xml"), key);

function typeOf(shape: SchemaShape): XmlMemberDraft["type"] {
  if (shape.kind === "record") return "object";
  if (shape.kind !== "scalar") return undefined;
  if (shape.type === "boolean") return "boolean";
  return ["integer", "number", "seconds", "millis"].includes(shape.type) ? "number" : undefined;
}

/** What holds each item of a list. */
function itemName(name: string, schema: DocumentObject, items: unknown): string {
  const said = textOf(xmlOf(items, "name"));
  if (xmlOf(schema, "wrapped") === false) return said ?? textOf(xmlOf(schema, "name")) ?? name;
  return said ?? ITEM;
}

/** Where its element is not called as the member is, or it is an attribute. */
function placeOf(name: string, schema: DocumentObject): string | undefined {
  const own = textOf(xmlOf(schema, "name"))?.split(":").at(-1);
  if (xmlOf(schema, "attribute") === true && shapeOf(schema).kind !== "record")
    return `@${own ?? name}`;
  return own === undefined || own === name ? undefined : own;
}

/**
 * The members of an answer in XML that are more than a text or an object under their own names, by path; `row`: how many keys
 * lead to its rows, whose own values have types in the catalog.
 */
export function xmlMembers(
  schema: DocumentObject,
  row: number,
): ReadonlyMap<string, XmlMemberDraft> {
  const found = new Map<string, XmlMemberDraft>();
  const walk = (
    above: DocumentObject,
    path: readonly string[],
    within: readonly unknown[],
  ): void => {
    const record = shapeOf(above);
    if (record.kind !== "record" || path.length >= DEEPEST || within.includes(record)) return;
    for (const [name, own] of record.properties) {
      if (found.size >= MOST || name.includes("/")) return;
      const shape = shapeOf(own, name);
      const held = heldByMap(own);
      const items = shape.kind === "list" ? shape.items : held;
      const value = held !== null ? shapeOf(held) : items === null ? shape : itemShape(shape);
      const kind = typeOf(value);
      const isColumn = path.length === row && items === null;
      const isPlain = isColumn && shape.kind === "scalar" && !isTime(shape);
      const type = isPlain || (items === null && kind === "object") ? undefined : kind;
      const from = placeOf(name, own);
      const list = shape.kind === "list" ? itemName(name, own, shape.items) : undefined;
      if (held !== null || type !== undefined || from !== undefined || list !== undefined)
        found.set([...path, name].join("/"), {
          ...(list === undefined ? {} : { list }),
          ...(type === undefined ? {} : { type }),
          ...(from === undefined ? {} : { from }),
          ...(held === null ? {} : { map: ENTRY }),
        });
      walk(items ?? own, [...path, name], [...within, record]);
    }
  };
  walk(schema, [], []);
  return found;
}

const isTime = (shape: SchemaShape): boolean =>
  shape.kind === "scalar" && (shape.type === "seconds" || shape.type === "millis");
