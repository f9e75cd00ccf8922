import { wordsOf } from "./words.ts";

const MOST = 90;

/** Words that say nothing beside a name. */
const EMPTY = new Set(
  "a an the of to for in on by this that its it is are all one some".split(" "),
);

const plain = (text: string): string =>
  text
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/[`*#>|]+/g, " ")
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim();

function shortened(text: string): string {
  if (text.length <= MOST) return text;
  const clause = /^.{12,90}?(?=[,;:(]| - | \u2013 )/u.exec(text)?.[0];
  const cut = clause ?? text.slice(0, MOST).replace(/(?<!\s)\s+\S*$/u, "");
  return cut.trim().replace(/(?<![,;:(\s])[,;:(\s]+$/u, "");
}

/** Begins small, as descriptions of catalogs do; words such as `ID` and `OAuth` stay. */
const begun = (text: string): string =>
  /^[A-Z][a-z]*(?![\w'])/.test(text) ? `${text.slice(0, 1).toLowerCase()}${text.slice(1)}` : text;

/** A description in one clause: its first sentence, without markup, at most 90 characters. */
export function clause(text: string | undefined): string {
  if (text === undefined) return "";
  const [sentence = ""] = plain(text.slice(0, 2_000)).split(/(?<=[^.\s]{2})[.!?](?:\s|$)/u, 1);
  return begun(shortened(sentence));
}

/** The same, or nothing where it only says the name again. */
export function clauseBeside(text: string | undefined, ...names: readonly string[]): string {
  const said = clause(text);
  const known = new Set(names.flatMap(wordsOf).flatMap((word) => [word, `${word}s`]));
  const news = wordsOf(said).filter((word) => !EMPTY.has(word) && !known.has(word));
  return news.length === 0 ? "" : said;
}
