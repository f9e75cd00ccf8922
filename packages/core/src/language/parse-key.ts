import type { Edit } from "../diagnostics/diagnostic.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { syntaxMessages } from "../diagnostics/syntax-messages.ts";
import { clip } from "../text/clip.ts";
import type { Name } from "./ast-names.ts";
import type { StringValue } from "./ast-values.ts";
import { strangeQuotedEnd } from "./characters.ts";
import { failHere } from "./failures.ts";
import { takeName } from "./parse-names.ts";
import { reportStrangeText } from "./parse-run.ts";
import type { ParserState } from "./parser-state.ts";
import { quoteText } from "./quote-text.ts";
import { matchAt } from "./scan.ts";
import { stretchEnd } from "./stretch.ts";
import { takeString } from "./take-string.ts";
import { isName } from "./value-run.ts";

const KEY_RUN = /[A-Za-z0-9_.@/+-]+/y;

/** Reads the key of an object and the colon behind it. */
export function parseKey(p: ParserState): Name | StringValue {
  const token = p.peek("name");
  if (token.type === "name" || token.type === "string") {
    const key = token.type === "name" ? takeName(p, token) : takeString(p, token);
    if (!p.takeIf(":")) failWithoutColon(p, token.start);
    return key;
  }
  if (token.type === "digits") failHyphenKey(p, token.start);
  const quoted = token.type === "strange" ? strangeQuotedEnd(p.text, token.start) : null;
  if (quoted !== null && !p.dead) {
    const { span } = reportStrangeText(p, token.start, token.start, quoted);
    if (!p.takeIf(":")) failWithoutColon(p, token.start);
    return { kind: "Name", text: "", span };
  }
  failHere(p, { what: "a key", example: '{a: 1, "other key": 2}' });
  return { kind: "Name", text: "", span: p.span(token.start, token.start) };
}

function failWithoutColon(p: ParserState, start: number): void {
  const sign = p.peek("name");
  const raw = matchAt(KEY_RUN, p.text, start)?.[0] ?? "";
  if (sign.start === p.lastEnd && start + raw.length > p.lastEnd) return failHyphenKey(p, start);
  if (sign.type === "sign" && (sign.text === "=" || sign.text === "=>")) {
    const span = p.span(sign.start, sign.end);
    const gap = { start: p.lastEnd, end: p.skip(sign.end, true) };
    const edits = [{ span: gap, replacement: ": " }];
    const args = { form: `${p.text.slice(start, p.lastEnd)}: …` };
    return p.fail(diagnose(syntaxMessages.equalsNotColon, span, args, edits));
  }
  const key = p.text.slice(start, p.lastEnd);
  const alone = sign.type === "sign" && (sign.text === "," || sign.text === "}");
  if (alone && p.bodyRows !== null && isName(key)) return failShortKey(p, start, key);
  failHere(p, { what: "a colon and a value", example: "{a: 1, b: 2}" });
}

const SHORT_KEY = /([A-Za-z_]\w*)(?=\s*[,}])/y;

/** `=> {id, name}`: in a body a key alone means the column of that name; all of them are mended at once. */
function failShortKey(p: ParserState, start: number, key: string): void {
  const edits: Edit[] = [];
  for (let at = start; ;) {
    const short = matchAt(SHORT_KEY, p.text, at)?.[0];
    if (short !== undefined) {
      const span = { start: at, end: at + short.length };
      edits.push({ span, replacement: `${short}: _.${short}` });
    }
    const comma = p.skip(stretchEnd(p.text, at), true);
    if (p.text[comma] !== ",") break;
    at = p.skip(comma + 1, true);
  }
  const form = clip(edits.map(({ replacement }) => replacement).join(", "), 120);
  const span = p.span(start, start + key.length);
  p.fail(diagnose(syntaxMessages.shortKey, span, { key, form }, edits));
}

function failHyphenKey(p: ParserState, start: number): void {
  const raw = matchAt(KEY_RUN, p.text, start)?.[0] ?? "";
  const span = p.span(start, start + raw.length);
  const edits = [{ span, replacement: quoteText(raw) }];
  p.fail(diagnose(syntaxMessages.hyphenKey, span, { form: `${quoteText(raw)}: …` }, edits));
}
