import { parseNodes } from "./parse-body.ts";
import type { ReportProblem, TemplateProblem, TemplateTree } from "../tree.ts";
import { cutWhiteSpace, type TemplateSegment, skipWhiteSpace } from "./tag-reader.ts";
import { readTag } from "./read-tag.ts";

/** A template as read: a tree if there are no problems. */
export interface ParsedTemplate {
  readonly template: TemplateTree | null;
  /** In the order of the text. */
  readonly problems: readonly TemplateProblem[];
}

/**
 * Reads a template of RUN-101: `{{ }}`, `{# #}`, `set`, `if`, `for` and its expressions. Anything else
 * is a problem that says what is allowed; each tag tells its first one. Linear in the text; never throws.
 */
export function parseTemplate(text: string): ParsedTemplate {
  const problems: TemplateProblem[] = [];
  const report = ({ start, end }: { start: number; end: number }, message: string) => {
    problems.push({ message, start, end });
  };
  const segments = readSegments(text, report);
  const state = { at: 0, loops: 0, depth: 0, tooDeep: false, refused: new Set<string>() };
  const body = parseNodes({ template: text, segments, report, ...state });
  problems.sort((a, b) => a.start - b.start);
  return { template: problems.length === 0 ? { body } : null, problems };
}

const OPENER = /\{[{%#]/g;

/**
 * A template's text and tags in order. One line break at its very end is no part of it; `-` inside a
 * tag removes the white space beside it, `+` removes nothing.
 */
function readSegments(source: string, report: ReportProblem): readonly TemplateSegment[] {
  const template = source.replace(/\r?\n$/, "");
  const segments: TemplateSegment[] = [];
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
