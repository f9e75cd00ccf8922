import { wordsOf } from "../names/words.ts";
import type { PathPiece } from "./operation.ts";

/** Verbs that read, where they are the verb of what is asked: a plural (`searches`, `lists`) is a thing that is made. */
const VERBS = new Set(["search", "query", "list", "find", "lookup", "count", "filter", "browse"]);
/** Of those, the ones that are a noun behind another word: a price list, a find, a head count. */
const FIRST_ONLY = new Set(["list", "find", "count", "filter", "browse"]);
/** Words before a noun that make it a thing that is kept: a saved search, a new query. */
const KEPT = new Set("saved stored scheduled recent new custom favorite favourite".split(" "));
/** Words of change. One of them anywhere in what an operation is called, and it stays an effect. */
const CHANGES = new Set(
  `abort accept activate add allocate append apply approve archive assign attach authorize ban bind book build buy bulk cancel
  change charge checkin checkout claim clean clear clone close commit complete configure confirm connect copy create deactivate
  decline delete deploy deregister destroy detach disable disconnect discard dismiss dispatch drop duplicate edit enable enqueue
  enroll erase evict execute expire export fill finish flush force generate grant import increment index ingest init initialize
  insert install invalidate invite invoke issue join kick kill launch leave link load lock mark merge migrate modify move mute
  notify open order pause pay perform persist pick pin place populate process provision publish purge push put queue read rebuild
  receive record redeem refresh refund register regenerate reindex reject release reload remove rename renew replace report
  request reserve reset resolve restart restore resume retry revert revoke rotate run save schedule select send set share
  ship sign split start stop store stream subscribe submit suspend swap sync tag take terminate toggle track train transfer trigger
  unarchive unassign unlink unlock unpin unregister unsubscribe update upgrade upload upsert use validate verify void vote wipe
  withdraw write`.split(/\s+/),
);

/** Words of both that are nouns of what is searched, or only the method, as often: no sign of a change. */
const NOUNS = new Set([
  "change",
  "order",
  "post",
  "record",
  "report",
  "link",
  "tag",
  "track",
  "share",
  "place",
  "queue",
  "request",
  "issue",
  "book",
  "bulk",
  "index",
]);

/** What tells a POST that reads from one that changes something. */
export interface AskedPost {
  readonly segments: readonly PathPiece[];
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
  readonly summary: string | undefined;
  /** it answers that something was made, or will be: 201 or 202 */
  readonly makes: boolean;
  /** it takes a key by which a repeated call is told from another */
  readonly isIdempotent: boolean;
}

/** The words of the end of a path, behind its last variable, `:` or dot: `contacts.search`, `/search`, `{id}:list`. */
function endOf(segments: readonly PathPiece[]): readonly string[] {
  const last = segments.at(-1);
  if (last === undefined) return [];
  const text = last.kind === "literal" ? last.value : last.suffix;
  const pieces = text.split(/[:.]/).filter((piece) => !/^(?:json|xml)$/i.test(piece));
  return wordsOf(pieces.at(-1) ?? "");
}

/** Whether words ask for rows: the verb first, or behind the noun that it is about. */
function asks(words: readonly string[]): boolean {
  const [first = ""] = words;
  const last = words.at(-1) ?? "";
  if (first === "look" && words[1] === "up") return true;
  // `find_or_create`, `search-and-tag`: whatever comes then is done, too.
  if (words.some((word, at) => VERBS.has(word) && /^(?:and|or|then)$/.test(words[at + 1] ?? "")))
    return false;
  if (VERBS.has(first)) return true;
  return VERBS.has(last) && !FIRST_ONLY.has(last) && !words.some((word) => KEPT.has(word));
}

/** The words of an operationId, without the tag that some put before it, and the method. */
function ownWords(operationId: string, tags: readonly string[]): readonly string[] {
  const [head = "", ...rest] = operationId.split(/[_./]/);
  const isTag = tags.some((tag) => wordsOf(tag).join() === wordsOf(head).join());
  const words = wordsOf(rest.length > 0 && isTag ? rest.join("_") : operationId);
  return words[0] === "post" ? words.slice(1) : words;
}

/** Asking is what it does, whatever the verb. */
const ASKING = /^(?:submits?|runs?|executes?|performs?|posts?) an? (?:[\w-]+ )?(?:query|search)\b/i;

/** A path without the word that asks at its end, where others stand before it: `/boats` of `/boats/search`. */
export function placeAsked(segments: readonly PathPiece[]): readonly PathPiece[] {
  const last = segments.at(-1);
  const isBare = last?.kind === "literal" && !/[:.]/.test(last.value) && asks(wordsOf(last.value));
  const before = segments.slice(0, -1);
  const names = before.some((one) => one.kind === "literal" && !VERSION.test(one.value));
  return isBare && names ? before : segments;
}

const VERSION = /^(?:|api|rest|v\d[\w.]*)$/i;

const changes = (word: string): boolean => CHANGES.has(word) && !NOUNS.has(word);

/**
 * Whether a POST only reads: the end of its path, or its operationId, asks for rows as a verb; nothing that it is
 * called says that it changes something; and it neither makes something nor guards against being sent twice. What it
 * answers is the caller's to look at.
 */
export function isReadingPost(asked: AskedPost): boolean {
  const { segments, operationId = "", summary = "", makes, isIdempotent } = asked;
  if (makes || isIdempotent) return false;
  const end = endOf(segments);
  const own = ownWords(operationId, asked.tags);
  if ([...end, ...own].some(changes)) return false;
  const [verb = ""] = ASKING.test(summary) ? [] : wordsOf(summary);
  const bases = [verb, verb.replace(/s$/, ""), verb.replace(/es$/, ""), verb.replace(/ies$/, "y")];
  if (bases.some(changes)) return false;
  // `/list-members` may be the members of a list.
  const isUnsure = FIRST_ONLY.has(end[0] ?? "") && end.length > 1 && own.length > 0;
  const byPath = asks(end) && (!isUnsure || asks(own));
  return byPath || (asks(own) && !end.some((word) => /^(?:lists|searches|queries)$/.test(word)));
}
