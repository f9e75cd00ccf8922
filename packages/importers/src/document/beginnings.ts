import { compareText, isObject, type JsonObject, listOf, memberOf } from "../json.ts";

const MOST = 20;

function listed(words: Iterable<string>): string {
  const all = [...new Set(words)].toSorted(compareText);
  const left = all.length - MOST;
  return `${all.slice(0, MOST).join(", ")}${left > 0 ? `, +${left}` : ""}`;
}

/** What operations of a document may be named by: the beginnings of its paths, and its tags. Empty if it has no paths. */
export function beginnings(root: JsonObject): string {
  const paths = memberOf(root, "paths");
  if (!isObject(paths)) return "";
  const firsts = Object.keys(paths).map((path) => path.split("/").slice(0, 2).join("/"));
  const tags = Object.values(paths)
    .filter(isObject)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => listOf(memberOf(operation, "tags")))
    .filter((tag) => typeof tag === "string");
  if (firsts.length === 0) return "";
  const tagged = tags.length === 0 ? "" : `; its tags are ${listed(tags)}`;
  return ` Its paths begin with ${listed(firsts)}${tagged}.`;
}
