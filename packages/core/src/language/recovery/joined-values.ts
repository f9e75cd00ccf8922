import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { clip } from "../../base/text.ts";
import type { Path } from "../grammar/ast-values.ts";
import { joinedForm } from "./joined.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import { quoteText } from "../grammar/strings.ts";
import { matchAt } from "../grammar/limits.ts";

const VALUE = String.raw`(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z0-9_.:@/+-]+)`;
const JOIN = String.raw`(?:\s+(?:or|and)\s+|\s*(?:\|\||&&)\s*)`;
const JOINED = new RegExp(`${VALUE}(?:${JOIN}${VALUE})+(?=\\s*(?:[,}\\n]|$))`, "iy");
const ONE_VALUE = new RegExp(VALUE, "y");
const ONE_JOIN = new RegExp(JOIN, "iy");

/**
 * Fails at `state=lost || moored`: one column and several values, as other languages join them. Words that
 * words join may be one text in need of quotes (LANG-007).
 */
export function failJoinedValues(p: ParserState, path: Path, op: string): void {
  const start = p.skip(p.pos, true);
  const raw = matchAt(JOINED, p.text, start)?.[0];
  if (raw === undefined) return;
  const { values, joins } = split(raw);
  const all = joins.map(({ word }) => (/^(?:or|\|\|)$/i.test(word) ? "or" : "and"));
  const column = p.text.slice(path.span.start, path.span.end);
  const listed = op === "=" && !all.includes("and");
  const form = listed
    ? `${column} in [${values.join(", ")}]`
    : joinedForm(values.map((value, at) => `${column}${op}${value} ${all[at] ?? ""}`).join(" "));
  const [first] = joins;
  if (form === null || first === undefined) return;
  const end = start + raw.length;
  const words = joins.every(({ word }) => /\w/.test(word)) && !/["']/.test(raw);
  if (words && all.includes("and")) return;
  if (words) {
    const args = { quoted: clip(quoteText(raw), 80), form: clip(form, 120) };
    return p.fail(diagnose(textMessages.wordsOr, p.span(start, end), args));
  }
  const at = start + first.at;
  const args = { word: first.word, form: clip(form, 120) };
  const edits = [{ span: { start: path.span.start, end }, replacement: form }];
  p.fail(diagnose(syntaxMessages.joinedValues, p.span(at, at + first.word.length), args, edits));
}

interface Joined {
  readonly values: readonly string[];
  readonly joins: readonly { readonly word: string; readonly at: number }[];
}

function split(raw: string): Joined {
  const values: string[] = [];
  const joins: { word: string; at: number }[] = [];
  for (let at = 0; at < raw.length;) {
    const value = matchAt(ONE_VALUE, raw, at)?.[0] ?? raw.slice(at);
    values.push(value);
    at += value.length;
    const join = matchAt(ONE_JOIN, raw, at)?.[0] ?? "";
    const word = join.trim();
    if (word !== "") joins.push({ word, at: at + join.indexOf(word) });
    at += join.length;
  }
  return { values, joins };
}
