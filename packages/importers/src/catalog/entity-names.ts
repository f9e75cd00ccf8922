import type { Operation } from "../document/operation.ts";
import { formOf, templateOf } from "../document/operation.ts";
import { catalogName } from "../names/free-name.ts";
import { singularWords } from "../names/singular.ts";
import { pascal, wordsOf } from "../names/words.ts";
import { nounBefore } from "./path-names.ts";

/** Words by which an API tells forms of one thing apart. */
const FORMS =
  "full minimal simple simplified basic brief short compact mini nullable partial extended expanded nested embedded light lite";
const BEFORE = new Set(FORMS.split(" "));
const AFTER = new Set(
  `${FORMS} summary details detail response dto schema read out bean json vo pojo representation`.split(
    " ",
  ),
);
/** Words of programs and versions, which no row is called by. */
const VERSION = /^(?:v\d+(?:(?:alpha|beta)\d*)?|\d{4,})$/;
const SAYS_NOTHING = new Set(
  "response result object body inline model schema item data payload entity record list".split(" "),
);

/** The words of a schema's name without those that only say which form of the thing it is. */
export function familyOf(name: string): readonly string[] {
  const whole = wordsOf(name);
  // `ProjectWithAccess` is a form of the project.
  const more = whole.indexOf("with");
  let words = more > 0 ? whole.slice(0, more) : whole;
  while (words.length > 1 && BEFORE.has(words[0] ?? "")) words = words.slice(1);
  while (words.length > 1 && AFTER.has(words.at(-1) ?? "")) words = words.slice(0, -1);
  return singularWords(words);
}

/**
 * The words of a type of a program without those of its package: `store-data-website-interface` is a website. A network
 * interface is a thing.
 */
function withoutProgram(words: readonly string[]): readonly string[] {
  const data = words.indexOf("data");
  const own = words.slice(data + 1, -1);
  return words.at(-1) === "interface" && data >= 0 && own.length > 0 ? own : words;
}

/** The words of a schema's name that say what a row is: no name of a package, version or program. */
function plainWords(name: string, path: readonly string[]): readonly string[] {
  const own = name.split(".").findLast((part) => /[A-Za-z]/.test(part)) ?? name;
  const all = withoutProgram(familyOf(own));
  const rest = all.filter((word) => !VERSION.test(word));
  const words = rest.length < all.length && rest[0] === "api" ? rest.slice(1) : rest;
  const last = words.at(-1) ?? "";
  const told =
    words.length > 1 && ["object", "model", "entity"].includes(last) && path.at(-1) !== last;
  const plain = told ? words.slice(0, -1) : words;
  return plain.length === 0 ? all : singularWords(plain);
}

/** The words that a path names its rows by. */
export function pathWords({ segments }: Pick<Operation, "segments">): readonly string[] {
  return nounBefore(segments, segments.length);
}

/** The words of what a row belongs to: the noun before the one that names it. */
function ownerWords({ segments }: Pick<Operation, "segments">): readonly string[] {
  const at = segments.findLastIndex((one) => one.kind === "literal" && one.value !== "");
  return at <= 0 ? [] : nounBefore(segments, at);
}

/** A name for an entity that is not taken: by schema, else by path, else with what it belongs to. */
export function entityName(
  schemaName: string | undefined,
  operation: Pick<Operation, "segments">,
  taken: ReadonlySet<string>,
): string {
  const family = schemaName === undefined ? [] : familyOf(schemaName);
  const whole = schemaName === undefined ? [] : wordsOf(schemaName);
  const path = pathWords(operation);
  const owner = ownerWords(operation);
  const plain = schemaName === undefined ? [] : plainWords(schemaName, path);
  const wanted = [plain, family, path, whole, [...owner, ...path], [...owner, ...family]]
    .filter((words) => words.some((word) => !SAYS_NOTHING.has(word) && !/^\d+$/.test(word)))
    .map((words) => catalogName(pascal(words), "Thing"));
  const all = wanted.length === 0 ? ["Thing"] : wanted;
  const free = all.find((name) => !taken.has(name.toLowerCase()));
  if (free !== undefined) return free;
  let number = 2;
  while (taken.has(`${all[0]}${number}`.toLowerCase())) number += 1;
  return `${all[0]}${number}`;
}

/** The path without its last segment. */
export function baseOf({ segments }: Pick<Operation, "segments">): string {
  const last = segments.at(-1);
  const template = templateOf(segments);
  return last?.kind === "variable" && last.expands !== undefined && last.expands !== ""
    ? template.slice(0, template.lastIndexOf("/"))
    : `${templateOf(segments.slice(0, -1))}${formOf(segments)}`;
}
