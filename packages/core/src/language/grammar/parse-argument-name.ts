import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import type { Edit } from "../../diagnostics/diagnostic.ts";
import { failConditionCall, failLambdaFilter } from "../recovery/condition-calls.ts";
import { stretchEnd } from "../recovery/extent.ts";
import { isName } from "../recovery/value-run.ts";
import type { Name } from "./ast-values.ts";
import { matchAt } from "./limits.ts";
import { takeName } from "./parse-names.ts";
import type { ParserState } from "./parser-state.ts";

/** Reads `NAME =` if an argument begins so; null if it is positional. */
export function parseArgName(p: ParserState): Name | null {
  const token = p.peek("value");
  if (token.type === "string") return failQuotedName(p, token.value, token.start, token.end);
  if (token.type !== "run") return null;
  const next = p.skip(token.end, true);
  if (isName(token.raw) && p.text[next] === "=") {
    const name = takeName(p, token);
    const sign = p.peek("name");
    if (sign.type === "sign" && sign.text === "=>") {
      failLambdaFilter(p, p.span(token.start, sign.end));
      p.fail(diagnose(syntaxMessages.lambda, p.span(token.start, sign.end), {}));
    }
    if (sign.type === "sign" && sign.text !== "=") {
      failConditionCall(p, sign);
      const span = p.span(sign.start, sign.end);
      const args = { found: sign.text, form: `${token.raw}=…` };
      const edits = [{ span, replacement: "=" }];
      p.fail(diagnose(syntaxMessages.argumentSign, span, args, edits));
    }
    p.takeIf("=");
    return name;
  }
  if (token.raw.endsWith(":") && isName(token.raw.slice(0, -1)) && !isEnd(p.text[next])) {
    failColon(p, token.raw, token.end);
  }
  return null;
}

function isEnd(char: string | undefined): boolean {
  return char === undefined || ",)]}".includes(char);
}

const COLON_NAME = /[A-Za-z_]\w*\s*(:)\s*/y;

/** `(name: x, owner: ann)`: the colons of all arguments are mended at once. */
function failColon(p: ParserState, raw: string, end: number): void {
  const edits: Edit[] = [{ span: { start: end - 1, end: p.skip(end, true) }, replacement: "=" }];
  for (let at = end; ;) {
    const comma = p.skip(stretchEnd(p.text, at), true);
    if (p.text[comma] !== ",") break;
    at = p.skip(comma + 1, true);
    const next = matchAt(COLON_NAME, p.text, at)?.[0];
    if (next === undefined) continue;
    const colon = at + next.indexOf(":");
    edits.push({ span: { start: colon, end: at + next.length }, replacement: "=" });
  }
  const args = { form: `${raw.slice(0, -1)}=…` };
  p.fail(diagnose(syntaxMessages.colonNotEquals, p.span(end - 1, end), args, edits));
}

function failQuotedName(p: ParserState, name: string, start: number, end: number): null {
  const next = p.skip(end, true);
  if (p.text[next] !== "=" || !isName(name)) return null;
  const edits = [{ span: { start, end }, replacement: name }];
  p.fail(diagnose(syntaxMessages.quotedName, p.span(start, end), { name }, edits));
  return null;
}
