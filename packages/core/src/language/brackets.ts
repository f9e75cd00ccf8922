import { diagnose } from "../diagnostics/messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import { CLOSER } from "./characters.ts";
import { failHere } from "./failures.ts";
import { MAX_DEPTH, MAX_ITEMS } from "./limits.ts";
import type { OpeningSign, ParserState } from "./parser-state.ts";

/**
 * Reads `open item, item, … close`, the opening bracket being next; one trailing comma is allowed
 * (LANG-005). `between` fails where neither a comma nor a closer follows an item. Of too many items the first
 * are kept.
 */
export function bracketed<Item>(
  p: ParserState,
  open: OpeningSign,
  item: () => Item,
  between: () => void,
): readonly Item[] {
  const items: Item[] = [];
  if (!enter(p, open)) return items;
  let excess: number | null = null;
  let count = 0;
  while (!p.dead && !atCloser(p)) {
    if (count === MAX_ITEMS) excess = p.skip(p.pos, true);
    const read = item();
    if (++count <= MAX_ITEMS) items.push(read);
    if (!p.takeIf(",") && !atCloser(p)) between();
  }
  if (excess !== null) reportExcess(p, excess, count);
  leave(p, open, `${open}${CLOSER[open]}`);
  return items;
}

/** Goes behind an opening bracket; false if brackets are too deep (LANG-001). */
export function enter(p: ParserState, open: OpeningSign): boolean {
  const token = p.peek("name");
  if (token.type !== "sign" || token.text !== open) return false;
  if (p.open.length === MAX_DEPTH) {
    const args = {
      what: "The nesting of brackets",
      limit: `${MAX_DEPTH} levels`,
      actual: p.outline().depth,
    };
    p.fail(diagnose(textMessages.tooLarge, p.span(token.start, token.end), args));
    return false;
  }
  p.take(token);
  p.open.push({ sign: open, start: token.start });
  return true;
}

/** Takes the closer of the innermost bracket, and a comma before it (LANG-005), or fails with an example. */
export function leave(p: ParserState, open: OpeningSign, example: string): void {
  const close = CLOSER[open];
  p.takeIf(",");
  const token = p.peek("name");
  if (token.type !== "sign" || token.text !== close) {
    failHere(p, { what: close, example });
    return;
  }
  p.take(token);
  p.open.pop();
}

/** Whether a closing bracket of any form is next. */
function atCloser(p: ParserState): boolean {
  const token = p.peek("name");
  return token.type === "sign" && /^[)\]}]$/.test(token.text);
}

function reportExcess(p: ParserState, start: number, count: number): void {
  const args = { what: "The list", limit: `${MAX_ITEMS} items`, actual: count };
  p.report(diagnose(textMessages.tooLarge, p.span(start, p.lastEnd), args));
}
