import { diagnose } from "../diagnostics/messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import type { ParserState } from "./parser-state.ts";
import { matchAt, nextLine } from "./scan.ts";

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
  const close = new RegExp(`^[ \\t]*${sign}`, "m").exec(p.text.slice(end));
  if (close !== null) {
    const at = end + close.index;
    edits.push({ span: { start: at, end: nextLine(p.text, at) }, replacement: "" });
  }
  p.restart(start);
  p.report(diagnose(textMessages.fence, p.span(start, start + sign.length), { sign }, edits));
}
