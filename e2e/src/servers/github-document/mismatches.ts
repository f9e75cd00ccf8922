import type { Part } from "./official-document.ts";
import type { Operations, Schema } from "./operations.ts";

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return "array";
  if (Number.isInteger(value)) return "integer";
  return typeof value;
};

function fits(value: unknown, { type, enum: options }: Schema): boolean {
  if (options !== undefined && !options.includes(value)) return false;
  const found = typeOf(value);
  return type === undefined || found === type || (found === "integer" && type === "number");
}

/**
 * Where a value is not as a schema of the document says: of another type, another word than those listed,
 * or a member the document does not have. Missing members and nulls are not looked at.
 */
export function mismatches(
  operations: Operations,
  value: unknown,
  part: Part,
  at = "",
): readonly string[] {
  if (value === null || value === undefined) return [];
  const alternatives = operations.alternatives(part);
  if (alternatives.length > 0) {
    const found = alternatives.map((each) => mismatches(operations, value, each, at));
    return found.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }
  const schema = operations.schema(part);
  if (!fits(value, schema)) return [`${at} is ${typeOf(value)}: ${JSON.stringify(value)}`];
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return [];
    return value.flatMap((each, index) => mismatches(operations, each, items, `${at}[${index}]`));
  }
  const known = Object.keys(schema.properties).length > 0;
  if (typeof value !== "object" || !known) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = schema.properties[name];
    if (inner === undefined) return [`${at}.${name} is no member`];
    return mismatches(operations, member, inner, `${at}.${name}`);
  });
}
