import { isDocumentObject, type DocumentObject, listOf, memberOf, textOf } from "../json.ts";
import type { Parameter } from "./operation.ts";
import { shapeOf } from "./schema-shape.ts";

/** The alternatives of a schema that are objects; itself where it has none. */
const objectsOf = (schema: DocumentObject): readonly DocumentObject[] => {
  const all = ["anyOf", "oneOf"].flatMap((key) => listOf(memberOf(schema, key)));
  const objects = all.filter(isDocumentObject).filter((one) => shapeOf(one).kind === "record");
  return objects.length > 0 ? objects : [schema];
};

const DEEPEST_PARAMETER = 3;

/** The members of an object as parameters of their own: `page[offset]`. */
function membersOf(parameter: Parameter, depth = 0): readonly Parameter[] {
  const { object } = parameter;
  if (["json", "joined", "numbered"].includes(object) || depth > DEEPEST_PARAMETER) return [];
  return objectsOf(parameter.schema).flatMap((schema) => {
    const shape = shapeOf(schema);
    if (shape.kind !== "record") return [];
    return [...shape.properties].map(([property, own]): Parameter => ({
      ...parameter,
      name: object === "members" ? property : `${parameter.name}[${property}]`,
      required: parameter.required && shape.required.has(property),
      schema: own,
      description: textOf(memberOf(own, "description")),
      object: object === "deep" ? "deep" : "within",
    }));
  });
}

/** Parameters that one of a query is made into; an object beyond that stays as it is. */
const MOST_MEMBERS = 100;

/** The parameters that a query has in place of one that is an object, or may be. */
export const flatParameters = (parameter: Parameter): readonly Parameter[] =>
  flattened(parameter, { members: MOST_MEMBERS }, 0);

function flattened(
  parameter: Parameter,
  room: { members: number },
  depth: number,
): readonly Parameter[] {
  const members = membersOf(parameter, depth);
  if (members.length === 0 || members.length > room.members) return [parameter];
  room.members -= members.length;
  const plain = ["anyOf", "oneOf"]
    .flatMap((key) => listOf(memberOf(parameter.schema, key)))
    .filter(isDocumentObject)
    .find((one) => shapeOf(one).kind === "scalar");
  const all = [
    ...(plain === undefined ? [] : [{ ...parameter, schema: plain }]),
    ...members.flatMap((one) => flattened(one, room, depth + 1)),
  ];
  const byName = new Map(all.map((one) => [one.name, one]));
  return [...byName.values()];
}
