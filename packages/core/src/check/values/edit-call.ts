import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import type { ConstructorValue, Value } from "../../language/grammar/ast-values.ts";
import type { FunctionName } from "../../language/grammar/functions.ts";
import { quoteText, scanString } from "../../language/grammar/strings.ts";
import type { CheckContext } from "../check-context.ts";
import { shownPart } from "./expression-parts.ts";
import { SIGNATURES } from "./function-table.ts";

/** The call of a function that edits, in the form of its operation (LANG-056). */
export interface EditCall {
  readonly operation: string;
  /** what is read as values: text, part and other text; or json and the value that is set */
  readonly values: readonly Value[];
  /** the path of the member that is set or removed */
  readonly keys: readonly string[];
}

/** Reads the words of an edit that are no values: `all`, `after=`, a path. Null for any other function, and where their number is wrong. */
export function readEditCall(
  context: CheckContext,
  { args }: ConstructorValue,
  name: FunctionName,
): EditCall | Diagnostic | null {
  const [value, second, third, fourth] = args.map((arg) => arg.value);
  if (value === undefined || second === undefined || args.length > 4) return null;
  const { form } = SIGNATURES[name];
  const refused = (at: Value, takes: string): Diagnostic => {
    const found = { name, takes, found: shownPart(context, at), form };
    return diagnose(expressionMessages.argumentType, at.span, found);
  };
  switch (name) {
    case "replace": {
      if (third === undefined) return null;
      const values = [value, second, third];
      if (fourth === undefined) {
        return { operation: context.edits ? "replace_one" : name, values, keys: [] };
      }
      const isAll = fourth.kind === "WordValue" && fourth.raw === "all";
      return isAll ? { operation: name, values, keys: [] } : refused(fourth, "the word all");
    }
    case "insert": {
      if (third === undefined || fourth !== undefined) return null;
      if (third.kind === "BinaryValue" && third.op === "=" && third.left.kind === "WordValue") {
        const place = third.left.raw;
        if (place === "after" || place === "before") {
          return { operation: `insert_${place}`, values: [value, third.right, second], keys: [] };
        }
      }
      return refused(third, 'after="…" or before="…" with a part of the text');
    }
    case "set":
    case "remove": {
      if ((name === "set") !== (third !== undefined) || fourth !== undefined) return null;
      const keys = pathKeys(second);
      if (keys === null) return badPath(context, second);
      const values = third === undefined ? [value] : [value, third];
      return { operation: `${name}_member`, values, keys };
    }
    default:
      return null;
  }
}

const SEGMENT = /(?:^|\.)(?:([A-Za-z_][\w-]*|\d{1,9})|("(?:[^"\\]|\\.)*"))/y;

/** The keys of a path as the language writes it: `engine.hp`, `items.0."a b"`; null for any other text. */
function pathKeys(value: Value): readonly string[] | null {
  const isText = value.kind === "StringValue" || value.kind === "HeredocValue";
  const text = isText ? value.text : value.kind === "WordValue" ? value.raw : null;
  if (text === null || text === "") {
    return value.kind === "NumberValue" && /^\d{1,9}$/.test(value.raw) ? [value.raw] : null;
  }
  const keys: string[] = [];
  let at = 0;
  while (at < text.length) {
    SEGMENT.lastIndex = at;
    const [whole, name, quoted] = SEGMENT.exec(text) ?? [];
    if (whole === undefined) return null;
    keys.push(name ?? scanString(quoted ?? "", 0).value);
    at += whole.length;
  }
  return keys;
}

/** Paths of JSON patches, of JSONPath and of PostgreSQL, with what is written here. */
function badPath(context: CheckContext, value: Value): Diagnostic {
  const text = value.kind === "StringValue" ? value.text : null;
  const keys = (text ?? "")
    .replace(/^\$\.?/, "")
    .split(/[/.[\]{},]+/)
    .filter((key) => key !== "")
    .map((key) =>
      key
        .replaceAll("~1", "/")
        .replaceAll("~0", "~")
        .replaceAll(/^['"]|['"]$/g, ""),
    )
    .map((key) => (/^(?:[A-Za-z_][\w-]*|\d{1,9})$/.test(key) ? key : quoteText(key)));
  const path = keys.join(".");
  const meant = path === "" ? null : path.includes('"') ? `'${path}'` : quoteText(path);
  const args = {
    found: shownPart(context, value),
    fix: meant === null ? 'write its keys as text: "engine.hp", "items.0.name"' : `write ${meant}`,
  };
  const edits = meant === null ? undefined : [{ span: value.span, replacement: meant }];
  return diagnose(expressionMessages.memberPath, value.span, args, edits);
}
