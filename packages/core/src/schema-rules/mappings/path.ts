import type { KeyPath } from "../../load/key-path.ts";
import { isAbsoluteUrl, pathTemplate } from "../../mapping/evaluate-path.ts";
import type { PathSegment } from "../../mapping/template.ts";
import { parseHttpUrl } from "../http-url.ts";
import type { PartView } from "../part-view.ts";
import type { Rule } from "../rule.ts";

/** MAP-010: what literals of a path may hold; MAP-011: where an absolute URL may stand. */
export const pathRule: Rule = ({ catalog, inMappings }) => {
  for (const [name, template] of catalog.cml) {
    if (template.transport !== "http" && template.transport !== "graphql") continue;
    checkSegments(template.path, [name, "path"], inMappings);
    const second = template.response.auxiliaryMerge;
    if (second === undefined) continue;
    checkSegments(second.path, [name, "response", "auxiliary_merge", "path"], inMappings);
  }
};

function checkSegments(
  segments: readonly PathSegment[],
  path: KeyPath,
  inMappings: PartView,
): void {
  segments.forEach((segment, at) => {
    const key = segment.type === "literal" ? "value" : "suffix";
    const text = segment.type === "literal" ? segment.value : segment.suffix;
    const place = [...path, at, key];
    const found = JSON.stringify(text);
    if (segment.type === "literal" && isAbsoluteUrl(text)) {
      if (at > 0) inMappings.atValue(place, "MAP011", "first", { found });
      else if (parseHttpUrl(text) === null) inMappings.atValue(place, "MAP011", "form", { found });
      else checkText(text.replace(/^https?:\/\//i, ""), found, place, inMappings);
    } else {
      // What touches a variable is a part of a segment.
      const before = segment.type === "var" || segment.joined === true ? "_" : "";
      const after = segments[at + 1]?.joined === true ? "_" : "";
      checkText(`${before}${text}${after}`, found, place, inMappings);
    }
    if (segment.type === "literal") checkSlashes(segments, at, place, inMappings);
  });
}

/** A literal that brings a slash to the one that joins it to what is beside it. */
function checkSlashes(
  segments: readonly PathSegment[],
  at: number,
  place: KeyPath,
  inMappings: PartView,
): void {
  const segment = segments[at];
  if (segment?.type !== "literal") return;
  const last = at === segments.length - 1 || segments[at + 1]?.joined === true;
  const begun = segment.joined === true ? segment.value : segment.value.replace(/^\/+/, "");
  const value = last ? begun : begun.replace(/(?<!\/)\/+$/, "");
  if (value === segment.value) return;
  const written = (text: string): string => JSON.stringify(text);
  inMappings.atValue(place, "MAP010", "slash", {
    found: written(segment.value),
    made: pathTemplate(segments),
    instead: written(value),
  });
}

function checkText(text: string, found: string, place: KeyPath, inMappings: PartView): void {
  const what = problem(text);
  if (what !== null) inMappings.atValue(place, "MAP010", "literal", { found, what });
}

function problem(text: string): string | null {
  if (text.includes("?")) return "a ?";
  if (text.includes("#")) return "a #";
  if (/\p{Cc}/u.test(text)) return "a control character";
  if (/\p{Surrogate}/u.test(text)) return "half a surrogate pair";
  const dots = text.split("/").find((part) => part === "." || part === "..");
  return dots === undefined ? null : `the segment ${dots}`;
}
