import type { Expression, HttpTemplate } from "../../mapping/template.ts";
import { type Capability, isEffectKind, oneOfKind } from "../../model/model.ts";
import type { Rule, RuleContext } from "./rule.ts";

/**
 * CAT-081 and MAP-018: a read that looks like a change by its words or by how it is sent. A read needs no
 * review and may be sent again (RUN-025), so what changes data must be declared as an effect.
 */
export const changingReadsRule: Rule = (context) => {
  const nouns = new Set([...context.catalog.cgs.entities.keys()].flatMap(nounsOf));
  for (const capability of context.catalog.cgs.capabilities.values()) {
    const path = ["capabilities", capability.name];
    if (isEffectKind(capability.kind) || context.inDomain.faulty(path)) continue;
    const template = context.catalog.cml.get(capability.name);
    const http =
      template?.transport === "http" || template?.transport === "graphql" ? template : null;
    const words = changeIn(capability, http, nouns);
    if (words !== null) {
      const params = { found: capability.name, kind: oneOfKind(capability.kind), words };
      context.inDomain.atValue([...path, "kind"], "CAT081", "words", params);
    } else if (http !== null) checkMethod(context, capability, http);
  }
};

/** The words of an entity's name, which are nouns in its catalog, as one and as several. */
export const nounsOf = (entity: string): readonly string[] =>
  wordsOfText(entity).flatMap((word) => [word, `${word}s`, word.replace(/s$/, "")]);

/** What reads like a change, as the message says it, or null. */
const changeIn = (
  { label, description }: Capability,
  template: HttpTemplate | null,
  nouns: ReadonlySet<string>,
): string | null =>
  changeSaidBy({ label, description, end: template === null ? "" : endOf(template) }, nouns);

/** What is said of a read: its label, its description, and the word that its path ends in. */
export interface SaidOfRead {
  readonly label: string;
  readonly description: string;
  readonly end: string;
}

/**
 * The words by which a read looks like a change, with their place, or null (CAT-081). `nouns` are words that
 * name entities of the catalog.
 */
export function changeSaidBy(
  { label, description, end }: SaidOfRead,
  nouns: ReadonlySet<string>,
): string | null {
  const told = changeInText(description, nouns);
  if (told !== null) return `"${told}" in its description`;
  if (readsAsRead(description)) return null;
  const named = changeInName(label, nouns);
  if (named !== null) return `"${named}" in its name`;
  const last = changeInName(end, nouns);
  return last === null ? null : `"${last}" at the end of its path`;
}

/** The last segment of a path as a name: what stands behind `/`, or behind `:` or the last dot of it. */
function endOf({ path }: HttpTemplate): string {
  const last = path.findLast((segment) => segment.type === "var" || segment.value !== "");
  const text = last?.type === "literal" ? last.value : (last?.suffix ?? "");
  const end = text.replace(/\/$/, "").split(/[/:.]/).at(-1) ?? "";
  // What follows a variable without `:` is part of a value: `{id}.json`.
  return last?.type === "var" && !text.includes(":") ? "" : end;
}

function checkMethod(
  { inMappings }: RuleContext,
  { name, label, description, kind, parameters }: Capability,
  template: HttpTemplate,
): void {
  const { method, path, body, query, headers } = template;
  const params = { found: name, kind: oneOfKind(kind) };
  const texts = [body, query].flatMap((each) => (each === undefined ? [] : textsIn(each)));
  if (texts.some((text) => /(?:^|[\n}])[^\S\n]*mutation\b\s*[\w({@]/.test(text))) {
    inMappings.atKey([name], "MAP018", "mutation", params);
    return;
  }
  if (inMappings.faulty([name]) || ["GET", "HEAD", "OPTIONS"].includes(method)) return;
  const literals = path.flatMap((segment) =>
    segment.type === "literal" ? segment.value : segment.suffix,
  );
  const ownLabel = ["query", "get"].includes(label) ? [] : [label];
  // A call may be named by a header alone.
  const named = headers?.type === "object" ? headers.fields.flatMap(([, one]) => textsIn(one)) : [];
  const words = [
    ...literals,
    ...texts,
    ...named,
    ...ownLabel,
    ...parameters.map((each) => each.name),
  ];
  const searches =
    kind === "search" || template.transport === "graphql" || readsAsRead(description);
  const paged = template.pagination?.location === "body";
  if (method !== "DELETE" && (searches || paged || signsOfRead(words.flatMap(wordsOfText)))) return;
  inMappings.atValue([name, "method"], "MAP018", "method", { ...params, method });
}

/** Keys and constant texts of an expression: what a body says besides values. */
function textsIn(expression: Expression): readonly string[] {
  switch (expression.type) {
    case "const":
      return typeof expression.value === "string" ? [expression.value] : [];
    case "object":
      return expression.fields.flatMap(([key, value]) => [key, ...textsIn(value)]);
    case "array":
      return expression.elements.flatMap(textsIn);
    case "if":
      return [...textsIn(expression.thenExpr), ...textsIn(expression.elseExpr)];
    case "join":
      return textsIn(expression.expr);
    case "format":
      return [expression.template, ...[...expression.vars.values()].flatMap(textsIn)];
    case "var":
    case "call":
      return [];
  }
}

/** Words of a text, lower-case: camel case, `_`, `-`, dots and blanks separate them. */
export const wordsOfText = (text: string): readonly string[] =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? [];

const set = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")));

/** Verbs of change that are hardly ever nouns in the base form. */
const CHANGES = set(
  "accept activate append approve assign authorize ban cancel create deactivate delete dequeue deregister",
  "destroy disable dismiss dispatch enable enqueue erase insert install invalidate invoke",
  "kill logout modify purge reboot reject remove rename replace resend restart restore revoke",
  "send submit subscribe suspend terminate unarchive unassign unban uninstall unlock unmute",
  "unpin unpublish unregister unsubscribe upsert wipe publish regenerate",
);

/** Verbs of change that are nouns or adjectives as often: they need what is said around them. */
const EITHER = set(
  "acknowledge add apply archive block book charge clear close complete confirm copy deploy duplicate execute follow",
  "grant install invite kick lock mark merge move mute open pause pin post put refresh",
  "refund register release reset resume retry rotate run save set start stop toggle transfer",
  "trigger update upload",
);

/** Of those, the ones that are a change where they stand alone, as a label or as the end of a path. */
const ALONE = set(
  "clear close deploy execute pause reset resume retry run start stop toggle trigger",
);

/** Of those, the ones that are hardly ever a noun before another: `resetPassword`, and neither `blockNumber` nor `openOrders`. */
const FIRM = set(
  "acknowledge add apply confirm deploy execute invite kick mute refresh refund register reset resume rotate save",
  "toggle trigger update upload",
);

/** Nouns that make a verb before them a noun too: cancel reasons, create meta, send limits. */
const COMPOUNDS = set(
  "analytics at by code codes count counts date dates event events field fields form history info item items job jobs",
  "limit limits link list log logs meta metadata on ons option options page permission permissions",
  "policies policy preview queue rate reason reasons report reports request requests result results",
  "rule rules schema setting settings state stats status template templates time times type types url",
);

/** What a sentence that reads begins with, in its base form. */
const READS = set(
  "answer browse calculate check compare compute count describe display download enumerate estimate",
  "fetch find get give inspect list load look lookup obtain preview print provide query read",
  "report resolve retrieve return search see select show simulate tell validate verify view",
);

/** Words by which a request with a body is a read. */
const SEARCH_SIGNS = set(
  "aggregate analyse analytics analyze batch criteria cursor fields filter filters graphql ids info jsonrpc",
  "limit match offset page queries q recommend rpc sort statistics stats status suggest translate where",
);

const DETERMINERS = set(
  "a all an any each every existing given it its multiple my new one our specified that the their them",
  "these this those your",
);

const PREPOSITIONS = set(
  "and as at between by for from in of on or over per since to under until with",
);

/** Running or creating one of these is reading. */
const READINGS = /\b(?:calculation|look-?up|quer(?:y|ies)|report|search(?:es)?|select|sql)\b/i;
const PERFORMS = set("create execute invoke run start submit");

/** The base form of a verb as it stands, and whether it stands in the third person. */
function verbOf(
  word: string,
  verbs: ReadonlySet<string>,
): { readonly base: string; readonly third: boolean } | null {
  if (verbs.has(word)) return { base: word, third: false };
  const bases = [word.replace(/s$/, ""), word.replace(/es$/, ""), word.replace(/ies$/, "y")];
  const base = bases.find((each) => each !== word && verbs.has(each));
  return base === undefined ? null : { base, third: true };
}

const ALL_CHANGES: ReadonlySet<string> = new Set([...CHANGES, ...EITHER]);

/** Whether a description begins as one of a read does: "Returns …", "List …". */
export function readsAsRead(description: string): boolean {
  const [first = ""] = wordsOfText(description);
  return verbOf(first, READS) !== null;
}

/** What a change is made with, for or out of, where a noun follows: `removeFromCart`, and not `cancel_by`. */
const WITH_OBJECT = set("by for from into to with");

/**
 * The verb by which a name reads like a change, or null: a label, or the end of a path. `nouns` are
 * words that name things in this catalog.
 */
export function changeInName(name: string, nouns: ReadonlySet<string>): string | null {
  const [first = "", second, third] = wordsOfText(name);
  if (nouns.has(first)) return null;
  if (second === undefined) return CHANGES.has(first) || ALONE.has(first) ? first : null;
  // `findOrCreate`, `getAndDelete`
  if (READS.has(first) && (second === "or" || second === "and"))
    return third !== undefined && ALL_CHANGES.has(third) ? third : null;
  if (WITH_OBJECT.has(second) && third !== undefined) return CHANGES.has(first) ? first : null;
  if (COMPOUNDS.has(second) || PREPOSITIONS.has(second) || READS.has(second)) return null;
  return CHANGES.has(first) ? first : null;
}

/**
 * Whether a name of several words begins with a verb of reading or of change: `getText`, `movePad`; "either" where that
 * may be a noun as well (`openOrders`), null for any other name. Only where an API calls all it does so is `open` no noun.
 */
export function verbInCall(name: string): "reads" | "changes" | "either" | null {
  const [verb = "", object] = wordsOfText(name);
  if (object === undefined) return null;
  if (READS.has(verb)) return changeInName(name, new Set()) === null ? "reads" : "changes";
  if (!ALL_CHANGES.has(verb)) return null;
  // `addToCart`, `markAsRead`, `clearAllItems`: a noun is followed by none of these.
  if (object === "to" || object === "as" || DETERMINERS.has(object)) return "changes";
  const isNoun = COMPOUNDS.has(object) || PREPOSITIONS.has(object) || READS.has(object);
  return isNoun ? null : CHANGES.has(verb) || FIRM.has(verb) ? "changes" : "either";
}

function changeAtStart(sentence: string, nouns: ReadonlySet<string>): string | null {
  const [first = "", second = ""] = wordsOfText(sentence);
  const verb = verbOf(first, ALL_CHANGES);
  if (verb === null || (PERFORMS.has(verb.base) && READINGS.test(sentence))) return null;
  if (DETERMINERS.has(second)) return first;
  if (!CHANGES.has(verb.base) || nouns.has(first)) return null;
  if (COMPOUNDS.has(second) || PREPOSITIONS.has(second)) return null;
  // "Sends" alone, and "Sends per day", may be a figure.
  return verb.third && second === "" ? null : first;
}

/** "Gets the next message and removes it": a read that goes on with a change. */
function changeBehindRead(sentence: string): string | null {
  const [first = ""] = wordsOfText(sentence);
  const read = verbOf(first, READS);
  if (read === null) return null;
  for (const [, word = "", object = ""] of sentence.matchAll(
    /\b(?:and|then)\s+(?:(?:then|also|immediately)\s+)?([a-z]+)\s+([a-z]+)\b/gi,
  )) {
    const change = verbOf(word.toLowerCase(), ALL_CHANGES);
    if (change === null || change.third !== read.third) continue;
    const named = object.toLowerCase();
    if (/^(?:it|them)$/.test(named) || (change.third && DETERMINERS.has(named))) return word;
  }
  return null;
}

/** The verb by which a description reads like a change, or null. */
export function changeInText(description: string, nouns: ReadonlySet<string>): string | null {
  for (const sentence of description.split(/(?<=[.;!?])\s+/)) {
    const found = changeAtStart(sentence, nouns) ?? changeBehindRead(sentence);
    if (found !== null) return found.toLowerCase();
  }
  return null;
}

/** Whether some words say that a request with a body is a search or another read. */
const signsOfRead = (words: readonly string[]): boolean =>
  words.some((word) => SEARCH_SIGNS.has(word) || verbOf(word, READS) !== null);
