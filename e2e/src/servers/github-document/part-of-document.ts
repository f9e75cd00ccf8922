import type { OfficialDocument, Part } from "./official-document.ts";

const segmentsOf = (path: string): readonly string[] => path.split("/");

/** Whether some request could be one of either path: parameters stand for any text. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.length === other.length &&
    one.every((segment, at) => {
      const there = other[at] ?? "";
      return segment === there || segment.includes("{") || there.includes("{");
    })
  );
}

/** Adds the names of all components that a part leads to: `schemas/issue`. */
function follow(document: OfficialDocument, part: unknown, reached: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  const ref = (part as Part)["$ref"];
  if (typeof ref === "string" && ref.startsWith("#/components/")) {
    const name = ref.slice("#/components/".length);
    if (reached.has(name)) return;
    reached.add(name);
    const [kind = "", key = ""] = name.split("/");
    follow(document, document.components[kind]?.[key], reached);
    return;
  }
  for (const inner of Object.values(part)) follow(document, inner, reached);
}

/**
 * The part of a document that requests of these paths can meet: the paths, those that a request of them
 * could be taken for, and the components that they lead to. It answers those requests as the whole does.
 */
export function partOfDocument(
  document: OfficialDocument,
  paths: readonly string[],
): OfficialDocument {
  const wanted = paths.map(segmentsOf);
  const kept = Object.entries(document.paths).filter(([path]) => {
    const segments = segmentsOf(path);
    return wanted.some((each) => overlap(each, segments));
  });
  const reached = new Set<string>();
  follow(document, kept, reached);
  const components = Object.entries(document.components).map(([kind, all]) => {
    const used = Object.entries(all).filter(([name]) => reached.has(`${kind}/${name}`));
    return [kind, Object.fromEntries(used)] as const;
  });
  // Extensions are no paths of requests, and would lead on to components of their own.
  const plain = Object.entries(document).filter(([name]) => !name.startsWith("x-"));
  return {
    ...Object.fromEntries(plain),
    paths: Object.fromEntries(kept),
    components: Object.fromEntries(components),
  };
}
