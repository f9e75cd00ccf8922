import { reportLineEnd, reportTextEnd } from "./lexical.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import { matchAt } from "../grammar/limits.ts";

const BINDING = /[A-Za-z_]\w*[ \t]*=(?![=>])/y;

/**
 * Behind a sign that needs more: if the line ends here it is `line_break`, and the next line is read as
 * if it stood here, unless it binds something of its own (LANG-005). `example` is a whole form.
 */
export function joinNextLine(p: ParserState, example: string): void {
  const token = p.peek("name");
  if (token.type === "newline") {
    const binds = matchAt(BINDING, p.text, token.end) !== null;
    if (!binds) reportLineEnd(p, p.lastEnd, token.end);
    else reportTextEnd(p, p.lastEnd, example);
    if (binds) p.dead = true;
    else p.pos = token.end;
  } else if (token.type === "end" && !p.dead) {
    reportTextEnd(p, p.lastEnd, example);
    p.dead = true;
  }
}
