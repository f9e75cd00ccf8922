import { singular } from "./singular.ts";
import { wordsOf } from "./words.ts";

const MOST = 90;

/** Words that say nothing beside a name and its type. */
const EMPTY = new Set(
  `a an the of to for in on by this that its it is are all one some optional required read only readonly parameter field
  property value list array whether if indicates true`.split(/\s+/),
);

/** What a key is called by, and what says nothing more beside such a name. */
const KEYS = new Set("id ids uuid guid key identifier oid".split(" "));
const OF_KEYS = "id uuid guid identifier unique resource object entity record";

/** What a time is called by, and what says nothing more beside such a name. */
const TIMES = new Set("at date datetime time timestamp on modified created updated".split(" "));
const OF_TIMES =
  "at on when which was were last date time datetime timestamp utc iso 8601 iso8601 format in";

/** What is done with the row whose key it is: its call says that. */
const PURPOSE =
  /\s(?:(?:that|which) (?:you|we|will|should|is to|are to|must|needs?)|you|to (?:be )?(?:get|list|return|retrieve|read|fetch|find|delete|remove|update|edit|modify|query|obtain|show|display|cancel|archive)|for which|whose|being|in which|on which|from which)\s.*$/i;

/** Characters that a document writes as HTML does. */
const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  "#39": "'",
  "#34": '"',
  nbsp: " ",
  lt: " ",
  gt: " ",
  amp: "&",
};

const plain = (text: string): string =>
  text
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/&(quot|apos|#39|#34|nbsp|lt|gt|amp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replaceAll(/``(?=[,\s])/g, '""')
    .replaceAll(/[`*#>|]+/g, " ")
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, " ")
    .replaceAll(/ (?=[,;]|\.(?:\s|$))/g, "")
    .trim();

/** What begins a list of what a value may be. */
const LISTS =
  /\b(?:one of|any of|either|values?(?: are)?|options?(?: are)?|can be|may be|must be|should be)\b/i;

function shortened(text: string): string {
  if (text.length <= MOST) return text;
  const clause = /^.{12,90}?(?=[,;:(]| - | \u2013 )/u.exec(text)?.[0];
  // The first of several words that a value may be is not what it is.
  const words = text.slice(0, MOST).replace(/(?<!\s)\s+\S*$/u, "");
  if (LISTS.test(clause ?? "")) return `${words.replace(/,$/, "")}…`;
  const cut = clause ?? words;
  return cut.trim().replace(/(?<![,;:(\s])[,;:(\s]+$/u, "");
}

/** Begins small, as descriptions of catalogs do; words such as `ID` and `OAuth` stay. */
const begun = (text: string): string =>
  /^[A-Z][a-z]*(?![\w'])/.test(text) ? `${text.slice(0, 1).toLowerCase()}${text.slice(1)}` : text;

/** What says only that a call is a call, before its verb: `This method provides …`, `This endpoint allows you to list …`. */
const OF_CALL =
  /^this (?:(?:api|rest) )*(?:method|operation|end-?point|api|call|request|function|action|service|route)(?: call)? (?:(?:(?:can be|is) used|allows (?:you|users?|clients?|(?:the )?callers?)) to (?=[a-z])|lets (?:you|users?|clients?) (?=[a-z])|(?!(?:is|has|was|does)\b)(?=[a-z]+s\s))/i;

/** A description in one clause: its first sentence, without markup, at most 90 characters. */
export function clause(text: string | undefined): string {
  if (text === undefined) return "";
  const [sentence = ""] = plain(text.slice(0, 2_000)).split(/(?<=[^.\s]{2})[.!?](?:\s|$)/u, 1);
  return begun(shortened(sentence.replace(OF_CALL, "")));
}

/** The same, or nothing where it only says the name again. */
export function clauseBeside(text: string | undefined, ...names: readonly string[]): string {
  const said = clause(text);
  const words = names.map(wordsOf);
  const isKey = words.some((all) => all.some((word) => KEYS.has(word)));
  const isTime = words.some((all) => TIMES.has(all.at(-1) ?? ""));
  const more = [...(isKey ? [OF_KEYS] : []), ...(isTime ? [OF_TIMES] : [])];
  const known = new Set(
    [...words.flat(), ...more.flatMap(wordsOf)].flatMap((one) => [one, singular(one)]),
  );
  const own = isKey ? said.replace(PURPOSE, "") : said;
  const news = wordsOf(own).filter(
    (word) => !EMPTY.has(word) && !known.has(word) && !known.has(singular(word)),
  );
  return news.length === 0 ? "" : said;
}
