import type { OfficialDocument } from "./official-document.ts";

/** Whether the parameter that a path of the document ends in may hold slashes. */
export function isMultiSegment(document: OfficialDocument, path: string): boolean {
  if (!path.endsWith("}")) return false;
  const name = path.slice(path.lastIndexOf("{") + 1, -1);
  const shared = document.components["parameters"] ?? {};
  return Object.values(document.paths[path] ?? {}).some(({ parameters }) =>
    (Array.isArray(parameters) ? parameters : [])
      .map((each: { readonly $ref?: string }) => shared[each.$ref?.split("/").at(-1) ?? ""] ?? each)
      .some((each) => "name" in each && each["name"] === name && "x-multi-segment" in each),
  );
}
