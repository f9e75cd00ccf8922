import { parseDecimal } from "../../decimal/parse-decimal.ts";
import { plainDecimal } from "../../decimal/plain-decimal.ts";
import type { TextRange } from "../../source/span.ts";
import { memberOf, sortedKeys } from "./from-json.ts";
import type { Run } from "./run.ts";
import type { Value } from "./value.ts";

const MAX_NESTING = 200;

/** A value as output: null as nothing (LANG-081), text as it is, lists and objects as JSON. */
export function printValue(run: Run, at: TextRange, value: Value): string {
  switch (value.kind) {
    case "null":
    case "blank":
      return "";
    case "missing":
      run.fail(value.at, value.message);
      return "";
    case "text":
      return value.value;
    case "boolean":
    case "integer":
      return String(value.value);
    case "float":
      return floatText(value.value);
    case "list":
    case "object":
      return jsonText(run, at, value, { item: ", ", member: ": " });
  }
}

/** How JSON is spaced. */
interface Spacing {
  readonly item: string;
  readonly member: string;
}

/** A value as JSON, members in the order of their keys. */
export function jsonText(
  run: Run,
  at: TextRange,
  value: Value,
  spacing: Spacing = { item: ",", member: ":" },
): string {
  const parts: string[] = [];
  let length = 0;
  const write = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  const visit = (each: Value, nesting: number): void => {
    if (nesting > MAX_NESTING) run.fail(at, `The data nests more than ${MAX_NESTING} levels deep.`);
    if (length > run.limits.output) run.mayMake(at, length);
    if (!run.spend(at)) return;
    switch (each.kind) {
      case "null":
      case "blank":
        return write("null");
      case "text":
        return write(JSON.stringify(each.value));
      case "list":
        write("[");
        for (let index = 0; index < each.length && run.failure === null; index++) {
          if (index > 0) write(spacing.item);
          visit(each.item(index), nesting + 1);
        }
        return write("]");
      case "object": {
        write("{");
        sortedKeys(each.data).forEach((key, index) => {
          const member = memberOf(each.data, key);
          if (index > 0) write(spacing.item);
          write(JSON.stringify(key) + spacing.member);
          visit(member ?? { kind: "null" }, nesting + 1);
        });
        return write("}");
      }
      default:
        write(printValue(run, at, each));
    }
  };
  visit(value, 0);
  return run.mayMake(at, length) ? parts.join("") : "";
}

/** A float in digits, with a point even if it is whole; zero has no sign (LANG-041). */
function floatText(value: number): string {
  const decimal = parseDecimal(value === 0 ? 0 : value);
  const digits = decimal === null ? "" : plainDecimal(decimal);
  return digits.includes(".") ? digits : `${digits}.0`;
}
