import { isMultiSegment } from "./multi-segment.ts";
import type { OfficialDocument } from "./official-document.ts";

/**
 * OpenAPI knows no parameter of several segments, and Prism finds no path for one; GitHub's document marks
 * those that are with `x-multi-segment`. This gives the path to ask Prism for: slashes within such a
 * parameter at the end are encoded.
 */
export function oneSegment(document: OfficialDocument): (path: string) => string {
  const paths = Object.keys(document.paths);
  const pattern = (path: string): RegExp =>
    new RegExp(`^${path.replaceAll(/[.+]/g, String.raw`\$&`).replaceAll(/\{[^}]*\}/g, "[^/]+")}$`);
  const known = paths.map(pattern);
  const ends = paths
    .filter((path) => isMultiSegment(document, path))
    .map((path) => path.slice(0, path.lastIndexOf("{")))
    .map((start) => new RegExp(`^(${pattern(start).source.slice(1, -1)})(.+)$`));
  return (path) => {
    if (known.some((each) => each.test(path))) return path;
    for (const end of ends) {
      const [, start, rest] = end.exec(path) ?? [];
      if (start !== undefined && rest !== undefined) return start + rest.replaceAll("/", "%2F");
    }
    return path;
  };
}
