import type { Scalar } from "yaml";
import { numberValue } from "../../decimal/number-value.ts";
import type { TextRange } from "../../source/span.ts";
import { clip } from "../../text/clip.ts";
import type { YamlNode } from "./node.ts";
import type { YamlProblem } from "./problem.ts";

/** A scalar by the core schema (CAT-012), numbers exact (CAT-014), or why it is refused. */
export function scalarNode(scalar: Scalar, at: TextRange): YamlNode | YamlProblem {
  const base = { at, size: 1, height: 1 };
  const { value } = scalar;
  const source = scalar.source ?? String(value);
  if (value === null || value === undefined) return { ...base, kind: "null" };
  if (typeof value === "string") return { ...base, kind: "text", value };
  if (typeof value === "boolean") {
    if (source === String(value)) return { ...base, kind: "boolean", value };
    return refused(
      at,
      `${clip(source, MOST_SHOWN)} as a boolean`,
      `write ${value}, or "${source}" for text`,
    );
  }
  if (typeof value === "number") {
    const exact = exactNumber(source);
    if (exact !== null) return { ...base, kind: "number", value: exact, source };
    const found = `${clip(source, MOST_SHOWN)}, which is no JSON number`;
    return refused(at, found, "write a decimal number, or quote it");
  }
  return refused(
    at,
    `the value ${clip(source, MOST_SHOWN)}`,
    "use text, numbers, booleans, null, lists and maps",
  );
}

/** Digits of a whole number that is not decimal; making it one takes more than in proportion to them. */
const MOST_DIGITS = 1_000;

/** Characters of a scalar that a message shows. */
const MOST_SHOWN = 60;

function exactNumber(source: string): number | string | null {
  if (/^[-+]?0[ox]/.test(source)) {
    const digits = source.replace(/^[-+]/, "");
    if (digits.length > MOST_DIGITS) return null;
    const whole = BigInt(digits);
    return numberValue(String(source.startsWith("-") ? -whole : whole));
  }
  return numberValue(source);
}

function refused(at: TextRange, what: string, instead: string): YamlProblem {
  return { code: "CAT012", at, what, instead };
}
