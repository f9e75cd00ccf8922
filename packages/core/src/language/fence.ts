import { diagnose } from "../diagnostics/messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import { clip } from "../text/clip.ts";
import type { ParserState } from "./parser-state.ts";
import { matchAt, nextLine } from "./scan.ts";

const BLANKS = /[ \t]*/y;
const FENCE = /(?:`{3,}|~{3,})/y;

/**
 * Skips a line that opens or closes a code fence where a statement may begin, and reports the first one;
 * the rest of the program is read as if it stood alone.
 */
export function skipFence(p: ParserState, from: number): number {
  let at = from;
  for (;;) {
    const sign = matchAt(FENCE, p.text, at)?.[0];
    if (sign === undefined) return at;
    const end = nextLine(p.text, at);
    if (!p.fenced) reportFence(p, at, sign, end);
    p.fenced = true;
    at = p.skip(end, true);
  }
}

function reportFence(p: ParserState, start: number, sign: string, end: number): void {
  const edits = [{ span: { start, end }, replacement: "" }];
  const close = closingLine(p.text, end, sign);
  if (close !== null) {
    edits.push({ span: { start: close, end: nextLine(p.text, close) }, replacement: "" });
  }
  const args = { sign: clip(sign, 20) };
  p.restart(start);
  p.report(diagnose(textMessages.fence, p.span(start, start + sign.length), args, edits));
}

/** Where the line begins that closes a fence, or null if none does. */
function closingLine(text: string, from: number, sign: string): number | null {
  for (let at = from; at < text.length; at = nextLine(text, at)) {
    if (text.startsWith(sign, at + (matchAt(BLANKS, text, at)?.[0].length ?? 0))) return at;
  }
  return null;
}
