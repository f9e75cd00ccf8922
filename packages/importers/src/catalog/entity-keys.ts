import type { Operation } from "../document/operation.ts";
import { type RecordShape, shapeOf } from "../document/schema-shape.ts";
import type { DocumentObject } from "../json.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import { folded, wordsOf } from "../names/words.ts";
import type { EntityDraft, KeyPart } from "./entity-draft.ts";
import { nounBefore, type PathName, pathNames } from "./path-names.ts";

const KEY_TYPES = new Set(["text", "uuid", "integer", "day", "instant", "number"]);

const isKeyProperty = (record: RecordShape, property: string): boolean => {
  const schema = record.properties.get(property);
  const shape = schema === undefined ? null : shapeOf(schema, property);
  return shape?.kind === "options" || (shape?.kind === "scalar" && KEY_TYPES.has(shape.type));
};

/** What a description says that a part of an address is: `The name of the boat`. */
const SAID = /^(?:the |an? )?(?:unique )?(name|slug|code|number|login|username|email)\b(?! or\b)/i;

/** Other words for what names a row: what a variable is called, and what the row may call it. */
const SAME_AS: ReadonlyMap<string, readonly string[]> = new Map([
  ["pk", ["id"]],
  ["uid", ["uuid", "id"]],
  ["guid", ["id"]],
  ["uuid", ["id"]],
  ["index", ["number"]],
  ["username", ["login"]],
]);

/** Words that say what a variable is of a row, whatever stands before them: `file_sha` is its `sha`. */
const ENDS = new Set(["sha", "hash", "digest", "slug", "uuid", "guid", "name"]);

/** What a thing is called by that has no id, where its address has only the word for it: `/branches/{branch}`. */
const NAMES = ["login", "username", "name", "slug", "key", "code", "number"];

/** The property of a row that the last variable of its path names; null if that is not certain. */
function ownProperty(
  record: RecordShape,
  { segments, pathParameters }: Pick<Operation, "segments" | "pathParameters">,
  entity: string,
): string | null {
  const last = segments.at(-1);
  // A name that holds those of all that it is within is the row's `name`.
  if (last?.kind === "variable" && last.expands !== undefined && isKeyProperty(record, "name"))
    return "name";
  const variable = last?.kind === "variable" ? last.name : "";
  const noun = nounBefore(segments, segments.length - 1);
  const words = wordsOf(variable);
  const rests = [noun, noun.slice(-1), wordsOf(entity), wordsOf(entity).slice(-1)].flatMap((said) =>
    said.length > 0 &&
    words.length > said.length &&
    words.slice(0, said.length).join() === said.join()
      ? [words.slice(said.length).join("")]
      : [],
  );
  const glued = [noun, wordsOf(entity)].flatMap((said) => {
    const [whole, name] = [said.join(""), words.join("")];
    return whole !== "" && name.startsWith(whole) ? [name.slice(whole.length)] : [];
  });
  // `{boat}` of `/boats/{boat}` is the boat itself, by its id.
  const isNoun = [noun, wordsOf(entity)].some((said) => said.join() === words.join());
  // `{intent}` of `/setup_intents/{intent}` too.
  const isEnd = [noun, wordsOf(entity)].some((said) => said.slice(-1).join() === words.join());
  // Unless it is said to be something else of it.
  const [, said] = SAID.exec(pathParameters.get(variable)?.description ?? "") ?? [];
  const called = isNoun && said !== undefined ? [said.toLowerCase()] : [];
  const ids = isNoun || isEnd || words.at(-1) === "id" ? ["id", "uuid"] : [];
  // `issueIdOrKey` takes either: of both, the id is the row's own.
  const or = words.lastIndexOf("or");
  const either =
    or > 0 && or === words.length - 2 ? [words[or - 1] ?? "", words[or + 1] ?? ""] : [];
  const eithers = either.toSorted((a, b) => Number(b === "id") - Number(a === "id"));
  const end = words.at(-1) ?? "";
  const others = [
    ...(SAME_AS.get(words.join("")) ?? []),
    ...(words.length > 1 && ENDS.has(end) ? [end] : []),
    ...(isNoun ? NAMES : []),
    // `{id}` of what calls it `slideId`.
    ...(words.join() === "id" ? [noun, noun.slice(-1)].map((said) => `${said.join("")}id`) : []),
  ];
  for (const wanted of [
    words.join(""),
    ...rests,
    ...glued,
    ...called,
    ...ids,
    ...eithers,
    ...others,
  ]) {
    const found = [...record.properties.keys()].filter((name) => folded(name) === wanted);
    const [only] = found.filter((name) => isKeyProperty(record, name));
    if (only !== undefined) return only;
  }
  return null;
}

const HOLDERS = ["metadata", "meta"];

/** Where an object about a row has its key, where the row itself has none: `metadata.name`. */
export function heldKey(record: RecordShape, name: string): readonly string[] | null {
  for (const holder of HOLDERS) {
    const held = shapeOf(record.properties.get(holder) ?? {});
    if (held.kind === "record" && isKeyProperty(held, name)) return [holder, name];
  }
  return null;
}

/**
 * The property that says a part of a row's address: under its name, or under that of what it refers to (`boat_id`), in
 * the form of the key that it is.
 */
function propertyOfPart(record: RecordShape, { name, ref }: PathName): string | null {
  const [key, second] = ref?.key ?? [];
  const schema = record.properties.get(name);
  if (schema !== undefined && key === undefined) return name;
  if (key === undefined) return null;
  const says = (one: DocumentObject): boolean => sameForm(key.schema, one);
  if (schema !== undefined && (says(schema) || shapeOf(schema).kind === "record")) return name;
  if (second !== undefined) return null;
  const named = [...record.properties].find(
    ([property, one]) =>
      property !== name && folded(property) === folded(`${name}_id`) && says(one),
  );
  return named?.[0] ?? null;
}

/** Whether an object says a part of a key that is not the row's own, in the form of the key that it refers to. */
export function saysKeyPart({ property, ref }: KeyPart, record: RecordShape): boolean {
  const schema = property === null ? undefined : record.properties.get(property);
  const [key] = ref?.key ?? [];
  return schema !== undefined && key !== undefined && sameForm(key.schema, schema);
}

/** The key that the path of a row has: all its variables, the last one being the row's own. */
export function keyOf(
  homes: ReadonlyMap<string, EntityDraft>,
  operation: Operation,
  record: RecordShape,
  name: string,
): readonly KeyPart[] {
  const { segments } = operation;
  const before = pathNames({ ...operation, segments: segments.slice(0, -1) }, homes);
  const parts = before.map((one): KeyPart => {
    const property = propertyOfPart(record, one);
    return { name: one.name, property, schema: one.schema, ref: one.ref };
  });
  const last = segments.at(-1);
  if (last?.kind !== "variable") return parts;
  const property = ownProperty(record, operation, name);
  const taken = new Set(parts.map((part) => part.name));
  const own = reserveName(taken, catalogName(property ?? last.name, "key"));
  const schema =
    (property === null ? undefined : record.properties.get(property)) ??
    operation.pathParameters.get(last.name)?.schema ??
    {};
  return [...parts, { name: own, property, schema, ref: null }];
}

/** Whether values of two schemas have the same form. */
export const sameForm = (a: DocumentObject, b: DocumentObject): boolean =>
  JSON.stringify(shapeOf(a)) === JSON.stringify(shapeOf(b));

/** Whether an object has the last part of an entity's key, in the same form. */
export function saysKey({ key }: EntityDraft, record: RecordShape): boolean {
  const own = key.at(-1);
  const property = own?.property ?? null;
  if (own !== undefined && property === null) return heldKey(record, own.name) !== null;
  if (own === undefined || property === null || !isKeyProperty(record, property)) return false;
  return sameForm(own.schema, record.properties.get(property) ?? {});
}

/** Whether an object has that property, in whatever form: one answer writes a number as text, another does not. */
export function hasKey({ key }: EntityDraft, record: RecordShape): boolean {
  const property = key.at(-1)?.property ?? null;
  return property !== null && isKeyProperty(record, property);
}

const USUAL_KEYS = ["id", "uuid", "_id"];
const LOCAL_KEYS = ["key", "name", "slug", "number", "code", "login"];

/** The key of rows that have no path of their own: what usually names a row, with what the list is of. */
export function listKey(
  homes: ReadonlyMap<string, EntityDraft>,
  operation: Operation,
  record: RecordShape,
  name: string,
): readonly KeyPart[] {
  const own = (names: readonly string[]): KeyPart | undefined => {
    const property = names.find((one) => isKeyProperty(record, one));
    if (property === undefined) return undefined;
    const schema = record.properties.get(property) ?? {};
    return { name: catalogName(property, "key"), property, schema, ref: null };
  };
  const everywhere = own([...USUAL_KEYS, `${name.toLowerCase()}_id`, `${name.toLowerCase()}Id`]);
  if (everywhere !== undefined) return [everywhere];
  const within = own(LOCAL_KEYS);
  if (within === undefined) return [];
  const avoid = new Set([within.name]);
  const scope = pathNames(operation, homes, avoid).map((one): KeyPart => ({
    name: one.name,
    property: record.properties.has(one.name) ? one.name : null,
    schema: one.schema,
    ref: one.ref,
  }));
  return [...scope, within];
}
