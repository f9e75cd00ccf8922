import type { Program } from "../../language/grammar/ast.ts";
import type { Value } from "../../language/grammar/ast-values.ts";

/** What may be a value of a parameter (SAV-03), in words. */
const FORMS = {
  text: "text in quotes",
  number: "a number",
  date: "a date",
  uuid: "a UUID",
  boolean: "true or false",
} as const;

function typeOf(value: Value): keyof typeof FORMS | null {
  switch (value.kind) {
    case "StringValue":
    case "HeredocValue":
      return "text";
    case "NumberValue":
      return "number";
    case "DateValue":
      return "date";
    case "UuidValue":
      return "uuid";
    case "BoolValue":
      return "boolean";
    default:
      return null;
  }
}

/** The type of a parameter's value, and whether it is a list of such values. */
export interface ValueForm {
  readonly type: keyof typeof FORMS;
  readonly list: boolean;
}

/** The form of a plain value, or of a list of values of one type; null for any other. */
export function valueForm(value: Value): ValueForm | null {
  if (value.kind !== "ListValue") {
    const type = typeOf(value);
    return type === null ? null : { type, list: false };
  }
  const types = new Set(value.items.map(typeOf));
  const [type] = types;
  return types.size === 1 && type !== undefined && type !== null ? { type, list: true } : null;
}

/** What a value of a form is, in words. */
export const formText = ({ type, list }: ValueForm): string =>
  list ? `a list, each ${FORMS[type]}` : FORMS[type];

/** The forms of the plain values that a program binds, by label. */
export type ValueForms = ReadonlyMap<string, ValueForm | null>;

/** Finds them. */
export const valueFormsOf = ({ statements }: Program): ValueForms =>
  new Map(
    statements.flatMap((one) =>
      one.kind === "Binding" && one.node.kind === "Data"
        ? [[one.label.text, valueForm(one.node.value)]]
        : [],
    ),
  );
