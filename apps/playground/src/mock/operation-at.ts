/** A value of a document, which is JSON. */
export type DocumentValue = unknown;
export type DocumentMap = Readonly<Record<string, DocumentValue>>;

export const isMap = (value: DocumentValue): value is DocumentMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** References that lead on to others; more lead in a circle. */
const MOST_STEPS = 20;

/** What a place of a document says, behind references to the document itself. Undefined for what leads elsewhere. */
export function followed(root: DocumentMap, value: DocumentValue): DocumentValue {
  let at = value;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (!isMap(at) || typeof at["$ref"] !== "string") return at;
    const [, pointer] = /^#\/(.*)$/.exec(at["$ref"]) ?? [];
    if (pointer === undefined) return undefined;
    at = pointer
      .split("/")
      .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<DocumentValue>(
        (inner, part) => (isMap(inner) && Object.hasOwn(inner, part) ? inner[part] : undefined),
        root,
      );
  }
  return undefined;
}

/** An operation of a document that a request is for. */
export interface FoundOperation {
  readonly operation: DocumentMap;
  /** what the request's path has in the places of the template's variables, in order */
  readonly variables: readonly (readonly [name: string, value: string])[];
}

/** The values of a template's variables in a path; null where the path is none of it. */
function variablesIn(template: string, path: string): FoundOperation["variables"] | null {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const variables: [string, string][] = [];
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    const names = [...part.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
    if (names.length === 0) {
      if (part !== decodeURIComponent(value)) return null;
      continue;
    }
    // Variables beside letters, `{id}.json`, are read up to those.
    const [before, after] = [
      part.slice(0, part.indexOf("{")),
      part.slice(part.lastIndexOf("}") + 1),
    ];
    if (!value.startsWith(before) || !value.endsWith(after) || value === "") return null;
    const inner = value.slice(before.length, value.length - after.length);
    for (const name of names) variables.push([name, decodeURIComponent(inner)]);
  }
  return variables;
}

/** The operation that a request is for: of several paths that fit the one with fewest variables. Null where none does. */
export function operationAt(
  root: DocumentMap,
  method: string,
  path: string,
): FoundOperation | null {
  const paths = isMap(root["paths"]) ? root["paths"] : {};
  const fitting = Object.entries(paths).flatMap(([template, value]) => {
    const variables = variablesIn(template, path);
    const item = followed(root, value);
    const operation = isMap(item) ? followed(root, item[method.toLowerCase()]) : undefined;
    return variables === null || !isMap(operation) ? [] : [{ operation, variables }];
  });
  const [first] = fitting.toSorted((a, b) => a.variables.length - b.variables.length);
  return first ?? null;
}
