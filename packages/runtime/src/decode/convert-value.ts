import type { Json, ValueType } from "@plasm/core";
import { numberValue } from "@plasm/core/internal";
import { cleanJson, cleanApiText } from "./api-text.ts";
import { isArray, typeName } from "../base/json-kinds.ts";

/** A wire value in its declared type's form; `problem` says what does not fit and stayed (RUN-033). */
export interface Converted {
  readonly value: Json;
  readonly problem: string | null;
}

const ok = (value: Json): Converted => ({ value, problem: null });

function stays(value: Json, type: ValueType): Converted {
  return { value: cleanJson(value), problem: `${typeName(value)} in a ${type.kind} field` };
}

function asNumber(value: Json, type: ValueType): Converted {
  if (typeof value === "number") return ok(value);
  if (typeof value !== "string") return stays(value, type);
  const number = numberValue(value.trim());
  return number === null ? stays(value, type) : ok(number);
}

/** Truth as databases and forms write it. */
const TRUTH: ReadonlyMap<Json, boolean> = new Map<Json, boolean>([
  ["true", true],
  ["false", false],
  [1, true],
  [0, false],
  ["1", true],
  ["0", false],
]);

function asBoolean(value: Json, type: ValueType): Converted {
  if (typeof value === "boolean") return ok(value);
  const truth = TRUTH.get(value);
  return truth === undefined ? stays(value, type) : ok(truth);
}

/** Whether a value is empty text: where none can be a value, it says that there is none. */
const isBlank = (value: Json): boolean => typeof value === "string" && value.trim() === "";

function asText(value: Json, type: ValueType): Converted {
  if (typeof value === "string") return ok(cleanApiText(value));
  if (typeof value === "number") return ok(String(value));
  return stays(value, type);
}

/** A word without what its spellings differ in: case, and what stands between its parts. */
const spelling = (word: string): string => word.toLowerCase().replaceAll(/[\s_-]+/g, "_");

interface Options {
  readonly words: ReadonlySet<string>;
  /** the option that each spelling means; null where it is that of several */
  readonly spelled: ReadonlyMap<string, string | null>;
}

const optionsRead = new WeakMap<readonly string[], Options>();

function readOptions(options: readonly string[]): Options {
  const known = optionsRead.get(options);
  if (known !== undefined) return known;
  const spelled = new Map<string, string | null>();
  for (const option of options) {
    const word = spelling(option);
    spelled.set(word, spelled.has(word) ? null : option);
  }
  const made = { words: new Set(options), spelled };
  optionsRead.set(options, made);
  return made;
}

/** An option that is spelled otherwise than its catalog says (`OPEN`, `in-progress`) is that option: conditions name it. */
function asOption(value: Json, type: ValueType, options: readonly string[]): Converted {
  const text = asText(value, type);
  if (typeof text.value !== "string" || options.length === 0) return text;
  const { words, spelled } = readOptions(options);
  if (words.has(text.value)) return text;
  return { ...text, value: spelled.get(spelling(text.value)) ?? text.value };
}

function asArray(value: Json, type: ValueType, element: ValueType): Converted {
  if (!isArray(value)) return stays(value, type);
  let problem: string | null = null;
  const items = value.map((item) => {
    const converted = convertValue(item, element);
    problem ??= converted.problem;
    return converted.value;
  });
  return { value: items, problem };
}

/**
 * Keeps a value's wire form but for RUN-033's conversions: numeric text in number fields, `"true"`,
 * `"false"`, 1 and 0 in booleans, numbers in text, select and uuid fields, options in another spelling, empty text
 * in number, boolean and date fields. References are narrowed elsewhere; here they pass.
 */
export function convertValue(value: Json, type: ValueType): Converted {
  if (value === null) return ok(null);
  switch (type.kind) {
    case "number":
    case "integer":
      return isBlank(value) ? ok(null) : asNumber(value, type);
    case "boolean":
      return isBlank(value) ? ok(null) : asBoolean(value, type);
    case "string":
    case "uuid":
      return asText(value, type);
    case "select":
      return asOption(value, type, type.options);
    case "multi_select":
      return asArray(value, type, { kind: "select", options: type.options });
    case "array":
      return asArray(value, type, type.items);
    case "date":
      if (isBlank(value)) return ok(null);
      return typeof value === "string" || typeof value === "number"
        ? ok(typeof value === "string" ? cleanApiText(value) : value)
        : stays(value, type);
    case "blob":
    case "json":
    case "entity_ref":
      return ok(cleanJson(value));
  }
}
