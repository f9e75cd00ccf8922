import { groupBy } from "../group-by.ts";
import {
  compareText,
  isObject,
  type JsonObject,
  listOf,
  memberOf,
  sortedEntries,
  textOf,
} from "../json.ts";
import { type Answer, answerOf, freeRows, jsonSchema } from "./answer.ts";
import {
  type Method,
  type Operation,
  type Parameter,
  type RequestBody,
  type Segment,
  templateOf,
} from "./operation.ts";

const OTHER_METHODS = ["head", "options", "trace"];
const METHODS: readonly Method[] = ["GET", "POST", "PATCH", "PUT", "DELETE"];

/** What a document has, and what of it a catalog cannot have: one line each. */
export interface Operations {
  readonly operations: readonly Operation[];
  /** how many the document has */
  readonly total: number;
  readonly left: readonly string[];
}

/** The segments of a path (MAP-010), or why it cannot be written in a mapping. */
function segmentsOf(path: string): readonly Segment[] | string {
  if (!path.startsWith("/")) return "its path does not begin with /";
  const pieces = path.slice(1).split("/");
  const segments: Segment[] = [];
  for (const piece of pieces) {
    const [, name, suffix = ""] = /^\{([^{}]+)\}([^{}]*)$/.exec(piece) ?? [];
    if (name !== undefined) segments.push({ kind: "variable", name, suffix });
    else if (/[{}]/.test(piece))
      return `its path has ${piece}, more than a variable in one segment`;
    else segments.push({ kind: "literal", value: piece });
  }
  if (/[?#\\\p{C}]/u.test(path.replaceAll(/\{[^{}]*\}/g, "")) || /\/\.\.?(?:\/|$)/.test(path)) {
    return "its path has signs that no path may have";
  }
  const names = segments.flatMap((one) => (one.kind === "variable" ? [one.name] : []));
  return new Set(names).size < names.length ? "its path has a variable twice" : segments;
}

const STYLES: ReadonlyMap<unknown, Parameter["style"]> = new Map([
  ["spaceDelimited", " "],
  ["pipeDelimited", "|"],
]);

function parameterOf(value: JsonObject): Parameter {
  const schema = memberOf(value, "schema") ?? jsonSchema(memberOf(value, "content"));
  const joined = STYLES.get(memberOf(value, "style"));
  return {
    name: textOf(memberOf(value, "name")) ?? "",
    required: memberOf(value, "required") === true,
    schema: isObject(schema) ? schema : {},
    description: textOf(memberOf(value, "description")),
    style: joined ?? (memberOf(value, "explode") === false ? "," : "repeat"),
  };
}

/** Parameters of an operation and of its path, by place and name; the operation's own win. */
function parametersOf(
  item: unknown,
  operation: unknown,
): ReadonlyMap<string, readonly Parameter[]> {
  const all = [item, operation].flatMap((one) => listOf(memberOf(one, "parameters")));
  const byKey = new Map<string, readonly [string, Parameter]>();
  for (const one of all.filter(isObject)) {
    const place = textOf(memberOf(one, "in")) ?? "";
    const parameter = parameterOf(one);
    if (parameter.name !== "") byKey.set(`${place} ${parameter.name}`, [place, parameter]);
  }
  const sorted = [...byKey].toSorted(([a], [b]) => compareText(a, b)).map(([, one]) => one);
  const grouped = groupBy(sorted, ([place]) => place);
  return new Map([...grouped].map(([place, list]) => [place, list.map(([, one]) => one)]));
}

/** The body that a request takes, null if none, or why it cannot be sent. */
function bodyOf(operation: JsonObject): RequestBody | null | string {
  const body = memberOf(operation, "requestBody");
  if (!isObject(body)) return null;
  const content = memberOf(body, "content");
  const required = memberOf(body, "required") === true;
  const schema = jsonSchema(content);
  if (schema !== undefined) return { format: "json", required, schema };
  const form = memberOf(memberOf(content, "application/x-www-form-urlencoded"), "schema");
  if (isObject(form)) return { format: "form", required, schema: form };
  const parts = memberOf(memberOf(content, "multipart/form-data"), "schema");
  if (isObject(parts)) return { format: "multipart", required, schema: parts };
  const types = sortedEntries(content).map(([type]) => type);
  if (types.length === 0) return null;
  return required ? `it takes ${types.join(", ")}` : null;
}

/** Headers that requests have anyhow, or that mappings have a word for. */
const NOT_SAID = /^(?:accept|content-type|authorization|(?:x-)?idempotency-key)$/i;
const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);

interface Site {
  readonly method: Method;
  readonly path: string;
  readonly item: JsonObject;
  readonly operation: JsonObject;
  readonly segments: readonly Segment[];
}

function pathParametersOf(site: Site, given: readonly Parameter[]): ReadonlyMap<string, Parameter> {
  const byName = new Map(given.map((one) => [one.name, one]));
  const names = site.segments.flatMap((one) => (one.kind === "variable" ? [one.name] : []));
  return new Map(
    names.map((name) => {
      const none: Parameter = {
        name,
        required: true,
        schema: { type: "string" },
        description: undefined,
        style: ",",
      };
      return [name, byName.get(name) ?? none];
    }),
  );
}

/** What is answered; a read of which the document does not say what it has answers JSON. */
function answerAt({ method, segments, operation }: Site): Answer {
  const last = segments.findLast((one) => one.kind === "literal" && one.value !== "");
  const ofItem = segments.at(-1)?.kind === "variable";
  const word = last?.kind === "literal" ? last.value : "";
  const answer = answerOf(memberOf(operation, "responses"), ofItem, word);
  if (method !== "GET" || answer.kind === "row" || answer.kind === "list") return answer;
  if (answer.kind === "other" && answer.has === "markup") return answer;
  return freeRows(answer.kind === "other" && answer.has === "list");
}

/** One operation, or why it is left out. */
function operationOf(site: Site): Operation | string {
  const { method, path, item, operation, segments } = site;
  const places = parametersOf(item, operation);
  const cookie = (places.get("cookie") ?? []).find(({ required }) => required);
  if (cookie !== undefined) return `it needs the cookie ${cookie.name}`;
  const body = bodyOf(operation);
  if (typeof body === "string") return body;
  const headers = (places.get("header") ?? []).filter(
    ({ name }) => !IGNORED_HEADERS.has(name.toLowerCase()),
  );
  return {
    method,
    path,
    segments,
    template: templateOf(segments),
    operationId: textOf(memberOf(operation, "operationId")),
    summary: textOf(memberOf(operation, "summary")) ?? textOf(memberOf(operation, "description")),
    isDeprecated: memberOf(operation, "deprecated") === true,
    tags: listOf(memberOf(operation, "tags")).filter((tag) => typeof tag === "string"),
    pathParameters: pathParametersOf(site, places.get("path") ?? []),
    query: places.get("query") ?? [],
    headers,
    body: method === "GET" ? null : body,
    answer: answerAt(site),
    leftOut: partsLeft(site, places),
  };
}

/** What of an operation is left out, though the rest of it is there. */
function partsLeft(
  { operation }: Site,
  places: ReadonlyMap<string, readonly Parameter[]>,
): readonly string[] {
  const optional = (place: string, what: string): readonly string[] =>
    (places.get(place) ?? [])
      .filter(({ name, required }) => !required && !NOT_SAID.test(name))
      .map(({ name }) => `the ${what} ${name}, which may be left out`);
  const content = memberOf(memberOf(operation, "requestBody"), "content");
  const types = sortedEntries(content).map(([type]) => type);
  const body = bodyOf(operation) === null && types.length > 0;
  return [
    ...optional("header", "header"),
    ...optional("cookie", "cookie"),
    ...(body ? [`the body of ${types.join(", ")}, which may be left out`] : []),
    ...sortedEntries(memberOf(operation, "callbacks")).map(([name]) => `the callback ${name}`),
  ];
}

/** Whether an operation is asked for: by the beginning of its path, or by a tag. */
function isWanted(only: readonly string[], path: string, operation: JsonObject): boolean {
  if (only.length === 0) return true;
  const tags = listOf(memberOf(operation, "tags")).map((tag) => String(tag).toLowerCase());
  return only.some((one) =>
    one.startsWith("/")
      ? path === one || path.startsWith(one.endsWith("/") ? one : `${one}/`)
      : tags.includes(one.toLowerCase()),
  );
}

/** Every operation of a document in the order of its paths, those that `only` names if it names any. */
export function readOperations(root: JsonObject, only: readonly string[]): Operations {
  const operations: Operation[] = [];
  const left: string[] = [];
  let total = 0;
  for (const [path, item] of sortedEntries(memberOf(root, "paths"))) {
    for (const method of METHODS) {
      const operation = memberOf(item, method.toLowerCase());
      if (!isObject(item) || !isObject(operation) || !isWanted(only, path, operation)) continue;
      total += 1;
      const segments = segmentsOf(path);
      const read =
        typeof segments === "string"
          ? segments
          : operationOf({ method, path, item, operation, segments });
      if (typeof read === "string") left.push(`${method} ${path}: ${read}`);
      else {
        operations.push(read);
        left.push(...read.leftOut.map((part) => `${method} ${path}: ${part}`));
      }
    }
    for (const method of OTHER_METHODS) {
      const operation = memberOf(item, method);
      if (!isObject(operation) || !isWanted(only, path, operation)) continue;
      total += 1;
      left.push(`${method.toUpperCase()} ${path}: it gives no rows and changes nothing`);
    }
  }
  return { operations, total, left };
}
