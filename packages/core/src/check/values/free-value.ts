import type { Value } from "../../language/grammar/ast-values.ts";
import type { CheckContext } from "../check-context.ts";
import { bindEntityName } from "../names/bind-head.ts";
import type { ColumnType } from "../types.ts";
import { isFunction } from "../../language/grammar/functions.ts";
import { type Expression, inDays } from "./expression-parts.ts";
import { readConstructor } from "./constructor-value.ts";
import { readExpression } from "./expression.ts";
import { readJson } from "./list-value.ts";
import { readValue } from "./read-value.ts";
import { literal, type ValueReading } from "./value-reading.ts";
import { isRelativeDate } from "../../values/relative-date.ts";
import { noteTemplateText } from "./template-text.ts";
import { wordMeaning } from "./reference-value.ts";

const JSON_TYPE: ColumnType = { entryId: null, type: { kind: "json" } };

const SLOT = { shown: "the value", type: JSON_TYPE, nullable: true, use: "test" } as const;

/**
 * Reads a value no slot says the type of: data, columns of derived rows, and what is inside them
 * (LANG-046, LANG-071). Text stays text, whatever it looks like.
 */
export function readFree(context: CheckContext, value: Value): ValueReading {
  if (isComputed(context, value)) {
    const { value: typed, problems } = readComputedFree(context, value);
    return { value: problems.length > 0 ? null : typed, problems };
  }
  switch (value.kind) {
    case "ConstructorValue":
      return readConstructor(context, value, readValue);
    case "StringValue":
    case "HeredocValue":
      // Data is as it stands; a derived row is made of values.
      if (context.cursor !== null) noteTemplateText(context, value, SLOT);
      return literal(value.text);
    case "ListValue":
    case "ObjectValue":
      return readJson(context, value, SLOT, readFree);
    case "NumberValue":
    case "DateValue":
    case "UuidValue":
    case "WordValue":
    case "BoolValue":
    case "NullValue":
    case "PlaceholderValue":
    case "BinaryValue":
    case "UnaryValue":
    case "DurationValue":
    case "SliceValue":
    case "MemberValue":
    case "RelatedValue":
    case "Bad":
      return readValue(context, value, SLOT);
  }
}

/**
 * Whether a value has operators, functions, slices or members. Data is as it stands, but in a row that is made of
 * another `today` is the date, as it is in `today - 3d`.
 */
function isComputed(context: CheckContext, value: Value): boolean {
  switch (value.kind) {
    case "WordValue":
      return context.cursor !== null && isRelativeDate(value.raw);
    case "BinaryValue":
    case "UnaryValue":
    case "DurationValue":
    case "SliceValue":
    case "MemberValue":
    case "RelatedValue":
      return true;
    case "ConstructorValue":
      return isFunction(value.name.text);
    default:
      return false;
  }
}

function readComputedFree(context: CheckContext, value: Value): Expression {
  return inDays(value, readExpression(context, value, readValue));
}

/** Reads such a value together with its type: what is computed is read once. */
export function readFreeColumn(
  context: CheckContext,
  value: Value,
): ValueReading & { readonly type: ColumnType } {
  if (!isComputed(context, value))
    return { ...readFree(context, value), type: freeType(context, value) };
  const { value: typed, type, problems } = readComputedFree(context, value);
  return { value: problems.length > 0 ? null : typed, problems, type };
}

/** The type of such a value as later steps see it. */
export function freeType(context: CheckContext, value: Value): ColumnType {
  if (isComputed(context, value)) return readComputedFree(context, value).type;
  switch (value.kind) {
    case "NumberValue":
      return { entryId: null, type: { kind: "number" } };
    case "BoolValue":
      return { entryId: null, type: { kind: "boolean" } };
    case "DateValue": {
      const format = value.raw.length === 10 ? "iso8601_date" : "rfc3339";
      return { entryId: null, type: { kind: "date", format } };
    }
    case "UuidValue":
      return { entryId: null, type: { kind: "uuid" } };
    case "StringValue":
    case "HeredocValue":
      return { entryId: null, type: { kind: "string", semantics: "short" } };
    case "WordValue": {
      const meaning = wordMeaning(context, value);
      if (meaning.kind === "cell") return meaning.type;
      if (meaning.kind !== "text") return JSON_TYPE;
      return { entryId: null, type: { kind: "string", semantics: "short" } };
    }
    case "ConstructorValue": {
      const entity = bindEntityName(context, value.name);
      if (entity.kind === "problem") return JSON_TYPE;
      const { entryId, entity: target } = entity.key;
      return { entryId, type: { kind: "entity_ref", target } };
    }
    case "ListValue":
    case "ObjectValue":
    case "NullValue":
    case "PlaceholderValue":
    case "BinaryValue":
    case "UnaryValue":
    case "DurationValue":
    case "SliceValue":
    case "MemberValue":
    case "RelatedValue":
    case "Bad":
      return JSON_TYPE;
  }
}
