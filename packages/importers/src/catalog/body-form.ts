import { itemShape, shapeOf } from "../document/schema-shape.ts";
import { type DocumentObject, memberOf, textOf } from "../json.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import type { EntityDraft } from "./entity-draft.ts";
import { describeSlot } from "./entity-fields.ts";

const DEEPEST = 3;

/** Fields of one form, those of objects within it included; objects beyond that are any JSON. */
const MOST_FIELDS = 500;

/** Fields of all forms of one body: of one that has more, less is taught of each. */
const MOST_IN_BODY = 1_000;

/** The value of a member that is no form, and the entity whose key it is, if it is one. */
export interface MemberValue {
  readonly value: string;
  readonly ref: EntityDraft | null;
}

interface Maker {
  readonly valueOf: (schema: DocumentObject, property: string) => MemberValue;
}

/**
 * The `input_type` of an object, or of a list of objects, in a body; null for what `values` can say.
 * What lies deeper than so many objects is any JSON, and so is what has too many fields.
 */
export const bodyForm = (
  schema: DocumentObject,
  maker: Maker,
  name: string,
  levels = DEEPEST,
): unknown => formOf(schema, { ...maker, levels, room: { fields: MOST_FIELDS } }, name, 0);

interface Forming extends Maker {
  readonly levels: number;
  readonly room: { fields: number };
}

/** How many levels of objects the forms of a body have, so that all of them together are not too large (ADR 0221). */
export function formLevels(properties: ReadonlyMap<string, DocumentObject>): number {
  const sizeOf = (levels: number): number =>
    [...properties].reduce(
      (sum, [name, schema]) => sum + Math.min(MOST_FIELDS, fieldCount(schema, name, levels)),
      0,
    );
  for (let levels = DEEPEST; levels > 0; levels -= 1)
    if (sizeOf(levels) <= MOST_IN_BODY) return levels;
  return 0;
}

/** How many fields a form would have, or the first number above what one may have. */
function fieldCount(schema: DocumentObject, name: string, levels: number): number {
  const shape = shapeOf(schema, name);
  if (levels === 0) return 0;
  if (shape.kind === "list" && shape.items !== null)
    return itemShape(shape, name).kind === "record" ? fieldCount(shape.items, name, levels - 1) : 0;
  if (shape.kind !== "record") return 0;
  let count = shape.properties.size;
  for (const [property, inner] of shape.properties) {
    if (count > MOST_FIELDS) break;
    count += fieldCount(inner, property, levels - 1);
  }
  return count;
}

function formOf(schema: DocumentObject, maker: Forming, name: string, depth: number): unknown {
  const shape = shapeOf(schema, name);
  if (depth >= maker.levels) return null;
  if (shape.kind === "list" && shape.items !== null) {
    if (itemShape(shape, name).kind !== "record") return null;
    const element = formOf(shape.items, maker, name, depth + 1);
    return element === null ? null : { type: "array", element_type: element };
  }
  if (shape.kind !== "record" || shape.properties.size > maker.room.fields) return null;
  maker.room.fields -= shape.properties.size;
  const taken = new Set<string>();
  const fields = [...shape.properties]
    .filter(([, property]) => memberOf(property, "readOnly") !== true)
    .map(([property, inner]) => {
      const own = reserveName(taken, catalogName(property, "value"));
      const form = formOf(inner, maker, property, depth + 1);
      const { value, ref } = maker.valueOf(inner, property);
      const description = describeSlot(textOf(memberOf(inner, "description")), ref, own);
      return {
        name: own,
        ...(form === null ? { value_ref: value } : { input_type: form }),
        ...(shape.required.has(property) ? { required: true } : {}),
        ...(description === "" ? {} : { description }),
        ...(own === property ? {} : { wire_json_path: [property] }),
      };
    });
  return fields.length === 0 ? null : { type: "object", fields };
}
