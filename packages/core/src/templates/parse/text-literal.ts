import type { ReportProblem } from "../template-problem.ts";
import type { Token } from "./token.ts";

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["\\", "\\"],
  ["/", "/"],
  ["'", "'"],
  ['"', '"'],
]);

const HEX = /(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})/y;
const PLAIN = /[^\\'"]+/y;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A text literal from its opening quote on; one that is never closed ends with the template. */
export function readTextLiteral(template: string, start: number, report: ReportProblem): Token {
  const quote = template.charAt(start);
  const parts: string[] = [];
  let at = start + 1;
  for (;;) {
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(template)?.[0] ?? "";
    parts.push(plain);
    at += plain.length;
    const next = template.charAt(at);
    if (next === "" || next === quote) break;
    if (next !== "\\") {
      parts.push(next);
      at++;
      continue;
    }
    const { text, end } = readEscape(template, at, report);
    parts.push(text);
    at = end;
  }
  if (at >= template.length) {
    const message = `This text is not closed. Close it with ${quote}.`;
    report({ start, end: start + 1 }, message);
  }
  const end = Math.min(at + 1, template.length);
  const text = parts.join("");
  if (LONE_SURROGATE.test(text)) {
    report(
      { start, end },
      "Found half of a surrogate pair in a text. Allowed: both halves, or neither.",
    );
  }
  return { kind: "text", text, start, end };
}

function readEscape(
  template: string,
  start: number,
  report: ReportProblem,
): { readonly text: string; readonly end: number } {
  HEX.lastIndex = start + 1;
  const hex = HEX.exec(template)?.[0];
  if (hex !== undefined) {
    const text = String.fromCharCode(Number.parseInt(hex.slice(1), 16));
    return { text, end: start + 1 + hex.length };
  }
  const point = template.codePointAt(start + 1);
  if (point === undefined) return { text: "", end: start + 1 };
  const character = String.fromCodePoint(point);
  const end = start + 1 + character.length;
  const text = ESCAPES.get(character);
  if (text === undefined) {
    report(
      { start, end },
      `Found the escape \\${character}. Allowed: \\n \\t \\r \\b \\f \\\\ \\/ \\' \\" \\xHH \\uHHHH; write \\\\ for a backslash.`,
    );
  }
  return { text: text ?? "", end };
}
