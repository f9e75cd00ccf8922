import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { clip } from "../../base/text.ts";
import { freeName } from "../grammar/free-name.ts";
import type { NameToken } from "../grammar/lexer.ts";
import { matchAt } from "../grammar/limits.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import { stretchEnd } from "./extent.ts";

/** Joins as other languages write them: `on=`, `how=`, `JOIN … ON`, other names of the step. */

const NAME = String.raw`[A-Za-z_]\w*`;
const PATH = String.raw`${NAME}(?:\.[\w-]+)*`;
const ONE_PATH = new RegExp(`^${PATH}$`);
const QUOTED = new RegExp(`^(["'])(${PATH})\\1$`);
const EQUAL = /^([^=!<>]+)={1,3}([^=!<>]+)$/;

/** An item of a join that is no pair: `on(…)`, `how="left"`, `on=["a"]`, `left_on=a`. */
const FOREIGN =
  /(?:on|using)\s*[([]|(?:on|using|how|type|kind)\s*=\s*["'[]|(?:left|right)_on\s*=|(?:on|using)\s+[A-Za-z_]|["']/iy;

/** The name of a join and where its parenthesis opens. */
export interface JoinRef {
  readonly name: NameToken;
  readonly open: number;
}

/** Whether the next item of a join is none of this language. */
export function isForeignItem(p: ParserState): boolean {
  return matchAt(FOREIGN, p.text, p.skip(p.pos, true)) !== null;
}

/** Fails at the arguments of a join, with its form here where what is meant is certain. */
export function failForeignJoin(p: ParserState, { name, open }: JoinRef): void {
  const at = p.peek("name");
  const close = p.outline().closerOf.get(open);
  const written = close === undefined ? null : p.text.slice(open + 1, close);
  const form = written === null ? null : joinForm(name.text === "left_join", written);
  const args = { form: clip(form ?? ".join(rows, left=right)", 160) };
  const where = p.span(at.start, at.type === "end" ? at.start : at.end);
  const edits =
    form === null || close === undefined
      ? undefined
      : [{ span: { start: name.start, end: close + 1 }, replacement: form.slice(1) }];
  p.fail(diagnose(syntaxMessages.joinForm, where, args, edits));
}

/** What a join is called elsewhere: inner ones, left ones, and those that are none of the two. */
const INNER = new Set(["inner_join", "innerjoin", "joinon", "join_on"]);
const LEFT = new Set(["leftjoin", "left_outer_join", "leftouterjoin"]);
const OTHER = new Set([
  "right_join",
  "rightjoin",
  "outer_join",
  "outerjoin",
  "full_join",
  "fulljoin",
]);
const CALLED_WITH_ROWS = new RegExp(String.raw`\s*\(\s*${NAME}\s*(?:[,({~]|\))`, "y");

/** Fails at `.inner_join(rows, …)` and its like: a step that is called otherwise here. */
export function failForeignJoinName(p: ParserState, token: NameToken): void {
  const name = token.text.toLowerCase();
  const step = INNER.has(name) ? "join" : LEFT.has(name) ? "left_join" : null;
  if (step === null && !OTHER.has(name)) return;
  if (!p.matches(CALLED_WITH_ROWS, token.end)) return;
  const span = p.span(token.start, token.end);
  if (step === null) {
    return p.fail(diagnose(syntaxMessages.otherJoin, span, { name: token.text }));
  }
  const edits = [{ span, replacement: step }];
  p.fail(diagnose(syntaxMessages.joinName, span, { name: token.text, step }, edits));
}

/** Fails at steps behind the rows of a join: they are bound to a label first, by which their columns are read. */
export function failJoinedSteps(p: ParserState, start: number): void {
  if (p.dead || (!p.at(".") && !p.at("["))) return;
  const end = stretchEnd(p.text, start);
  const rows = p.text.slice(start, end);
  const label = freeName(p, "other");
  const line = `${label} = ${rows}`;
  const { statementStart } = p;
  const edits = [
    { span: { start: statementStart, end: statementStart }, replacement: `${line}\n` },
    { span: { start, end }, replacement: label },
  ];
  const args = { line: clip(line, 120), label };
  p.fail(diagnose(syntaxMessages.joinedSteps, p.span(start, end), args, edits));
}

/** `orders JOIN people ON orders.by = people.key` behind its first rows, as a step; null if it cannot be told. */
export function joinClause(word: string, written: string): string | null {
  const parts = new RegExp(String.raw`^(${NAME})\s+(?:on|using)\b\s*(.+)$`, "is").exec(written);
  if (parts === null) return null;
  return joinForm(/^left/i.test(word), `${parts[1] ?? ""}, on(${parts[2] ?? ""})`);
}

/** The step that the arguments of a join mean, or null where one of them cannot be told. */
function joinForm(isLeft: boolean, written: string): string | null {
  if (written.length > 2_000) return null;
  const [rows = "", ...items] = split(written, /,/y);
  let left = isLeft;
  const pairs: string[] = [];
  const sides: { left: readonly string[]; right: readonly string[] } = { left: [], right: [] };
  for (const item of items) {
    const how = /^(?:how|type|kind)\s*=\s*["']?(\w+)["']?$/i.exec(item)?.[1]?.toLowerCase();
    const side = /^(left|right)_on\s*=(.+)$/is.exec(item);
    if (how === "left" || how === "inner") left = how === "left";
    else if (how !== undefined) return null;
    else if (side !== null)
      sides[side[1] === "left" ? "left" : "right"] = names((side[2] ?? "").trim());
    else {
      const found = pairsOf(item.replace(/^(?:on|using)\b\s*=?\s*/i, ""));
      if (found === null) return null;
      pairs.push(...found);
    }
  }
  if (sides.left.length !== sides.right.length) return null;
  pairs.push(...sides.left.map((column, at) => `${column}=${sides.right[at] ?? ""}`));
  if (pairs.length === 0 || rows === "") return null;
  return `.${left ? "left_join" : "join"}(${[rows, ...pairs].join(", ")})`;
}

/** The columns of `"a"`, `a` or `["a", b]`. */
function names(text: string): readonly string[] {
  const inner = /^\[(.*)\]$/s.exec(text.trim())?.[1] ?? text;
  return split(inner, /,/y).map((each) => QUOTED.exec(each)?.[2] ?? each);
}

/** The pairs of `a = b and c = d`, of `"a"`, which both sides have, and of lists of such. */
function pairsOf(text: string): readonly string[] | null {
  const inner = /^(?:\((.*)\)|\[(.*)\])$/s.exec(text.trim());
  const parts = split(inner?.[1] ?? inner?.[2] ?? text, /,|and\b|&&/iy);
  const pairs = parts.map((part) => {
    const equal = EQUAL.exec(part);
    if (equal !== null) return `${equal[1]?.trim() ?? ""}=${equal[2]?.trim() ?? ""}`;
    const same = QUOTED.exec(part)?.[2] ?? part;
    return ONE_PATH.test(same) ? `${same}=${same}` : null;
  });
  return pairs.every((pair) => pair !== null) ? pairs : null;
}

/** A text in parts, outside of brackets and quotes, without blanks around them; empty ones left out. */
function split(text: string, between: RegExp): readonly string[] {
  const parts: string[] = [];
  let [depth, quote, from, at] = [0, "", 0, 0];
  while (at < text.length) {
    const char = text[at] ?? "";
    const ends = quote === "" && depth === 0 && !/\w/.test(text[at - 1] ?? " ");
    const found =
      ends || char === "," || char === "&" ? matchAt(between, text, at)?.[0] : undefined;
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    else if (depth === 0 && found !== undefined) {
      parts.push(text.slice(from, at));
      from = at + found.length;
      at = from - 1;
    }
    at += 1;
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
}
