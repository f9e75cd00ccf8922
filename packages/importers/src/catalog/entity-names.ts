import type { Operation, PathPiece } from "../document/operation.ts";
import { formOf, templateOf } from "../document/operation.ts";
import { catalogName } from "../names/free-name.ts";
import { singularWords } from "../names/singular.ts";
import { pascal, wordsOf } from "../names/words.ts";
import { lastWord, nounBefore } from "./path-names.ts";

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
  "response result object body inline model schema item data payload entity record list for by with of in to".split(
    " ",
  ),
);

/** Words of calls, which rows may be told apart by. */
const CALLS = new Set("get list post put patch show".split(" "));

/** The words of a schema's name without those that only say which form of the thing it is. */
export function familyOf(name: string): readonly string[] {
  const whole = wordsOf(name);
  // `ProjectWithAccess` is a form of the project.
  const more = whole.indexOf("with");
  let words = more > 0 ? whole.slice(0, more) : whole;
  while (words.length > 1 && BEFORE.has(words[0] ?? "")) words = words.slice(1);
  // `VoiceResponseModel` is a form, too; `VoiceModel` may be what the thing is.
  const isForm = ([before = "", last = ""]: readonly string[], several: boolean): boolean =>
    AFTER.has(last) || (several && /^(?:model|object|type)$/.test(last) && AFTER.has(before));
  while (words.length > 1 && isForm(words.slice(-2), words.length > 2)) words = words.slice(0, -1);
  return singularWords(words);
}

/** Behind the word that the path has, what programs call the form in which they answer a row: `ArtistData` of `/artists/{id}`. */
const FORMS_OF_ROWS = new Set(
  "description type info data output result list record view resource payload".split(" "),
);

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
  const parts = name.split(".").filter((part) => /[A-Za-z]/.test(part));
  // `ChartRestApi.get_list` is a chart: a part of nothing but calls says none of it.
  const said = parts.findLast((part) => !wordsOf(part).every((word) => CALLS.has(word)));
  const own = (said ?? parts.at(-1) ?? name).replace(/(?<=[a-z])Rest(?:ful)?Api$/, "");
  const all = withoutProgram(familyOf(own));
  const rest = all.filter((word) => !VERSION.test(word));
  const words = rest.length < all.length && rest[0] === "api" ? rest.slice(1) : rest;
  const last = words.at(-1) ?? "";
  const isForm = FORMS_OF_ROWS.has(last) && words.slice(0, -1).join() === path.join();
  const told =
    words.length > 1 &&
    (isForm || (["object", "model", "entity"].includes(last) && path.at(-1) !== last));
  const plain = told ? words.slice(0, -1) : words;
  return plain.length === 0 ? all : singularWords(plain);
}

/** A piece of a path that says but of which version of an API it is, or that an API is there. */
const isVersion = (segment: PathPiece): boolean =>
  segment.kind === "literal" && /^(?:api|rest|v?\d[\w.]*)$/i.test(segment.value);

/** What a path ends in that says how its rows are read, and not what they are: `/boats/list`. */
const READS = /^(?:list|all|index|get|search|find|query|lookup)$/i;

/** The parts of a path that name something. */
function namingParts({ segments }: Pick<Operation, "segments">): readonly PathPiece[] {
  const own = segments.filter((segment) => !isVersion(segment));
  const [before, last] = own.slice(-2);
  const isRead = last?.kind === "literal" && READS.test(last.value) && before?.kind === "literal";
  return isRead && before.value !== "" ? own.slice(0, -1) : own;
}

/** The words that a path names its rows by. */
export function pathWords(operation: Pick<Operation, "segments">): readonly string[] {
  const own = namingParts(operation);
  return nounBefore(own, own.length);
}

/** How many things that a row belongs to its name may tell. */
const MOST_OWNERS = 3;

/** The words of what a row belongs to: the nouns before the one that names it, the next one first. */
function ownersOf(operation: Pick<Operation, "segments">): readonly (readonly string[])[] {
  const own = namingParts(operation);
  const owners: (readonly string[])[] = [];
  for (let at = own.length - 1; at > 0 && owners.length < MOST_OWNERS; at -= 1) {
    const segment = own[at];
    if (segment?.kind !== "literal" || segment.value === "") continue;
    const words = nounBefore(own, at);
    if (words.length > 0) owners.push(words);
  }
  return owners;
}

/** The last word of a path as it is written: what a call answers of `/boats`, beside the boats. */
function manyWords({ segments }: Pick<Operation, "segments">): readonly string[] {
  const last = segments.at(-1);
  return last?.kind === "literal" && !isVersion(last)
    ? wordsOf(last.value.replace(/\.json$/i, ""))
    : [];
}

/** The version that a path begins with, where it begins as a word does: what two versions of one thing are told apart by. */
function versionWords({ segments }: Pick<Operation, "segments">): readonly string[] {
  const version = segments.find((one) => isVersion(one) && /^v\d/i.test(lastWord(one)));
  return version === undefined ? [] : wordsOf(lastWord(version));
}

/** Whether a schema's name has the path's words at its end, behind many others: those of its program. */
const isLong = (words: readonly string[], path: readonly string[]): boolean =>
  path.length > 0 &&
  words.length >= path.length + 5 &&
  words.slice(-path.length).join() === path.join();

/** What only says which call it is the answer of: `ListBoatsOutput`. The path says more. */
const OF_CALL =
  /^(?:list|describe|get|search|query|scan|batch|find)[A-Z].*(?:output|response|result)$/i;

/** What the last variable of a path names: `queue` of `{QueueName}`. */
function variableWords({ segments }: Pick<Operation, "segments">): readonly string[] {
  const last = segments.findLast((one) => one.kind === "variable");
  const words = last === undefined ? [] : wordsOf(last.name);
  return words.length > 1 && /^(?:id|name|uuid|key|arn)$/.test(words.at(-1) ?? "")
    ? words.slice(0, -1)
    : words;
}

/** What an entity is named by: the name of its schema or tag, and the path that leads to it. */
interface Named {
  readonly written: string | undefined;
  readonly operation: NamingOperation;
}

/** What of an operation names its rows. */
type NamingOperation = Pick<Operation, "segments"> & Partial<Pick<Operation, "tags">>;

/** Names for an entity, best first, at least one: by schema, else by path, else with what it belongs to. */
function namesFor({ written, operation }: Named): readonly [string, ...string[]] {
  const isOfCall =
    OF_CALL.test(written ?? "") &&
    (pathWords(operation).length > 0 || variableWords(operation).length > 0);
  const schemaName = isOfCall ? undefined : written;
  const family = schemaName === undefined ? [] : familyOf(schemaName);
  const whole = schemaName === undefined ? [] : wordsOf(schemaName);
  const path = tagged(pathWords(operation), operation);
  const owners = ownersOf(operation).map((words) => tagged(words, operation));
  const [owner = []] = owners;
  const plain = schemaName === undefined ? [] : plainWords(schemaName, path);
  const chains = owners.map((_, at) => [
    ...owners
      .slice(0, at + 1)
      .toReversed()
      .flat(),
    ...path,
  ]);
  const [many, version] = [manyWords(operation), versionWords(operation)];
  const part = schemaName === undefined ? partWord(operation, path) : undefined;
  if (part !== undefined)
    return inPascal(
      [...chains.slice(0, 1), path, ...chains.slice(1)].map((words) => [...words, part]),
    );
  const wanted = [
    ...(isLong(plain, path) ? [path, ...chains.slice(0, 1)] : []),
    plain,
    family,
    path,
    whole,
    [...owner, ...path],
    family.length === 0 ? [] : [...owner, ...family],
    ...chains.slice(1),
    many,
    [...owner, ...many],
    version.length === 0 ? [] : [...version, ...path],
    path.length === 0 ? variableWords(operation) : [],
    ...ownWays(operation, path),
  ];
  const telling = wanted.filter((words) =>
    words.some((word) => !SAYS_NOTHING.has(word) && !isKeyWord(word)),
  );
  // A path of nothing but such words means them: `/lists/{id}` has lists.
  const all =
    telling.length > 0
      ? telling
      : [path, many].filter((words) => words.some((word) => !isKeyWord(word)));
  return inPascal(all);
}

/** Names of words, at least one. */
function inPascal(all: readonly (readonly string[])[]): readonly [string, ...string[]] {
  const [first = "Thing", ...others] = all.map((words) => catalogName(pascal(words), "Thing"));
  return [first, ...others];
}

/** What a path ends in that gives one part of a row by its name: `field` of `/boats/{id}/{field}`, and not of `/fields/{field}`. */
function partWord(
  { segments }: Pick<Operation, "segments">,
  path: readonly string[],
): string | undefined {
  const last = segments.at(-1);
  const name = last?.kind === "variable" ? last.name.toLowerCase() : "";
  const isPart = ["field", "property", "attribute", "column"].includes(name);
  return isPart && path.at(-1) !== name ? name : undefined;
}

const isKeyWord = (word: string): boolean => /^(?:\d+|id|key|uuid)$/.test(word);

/** Words of a path, or those of the tag where they are one letter: `/t/{id}` of Topics. */
function tagged(words: readonly string[], { tags }: NamingOperation): readonly string[] {
  const [tag = ""] = tags ?? [];
  const [only = "", second] = words;
  const isLetter = only.length === 1 && second === undefined;
  return isLetter && wordsOf(tag).length > 0 ? singularWords(wordsOf(tag)) : words;
}

/** What else two things of one name are told apart by: what one of them is read by, and what its tag speaks of. */
function ownWays(
  operation: NamingOperation,
  path: readonly string[],
): readonly (readonly string[])[] {
  if (path.length === 0) return [];
  const last = operation.segments.at(-1);
  const asked =
    last?.kind === "variable"
      ? variableWords(operation).filter((word) => !path.includes(word) && !isKeyWord(word))
      : [];
  const [tag = ""] = operation.tags ?? [];
  const theme = singularWords(wordsOf(tag)).filter((word) => !path.includes(word));
  return [
    asked.length === 0 ? [] : [...path, ...asked],
    theme.length === 0 ? [] : [...theme, ...path],
  ];
}

/** The best name for an entity, whether it is taken or not. */
export const bestEntityName = (named: Named): string => namesFor(named)[0];

/** A name for an entity that is not taken: the best one with a number, where all are. */
export function entityName(
  written: string | undefined,
  operation: NamingOperation,
  taken: ReadonlySet<string>,
): string {
  const names = namesFor({ written, operation });
  const free = names.find((name) => !taken.has(name.toLowerCase()));
  if (free !== undefined) return free;
  const [best] = names;
  let number = 2;
  while (taken.has(`${best}${number}`.toLowerCase())) number += 1;
  return `${best}${number}`;
}

/** The path without its last segment. */
export function baseOf({ segments }: Pick<Operation, "segments">): string {
  const last = segments.at(-1);
  const template = templateOf(segments);
  return last?.kind === "variable" && last.expands !== undefined && last.expands !== ""
    ? template.slice(0, template.lastIndexOf("/"))
    : `${templateOf(segments.slice(0, -1))}${formOf(segments)}`;
}
