import type { Edit } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { clip } from "../../base/text.ts";
import { matchAt } from "../grammar/limits.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import { quoteText } from "../grammar/strings.ts";
import { stretchEnd } from "./extent.ts";
import { failHere } from "./failures.ts";
import { isName } from "./value-run.ts";

const KEY_RUN = /[A-Za-z0-9_.@/+-]+/y;

/** Fails where the key of an object, which began at `start`, has no colon behind it. */
export function failWithoutColon(p: ParserState, start: number): void {
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

/** Fails at a key with hyphens, which needs quotes. */
export function failHyphenKey(p: ParserState, start: number): void {
  const raw = matchAt(KEY_RUN, p.text, start)?.[0] ?? "";
  const span = p.span(start, start + raw.length);
  const edits = [{ span, replacement: quoteText(raw) }];
  p.fail(diagnose(syntaxMessages.hyphenKey, span, { form: `${quoteText(raw)}: …` }, edits));
}
