import { groupBy } from "../group-by.ts";
import {
  compareText,
  isDocumentObject,
  type DocumentObject,
  listOf,
  memberOf,
  sortedEntries,
  textOf,
} from "../json.ts";
import { EXPANDS } from "../discovery/openapi-from-discovery.ts";
import { bodySchema, jsonBody } from "./answer.ts";
import type { Parameter, PathPiece, RequestBody } from "./operation.ts";
import { shapeOf } from "./schema-shape.ts";

/** The segments of a path (MAP-010), or why it cannot be written in a mapping. */
export function segmentsOf(
  written: string,
  formats: ReadonlySet<string>,
): readonly PathPiece[] | string {
  if (!written.startsWith("/")) return "its path does not begin with /";
  // `.{format}` and `{.format}` say in which form it answers.
  const path = written.replaceAll(
    /\.\{([^{}]+)\}|\{\.([^{}]+)\}/g,
    (whole, a?: string, b?: string) =>
      formats.has(a ?? `.${b ?? ""}`) || formats.has(b ?? "") ? ".json" : whole,
  );
  const pieces = path.slice(1).split("/");
  const segments: PathPiece[] = [];
  for (const piece of pieces) {
    const [, head = "", rest = ""] = /^([^{}]*)((?:\{[^{}]+\}[^{}]*)*)$/.exec(piece) ?? [];
    if (`${head}${rest}` !== piece) return `its path has ${piece}, where braces do not pair`;
    if (head !== "" || rest === "") segments.push({ kind: "literal", value: head });
    const variables = [...rest.matchAll(/\{([^{}]+)\}([^{}]*)/g)];
    segments.push(
      ...variables.map(([, name = "", suffix = ""], at): PathPiece => {
        const joined = at > 0 || head !== "" ? ({ joined: true } as const) : {};
        return { kind: "variable", name, suffix, ...joined };
      }),
    );
  }
  if (/[?#\\\p{C}]/u.test(path.replaceAll(/\{[^{}]*\}/g, "")) || /\/\.\.?(?:\/|$)/.test(path)) {
    return "its path has signs that no path may have";
  }
  const names = segments.flatMap((one) => (one.kind === "variable" ? [one.name] : []));
  return new Set(names).size < names.length ? "its path has a variable twice" : segments;
}

/** Variables whose value holds slashes (`{+name}` of Google's documents), with what it is made of. */
export function expanded(
  segments: readonly PathPiece[] | string,
  parameters: readonly unknown[],
): readonly PathPiece[] | string {
  if (typeof segments === "string") return segments;
  return segments.map((one) => {
    if (one.kind === "literal" || !one.name.startsWith("+")) return one;
    const name = one.name.slice(1);
    const parameter = parameters.find((each) => memberOf(each, "name") === name);
    return { ...one, name, expands: textOf(memberOf(parameter, EXPANDS)) ?? "" };
  });
}

const STYLES: ReadonlyMap<unknown, Parameter["style"]> = new Map([
  ["spaceDelimited", " "],
  ["pipeDelimited", "|"],
]);

function parameterOf(value: DocumentObject): Parameter {
  const schema = memberOf(value, "schema") ?? bodySchema(memberOf(value, "content"));
  const joined = STYLES.get(memberOf(value, "style"));
  const isJson = memberOf(value, "content") !== undefined;
  const isExploded = memberOf(value, "explode") !== false;
  const isDeep = memberOf(value, "style") === "deepObject";
  return {
    name: textOf(memberOf(value, "name")) ?? "",
    required: memberOf(value, "required") === true,
    schema: isDocumentObject(schema) ? schema : {},
    description: textOf(memberOf(value, "description")),
    style: joined ?? (isExploded ? "repeat" : ","),
    object: isJson ? "json" : isDeep ? "deep" : isExploded ? "members" : "joined",
    ...(memberOf(value, "allowEmptyValue") === true ? { mayBeEmpty: true } : {}),
  };
}

/** How lists are written that are members of a form (`encoding` of OpenAPI). */
function listStyles(media: unknown): RequestBody["lists"] {
  return new Map(
    sortedEntries(memberOf(media, "encoding")).map(([name, encoding]) => {
      const style = memberOf(encoding, "style");
      if (/\bjson\b/i.test(textOf(memberOf(encoding, "contentType")) ?? ""))
        return [name, "json"] as const;
      if (style === "deepObject") return [name, "[]"] as const;
      const isJoined = memberOf(encoding, "explode") === false;
      return [name, STYLES.get(style) ?? (isJoined ? "," : "repeat")] as const;
    }),
  );
}

/** Variables of a path that say in which form it answers, where JSON is one. */
export function formatNames(parameters: readonly Parameter[]): ReadonlySet<string> {
  const forms = parameters.filter(({ name, schema }) => {
    const options = listOf(memberOf(schema, "enum"));
    return (
      /^\.?(?:format|ext|extension)$/i.test(name) &&
      (options.length === 0 || options.includes("json"))
    );
  });
  return new Set(forms.map(({ name }) => name));
}

/** Parameters of an operation and of its path, by place and name; the operation's own win. */
export function parametersByPlace(
  item: unknown,
  operation: unknown,
): ReadonlyMap<string, readonly Parameter[]> {
  const all = [item, operation].flatMap((one) => listOf(memberOf(one, "parameters")));
  const byKey = new Map<string, readonly [string, Parameter]>();
  for (const one of all.filter(isDocumentObject)) {
    const place = textOf(memberOf(one, "in")) ?? "";
    const parameter = parameterOf(one);
    if (parameter.name !== "") byKey.set(`${place} ${parameter.name}`, [place, parameter]);
  }
  const sorted = [...byKey].toSorted(([a], [b]) => compareText(a, b)).map(([, one]) => one);
  const grouped = groupBy(sorted, ([place]) => place);
  return new Map([...grouped].map(([place, list]) => [place, list.map(([, one]) => one)]));
}

/** The types of bodies that are one file. */
const FILE_TYPE =
  /^(?:\*\/\*|(?:image|video|audio|font)\/.+|application\/(?:octet-stream|pdf|zip|gzip|x-.*|vnd\.(?!.*\+(?:json|xml|yaml)).+))$/i;

/** The one type of a file that says something, and that a request therefore has. */
function typeOf(types: readonly string[]): Pick<RequestBody, "mediaType"> {
  const [only, ...others] = types;
  const says = only !== undefined && others.length === 0 && !/\*|octet-stream/i.test(only);
  return says ? { mediaType: only } : {};
}

/** The body that a request takes, null if none, or why it cannot be sent. */
export function requestBodyOf(operation: DocumentObject): RequestBody | null | string {
  const body = memberOf(operation, "requestBody");
  if (!isDocumentObject(body)) return null;
  const content = memberOf(body, "content");
  const required = memberOf(body, "required") === true;
  const mayBeLeftOut = memberOf(body, "required") === false;
  const bytes = memberOf(memberOf(memberOf(content, "*/*"), "schema"), "format") === "binary";
  const json = bytes ? undefined : jsonBody(content);
  const lists: RequestBody["lists"] = new Map();
  if (json !== undefined) {
    const { type, schema } = json;
    // `application/merge-patch+json`, `application/vnd.api+json`: plain JSON is refused there.
    const typed = /\+json\b/i.test(type) ? { mediaType: type } : {};
    return { format: "json", required, mayBeLeftOut, schema, lists, ...typed };
  }
  const media = memberOf(content, "application/x-www-form-urlencoded");
  const form = memberOf(media, "schema");
  if (isDocumentObject(form))
    return { format: "form", required, mayBeLeftOut, schema: form, lists: listStyles(media) };
  const parted = memberOf(content, "multipart/form-data");
  const parts = memberOf(parted, "schema");
  if (isDocumentObject(parts))
    return { format: "multipart", required, schema: parts, lists: listStyles(parted) };
  const types = sortedEntries(content).map(([type]) => type);
  if (types.length === 0) return null;
  const files = types.filter((type) => FILE_TYPE.test(type));
  if (files.length > 0) return { format: "binary", required, schema: {}, lists, ...typeOf(files) };
  return textBody(content, required) ?? (required ? `it takes ${types.join(", ")}` : null);
}

/** Text as it stands: plain, of lines, of tables; XML where its schema says that it is a text. */
const TEXT_TYPE = /^text\/[\w.+-]+|^plain\/text|^application\/xml/i;

/** A body of text: the text itself, or JSON where its schema says that it is an object. */
function textBody(content: unknown, required: boolean): RequestBody | null {
  const [type, media] = sortedEntries(content).find(([one]) => TEXT_TYPE.test(one)) ?? [];
  const mediaType = TEXT_TYPE.exec(type ?? "")?.[0];
  if (mediaType === undefined) return null;
  const said = memberOf(media, "schema");
  const schema = isDocumentObject(said) ? said : {};
  if (/\b(?:html|xml)\b/i.test(mediaType) && memberOf(schema, "type") !== "string") return null;
  const format = shapeOf(schema).kind === "record" ? "json" : "binary";
  return { format, required, schema, lists: new Map(), mediaType, isText: true };
}
