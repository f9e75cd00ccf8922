import { sample } from "openapi-sampler";
import { type DocumentMap, type DocumentValue, followed, isMap } from "./operation-at.ts";

/** Rows of a list that its schema alone describes. */
const ROWS = 3;

/** What the sampler has for any text: a word, again and again where a text has to be longer. */
const ANY_TEXT = /^(?:string)+(?:s|st|str|stri|strin)?$/;

/** Names of members that lead to another page: lists of a mock have one. */
const OF_NEXT_PAGE = /^(has_?(more|next).*|next.*|.*next_?(page|cursor|token).*)$/i;

function firstExample(root: DocumentMap, examples: DocumentValue): DocumentValue {
  if (!isMap(examples)) return undefined;
  const [first] = Object.values(examples);
  const example = followed(root, first);
  return isMap(example) ? example["value"] : undefined;
}

/** A text that says of what it is, as long as it has to be. */
function textNamed(name: string, n: number, length: number): string {
  const short = `${name} ${n}`;
  return length <= 6 ? short : `${name}${String(n).padStart(length, "0").slice(name.length)}`;
}

/** One of several rows: texts that say nothing get the name of their member, and keys a number. */
function variant(value: DocumentValue, n: number, name: string): DocumentValue {
  if (Array.isArray(value)) return value.map((one) => variant(one, n, name));
  if (isMap(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, variant(inner, n, key)]),
    );
  if (typeof value === "string" && ANY_TEXT.test(value)) return textNamed(name, n, value.length);
  const isKey = /^(id|.*_id|.*Id|key|number|sid)$/.test(name);
  if (value === 0 && isKey) return n;
  return value;
}

/** A sample as several rows where it is a list of one, and with one page. */
function withRows(value: DocumentValue, name: string): DocumentValue {
  if (Array.isArray(value)) {
    const [first] = value as readonly DocumentValue[];
    if (value.length === 1 && isMap(first))
      return Array.from({ length: ROWS }, (_none, n) => variant(first, n + 1, name));
    return value.map((one) => variant(one, 1, name));
  }
  if (!isMap(value)) return variant(value, 1, name);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      OF_NEXT_PAGE.test(key) && !isMap(inner)
        ? typeof inner === "boolean"
          ? false
          : null
        : withRows(inner, key),
    ]),
  );
}

/** An example that is JSON as a text is what that says. */
function readExample(example: DocumentValue): DocumentValue {
  if (typeof example !== "string") return example;
  try {
    return JSON.parse(example) as DocumentValue;
  } catch {
    return example;
  }
}

/** Whether an example is what its schema says: some documents have the address of one in its place. */
function isOf(root: DocumentMap, schema: DocumentValue, example: DocumentValue): boolean {
  const told = followed(root, schema);
  const type = isMap(told) ? told["type"] : undefined;
  if (type === "array") return Array.isArray(example);
  return type === "object" ? isMap(example) : true;
}

/** What a media type of a document answers with: its example, else what its schema describes. */
export function mediaBody(root: DocumentMap, media: DocumentMap): DocumentValue {
  const schema = media["schema"];
  const example = readExample(media["example"] ?? firstExample(root, media["examples"]));
  if (example !== undefined && isOf(root, schema, example)) return example;
  if (!isMap(schema)) return null;
  const made = sample({ ...schema }, { skipWriteOnly: true, quiet: true }, { ...root });
  return withRows(made, "value");
}

/** Says of a body which row it is of: the keys of the request's path, and what was sent, where it has such members. */
export function bodyAsAsked(
  body: DocumentValue,
  variables: readonly (readonly [name: string, value: string])[],
  sent: DocumentValue,
): DocumentValue {
  if (!isMap(body)) return body;
  const kept = isMap(sent)
    ? Object.entries(sent).filter(([name]) => Object.hasOwn(body, name))
    : [];
  const [name, value] = variables.at(-1) ?? [];
  const keys =
    name === undefined ? [] : [name, "id"].filter((key) => Object.hasOwn(body, key)).slice(0, 1);
  const key = keys.map((one): [string, DocumentValue] => [
    one,
    typeof body[one] === "number" ? Number(value) : value,
  ]);
  return { ...body, ...Object.fromEntries(kept), ...Object.fromEntries(key) };
}
