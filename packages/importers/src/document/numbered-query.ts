import { type DocumentObject, memberOf, textOf } from "../json.ts";
import type { PathMark } from "./path-query.ts";
import type { Parameter } from "./operation.ts";
import { shapeOf } from "./schema-shape.ts";

/** What a mapping says of a member of a query that is written with dots and numbers (MAP-026). */
export interface NumberedDraft {
  readonly list?: string;
  readonly flat?: true;
  readonly name?: string;
  readonly map?: string;
}

const xmlOf = (schema: unknown, key: string): unknown => memberOf(memberOf(schema, "xml"), key);

const DEEPEST = 5;
const MOST = 200;

/** What an entry of a map is called. */
const ENTRY = "entry";

/** Whether a schema is of an object whose members have names that only a caller knows. */
const isMap = (schema: DocumentObject): boolean =>
  memberOf(schema, "type") === "object" &&
  memberOf(schema, "properties") === undefined &&
  ![undefined, false].includes(memberOf(schema, "additionalProperties") as undefined);

/** How a list or an object is written, as its schema has it in XML: what its items are called, and if they stand in its own name. */
export function numberedMembers(
  name: string,
  schema: DocumentObject,
): ReadonlyMap<string, NumberedDraft> {
  const found = new Map<string, NumberedDraft>();
  const walk = (own: DocumentObject, path: string, called: string, above: readonly unknown[]) => {
    const shape = shapeOf(own, called);
    const element = textOf(xmlOf(own, "name"));
    const draft: NumberedDraft = {
      ...(element === undefined || element === called ? {} : { name: element }),
      ...(isMap(own) ? { map: ENTRY } : {}),
      ...(shape.kind === "list" ? listDraft(own, shape.items) : {}),
    };
    if (path === name || Object.keys(draft).length > 0) found.set(path, draft);
    const inner = shape.kind === "list" ? shapeOf(shape.items ?? {}) : shape;
    if (inner.kind !== "record" || above.length >= DEEPEST || above.includes(inner)) return;
    for (const [property, one] of inner.properties) {
      if (found.size >= MOST || property.includes("/")) return;
      walk(one, `${path}/${property}`, property, [...above, inner]);
    }
  };
  walk(schema, name, name, []);
  return found;
}

function listDraft(schema: DocumentObject, items: DocumentObject | null): NumberedDraft {
  const said = textOf(xmlOf(items, "name"));
  const flat = xmlOf(schema, "wrapped") === false ? ({ flat: true } as const) : {};
  return { ...(said === undefined ? {} : { list: said }), ...flat };
}

/**
 * The parameters of a call that its query names and that speaks XML: its lists and objects are written as its XML would have
 * them, with numbers in place of the order.
 */
export function withNumbers(
  query: readonly Parameter[],
  marks: readonly PathMark[],
  speaksXml: boolean,
): readonly Parameter[] {
  const isNamed = marks.some(({ name, value }) => value !== null && isAsked(query, name));
  if (!isNamed || !speaksXml) return query;
  return query.map((one) => {
    const { kind } = shapeOf(one.schema, one.name);
    const isOne =
      kind === "scalar" || kind === "options" || (kind === "free" && !isMap(one.schema));
    return one.always !== undefined || isOne ? one : { ...one, object: "numbered" };
  });
}

const isAsked = (query: readonly Parameter[], name: string): boolean =>
  query.some((one) => one.name.toLowerCase() === name.toLowerCase());
