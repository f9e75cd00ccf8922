import type { Parameter } from "../document/operation.ts";
import { itemShape, shapeOf } from "../document/schema-shape.ts";
import { type DocumentObject, listOf, memberOf } from "../json.ts";
import { wordsOf } from "../names/words.ts";
import type { DraftExpression } from "./capability-draft.ts";

export type SentIn = "query" | "header" | "cookie";

/** The one value that a schema allows; undefined where it allows others, or says none. */
export function onlyValue(schema: DocumentObject): string | number | boolean | undefined {
  const constant = memberOf(schema, "const");
  const [only, second] = constant === undefined ? listOf(memberOf(schema, "enum")) : [constant];
  const isScalar = ["string", "number", "boolean"].includes(typeof only);
  return isScalar && second === undefined ? (only as string | number | boolean) : undefined;
}

/** What a member is called that says of what kind something is. */
const KINDS = new Set("object type kind class format encoding schema".split(" "));

/** The one text that a member may be, where its name says that it tells but of what kind something is; else undefined. */
export function onlyKind(schema: DocumentObject, name: string): string | undefined {
  const only = onlyValue(schema);
  const isKind = KINDS.has(wordsOf(name).at(-1) ?? "");
  return isKind && typeof only === "string" && only.trim() !== "" ? only : undefined;
}

/** The version that the document is of, where a header says it. */
function versionValue({ name, schema }: Parameter): string | undefined {
  if (!/(?:^|[-_])version$/i.test(name)) return undefined;
  const said = memberOf(schema, "default") ?? memberOf(schema, "example") ?? onlyValue(schema);
  return typeof said === "string" || typeof said === "number" ? String(said) : undefined;
}

/**
 * The value that requests have anyhow: the only one of a header, the version that the document is of, and what a read
 * demands that it is asked by. Whoever confirms an effect says so, though there is but one word for it.
 */
export function fixedValue(
  parameter: Parameter,
  place: SentIn,
  isWrite: boolean,
): string | number | boolean | undefined {
  const only = parameter.required ? onlyValue(parameter.schema) : undefined;
  if (place === "header") return only === undefined ? versionValue(parameter) : String(only);
  return place === "query" && !isWrite ? only : undefined;
}

/** What a list leaves out by a default of the API, and what is done about it. */
interface HiddenRows {
  /** what to say beside the parameter */
  readonly said: string;
  /** the word for all rows, which is sent where none is given */
  readonly every?: string;
  /** the value that the rows have which come */
  readonly only?: string | boolean;
}

/** Words of a parameter for rows of every kind. */
const EVERY = /^(?:all|any|both|everything)$/i;

/**
 * What a parameter of a list hides where it is not given: nothing, if it is sent in a query and has a word for all rows,
 * beside which it has another default or is called like a column of the rows (`isColumn`). Else the rows of a column of
 * its name have its default, and a condition on that column would be tested without the others. Of other parameters the
 * default is only said.
 */
export function hiddenBy(
  schema: DocumentObject,
  place: SentIn | "body",
  isColumn: boolean,
): HiddenRows | null {
  const shape = shapeOf(schema);
  const options = shape.kind === "options" ? shape.options : [];
  const said = memberOf(schema, "default");
  const [first, second] = Array.isArray(said) ? (said as readonly unknown[]) : [said];
  if (EVERY.test(String(first))) return null;
  const every = place === "query" ? options.find((one) => EVERY.test(one)) : undefined;
  if (every !== undefined && (isColumn || first !== undefined))
    return { said: `else ${every}`, every };
  const isPlain = typeof first === "boolean" || (typeof first === "string" && first.trim() !== "");
  const isTold = shape.kind !== "list" || itemShape(shape).kind === "options";
  if (!isPlain || second !== undefined || !isTold) return null;
  const isPlainText = shape.kind === "scalar" && typeof first === "string";
  const isSaid = isColumn || !(first === false || isPlainText);
  return { said: isSaid ? `else ${String(first)}` : "", ...(isColumn ? { only: first } : {}) };
}

/** A description of a parameter with what it is where it is not given, unless it says that itself. */
export function describedWith(text: string, hidden: HiddenRows | null): string {
  const isKnown = hidden?.every === undefined && /\bdefaults?\b|\bunless\b/i.test(text);
  return [text, isKnown ? "" : (hidden?.said ?? "")].filter(Boolean).join("; ");
}

/** What is sent where a parameter is given, else a value. */
export const unlessGiven = (
  name: string,
  given: DraftExpression,
  otherwise: string,
): DraftExpression => ({
  type: "if",
  condition: { type: "exists", var: name },
  then_expr: given,
  else_expr: { type: "const", value: otherwise },
});
