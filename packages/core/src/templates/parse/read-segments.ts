import type { ReportProblem } from "../template-problem.ts";
import { cutWhiteSpace, skipWhiteSpace } from "../white-space.ts";
import { readTag } from "./read-tag.ts";
import type { Segment } from "./token.ts";

const OPENER = /\{[{%#]/g;

/**
 * A template's text and tags in order. One line break at its very end is no part of it; `-` inside a
 * tag removes the white space beside it, `+` removes nothing.
 */
export function readSegments(source: string, report: ReportProblem): readonly Segment[] {
  const template = source.replace(/\r?\n$/, "");
  const segments: Segment[] = [];
  let at = 0;
  while (at < template.length) {
    OPENER.lastIndex = at;
    const open = OPENER.exec(template)?.index ?? template.length;
    const control = template.charAt(open + 2);
    const end = control === "-" ? cutWhiteSpace(template, at, open) : open;
    if (end > at) segments.push({ kind: "text", start: at, end });
    if (open === template.length) break;
    const body = open + (control === "-" || control === "+" ? 3 : 2);
    let trimsAfter: boolean;
    if (template.charAt(open + 1) === "#") {
      ({ at, trimsAfter } = skipComment(template, open, report));
    } else {
      const read = readTag(template, open, body, report);
      segments.push(read.tag);
      at = read.tag.end;
      trimsAfter = read.trimsAfter;
    }
    if (trimsAfter) at = skipWhiteSpace(template, at);
  }
  return segments;
}

function skipComment(
  template: string,
  start: number,
  report: ReportProblem,
): { readonly at: number; readonly trimsAfter: boolean } {
  const close = template.indexOf("#}", start + 2);
  if (close === -1) {
    report({ start, end: start + 2 }, "This {# is not closed. Close it with #}.");
    return { at: template.length, trimsAfter: false };
  }
  const trimsAfter = close > start + 2 && template.charAt(close - 1) === "-";
  return { at: close + 2, trimsAfter };
}
