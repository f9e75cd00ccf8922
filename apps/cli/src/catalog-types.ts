import type { Capability, Catalog, Entity, Field, InputType, ValueType } from "@plasm/core";
import { rootUnion, type Slot, slotsOf } from "@plasm/core/internal";

const HEAD = `/* eslint-disable */
/** A number; decimal text where a double cannot hold it exactly. */
export type Decimal = number | \`\${number}\`;

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
`;

/**
 * TypeScript declarations of a catalog (SURF-54): \`Rows\`, what programs give of each entity; \`Keys\`, what references to it hold;
 * \`Arguments\`, what its capabilities take, by entity and label. Names and texts of the catalog are data in it, never code.
 */
export function catalogTypes(catalog: Catalog): string {
  const { entryId, cgs } = catalog;
  const entities = [...cgs.entities.values()].filter(({ abstract }) => !abstract);
  const capabilities = [...cgs.capabilities.values()];
  const byEntity = entities.map((entity) => ({
    entity,
    capabilities: capabilities.filter((each) => each.entity === entity.name),
  }));
  return [
    comment(
      `Of the catalog ${entryId}, made by plasm catalog types: do not edit, make it again.`,
      "",
    ),
    HEAD,
    comment(
      "What programs give of each entity: of a projection, Pick the columns that it names.",
      "",
    ),
    block(
      "export interface Rows",
      entities.map((entity) => rowText(catalog, entity)),
      "",
    ),
    "",
    comment("What references to each entity hold.", ""),
    block(
      "export interface Keys",
      entities.map((entity) => keyText(entity)),
      "",
    ),
    "",
    comment("What capabilities take, by entity and label.", ""),
    block(
      "export interface Arguments",
      byEntity
        .filter((each) => each.capabilities.length > 0)
        .map(({ entity, capabilities: own }) =>
          member(entity.name, true, braced(own.map(argumentsText), INDENT), "", INDENT),
        ),
      "",
    ),
    "",
  ].join("\n");
}

const INDENT = "  ";

/** A row: fields, and the keys of what it refers to by a relation that has no request of its own (RUN-036). */
function rowText({ cgs }: Catalog, entity: Entity): string {
  const inner = INDENT + INDENT;
  const fields = [...entity.fields.values()].map((field) => fieldText(entity, field));
  const relations = [...entity.relations.values()].flatMap(
    ({ name, target, cardinality, ...one }) => {
      const of = cgs.entities.get(target);
      if (cardinality === "many" || one.materialize !== undefined || of === undefined) return [];
      const type = `${keyOf(target)} | null`;
      return [member(`${name}.${of.idField}`, false, type, one.description, inner)];
    },
  );
  const type = braced([...fields, ...relations], INDENT);
  return member(entity.name, true, type, entity.description, INDENT);
}

function fieldText({ idField, keyVars }: Entity, field: Field): string {
  const type = typeText(field.type, "row");
  const isThere = field.required || field.name === idField || keyVars.includes(field.name);
  const nullable = isThere || type === "Json" ? type : `${type} | null`;
  return member(field.name, isThere, nullable, field.description, INDENT + INDENT);
}

/** A key of several parts is an object of them; what references hold is as the API writes it. */
function keyText({ name, fields, idField, keyVars }: Entity): string {
  const part = (key: string): string => {
    const type = fields.get(key)?.type;
    return type === undefined ? "string | number" : typeText(type, "row");
  };
  const parts = keyVars.map((key) => member(key, true, part(key), "", INDENT + INDENT));
  const type =
    keyVars.length > 1 ? `string | ${braced(parts, INDENT)}` : part(keyVars[0] ?? idField);
  return member(name, true, type, "", INDENT);
}

const keyOf = (entity: string): string => `Keys[${JSON.stringify(entity)}]`;

function argumentsText(capability: Capability): string {
  const inner = INDENT + INDENT;
  const own = slotsOf(capability).map((slot) => slotText(slot, inner + INDENT));
  const union = rootUnion(capability);
  const type =
    union === undefined
      ? braced(own, inner)
      : `${braced(own, inner)} & (${inputText(union, inner)})`;
  return member(capability.label, true, type, capability.description, inner);
}

const slotText = ({ name, required, input, description }: Slot, indent: string): string =>
  member(name, required, inputText(input, indent), description, indent);

function inputText(input: InputType, indent: string): string {
  switch (input.kind) {
    case "none":
      return "null";
    case "value":
      return typeText(input.type, "argument");
    case "array":
      return `readonly (${inputText(input.element, indent)})[]`;
    case "object": {
      const fields = braced(
        input.fields.map((slot) => slotText(slot, indent + INDENT)),
        indent,
      );
      return input.additionalFields ? `${fields} & { readonly [key: string]: Json }` : fields;
    }
    case "union":
      return input.variants
        .map(({ wireValue, fields }) => {
          const told = `readonly ${nameText(input.wireField)}: ${literal(wireValue)};`;
          const rest = fields
            .filter(({ name }) => name !== input.wireField)
            .map((slot) => slotText(slot, indent + INDENT));
          return braced([`${indent}${INDENT}${told}`, ...rest], indent);
        })
        .join(" | ");
  }
}

const literal = (value: unknown): string =>
  typeof value === "object" && value !== null ? "Json" : JSON.stringify(value);

/** Rows keep what the API writes, but for numbers and booleans (RUN-033); arguments may be written either way. */
function typeText(type: ValueType, of: "row" | "argument"): string {
  switch (type.kind) {
    case "string":
    case "uuid":
      return "string";
    case "number":
    case "integer":
      return "Decimal";
    case "boolean":
      return "boolean";
    case "date":
      if (of === "argument") return "string | number";
      return type.format.startsWith("unix") ? "Decimal" : "string";
    case "select":
      return optionsText(type.options);
    case "multi_select":
      return `readonly (${optionsText(type.options)})[]`;
    case "array":
      return `readonly (${typeText(type.items, of)})[]`;
    case "entity_ref":
      return keyOf(type.target);
    case "blob":
    case "json":
      return "Json";
  }
}

const optionsText = (options: readonly string[]): string =>
  options.length === 0 ? "string" : options.map((one) => JSON.stringify(one)).join(" | ");

const nameText = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

function member(
  name: string,
  required: boolean,
  type: string,
  description: string,
  indent: string,
): string {
  const said = description.trim() === "" ? "" : `${comment(description, indent)}\n`;
  return `${said}${indent}readonly ${nameText(name)}${required ? "" : "?"}: ${type};`;
}

/** A description on one line, which cannot end the comment that it stands in. */
const comment = (text: string, indent: string): string =>
  `${indent}/** ${text.replaceAll(/\s+/g, " ").replaceAll("*/", "* /").trim()} */`;

const braced = (members: readonly string[], indent: string): string =>
  members.length === 0 ? "{}" : `{\n${members.join("\n")}\n${indent}}`;

const block = (head: string, members: readonly string[], indent: string): string =>
  `${head} ${braced(members, indent)}`;
