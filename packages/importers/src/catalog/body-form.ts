import { itemShape, shapeOf } from "../document/schema-shape.ts";
import { type DocumentObject, memberOf, textOf } from "../json.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import type { EntityDraft } from "./entity-draft.ts";
import { describeSlot } from "./entity-fields.ts";

const DEEPEST = 3;

/** Fields of one form, those of objects within it included; objects beyond that are any JSON. */
const MOST_FIELDS = 500;

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
 * What lies deeper than three objects is any JSON, and so is what has too many fields.
 */
export const bodyForm = (schema: DocumentObject, maker: Maker, name: string): unknown =>
  formOf(schema, { ...maker, room: { fields: MOST_FIELDS } }, name, 0);

interface Forming extends Maker {
  readonly room: { fields: number };
}

function formOf(schema: DocumentObject, maker: Forming, name: string, depth: number): unknown {
  const shape = shapeOf(schema, name);
  if (depth >= DEEPEST) return null;
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
