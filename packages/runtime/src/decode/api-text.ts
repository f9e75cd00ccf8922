import type { Json, JsonObject } from "@plasm/core";
import { clip, isArray, isObject, isScalar } from "../base/json-kinds.ts";
import type { ResponseBody } from "./response-body.ts";

const LONGEST = 768;

const text = (value: Json | undefined): string =>
  isScalar(value) && value !== "" ? String(value) : "";

type Members = { readonly [key: string]: Json };

/** How deep messages are looked for in objects within objects. */
const DEEPEST = 4;

/** Keys whose text is a message, in the order in which they are told. */
const MESSAGES = [
  "message",
  "Message",
  "msg",
  "error_message",
  "errorMessage",
  "title",
  "detail",
  "description",
];
/** Keys of lists or maps of problems. */
const PROBLEMS = [
  "errors",
  "errorMessages",
  "details",
  "detail",
  "violations",
  "fieldViolations",
  "field_violations",
  "invalid_params",
  "invalid-params",
  "invalidParams",
];
/** Keys of words for programs, told beside a message. */
const REASONS = ["reason", "code", "type", "hint"];
/** Keys of where a problem lies. */
const PLACES = [
  "field",
  "param",
  "parameter",
  "pointer",
  "loc",
  "location",
  "property",
  "attribute",
];

const firstText = (object: Members, keys: readonly string[]): string => {
  for (const key of keys) {
    const said = Object.hasOwn(object, key) ? text(object[key]) : "";
    if (said !== "") return said;
  }
  return "";
};

/** Where a problem lies, as its item says it: a name, a JSON pointer or a path of keys. */
function placeText(item: Members): string {
  const { source } = item;
  const own = isObject(source) ? { ...source, ...item } : item;
  const { loc } = own;
  return isArray(loc) ? loc.map(text).join(".") : firstText(own, PLACES);
}

/** What an item of a list says: its message with its place and reason, or itself; else as JSON. */
function itemText(item: Json, depth: number): string {
  if (!isObject(item)) return text(item);
  const words = MESSAGES.map((key) => text(item[key]));
  const message = joined([...words.map((each) => [each]), ...problemTexts(item, depth)]);
  const { "@type": _type, ...rest } = item;
  if (message === "") return Object.keys(rest).length > 0 ? JSON.stringify(rest) : "";
  const place = placeText(item);
  const told = place === "" || says(message, place) ? message : `${place}: ${message}`;
  const reason = firstText(item, ["reason"]);
  return reason === "" || says(told, reason) ? told : `${told} (${reason})`;
}

/** Messages of problems: a map of field → problem, or a list of texts or objects. */
function problemsText(problems: Json | undefined, depth: number): readonly string[] {
  if (depth <= 0) return [];
  if (isArray(problems)) return problems.map((item) => itemText(item, depth - 1));
  if (!isObject(problems)) return [];
  return Object.entries(problems).map(([field, problem]) => {
    const said = isArray(problem)
      ? problem
          .map((each) => itemText(each, depth - 1))
          .filter(Boolean)
          .join(", ")
      : isObject(problem)
        ? itemText(problem, depth - 1)
        : text(problem);
    return said === "" ? "" : `${field}: ${said}`;
  });
}

const problemTexts = (object: Members, depth: number): readonly (readonly string[])[] =>
  PROBLEMS.map((key) => problemsText(Object.hasOwn(object, key) ? object[key] : undefined, depth));

const WORD = /[\p{L}\p{N}]/u;

/** Whether a text says these words already. */
function says(whole: string, words: string): boolean {
  const at = whole.indexOf(words);
  if (at < 0) return false;
  const after = whole[at + words.length] ?? " ";
  return !WORD.test(whole[at - 1] ?? " ") && !WORD.test(after);
}

/** Texts in groups as one, without what an earlier group says already: nothing is told twice. */
function joined(groups: readonly (readonly string[])[]): string {
  return groups.reduce((whole, group) => {
    const news = group.filter((each) => each !== "" && !says(whole, each)).join("; ");
    return whole === "" || news === "" ? whole + news : `${whole}: ${news}`;
  }, "");
}

/** Members that say nothing of a failure to who reads it, or that its status says already. */
const ASIDE =
  /^(status|status_?code|http_?status|timestamp|time|date|instance|path|request_?id|trace_?id|correlation_?id|documentation_url|ok|success|object)$/i;

/** A reason that is a word for programs; an address is told as a link. */
const isReason = (word: string): boolean => !/^(about:blank|https?:\/\/.*|\d+)$/i.test(word);

/** What an object says of a failure, of its own `error` object as well. */
function objectText(body: Json, depth = DEEPEST): string {
  if (!isObject(body)) return isScalar(body) ? text(body) : "";
  const { error } = body;
  const inner = isObject(error) && depth > 0 ? objectText(error, depth - 1) : text(error);
  const words = MESSAGES.map((key) => [text(body[key])]);
  const said = joined([
    ...words,
    ...problemTexts(body, depth),
    [inner],
    [text(body["error_description"])],
  ]);
  if (said === "") return "";
  const reasons = REASONS.map((key) => text(body[key])).filter((word) => word !== "");
  const news = reasons.filter((word) => isReason(word) && !says(said, word));
  return news.length === 0 ? said : `${said} (${news.join(", ")})`;
}

/** Members of a problem document that no sentence of it repeats, as JSON (RFC 9457, section 3.2). */
function extensionText(body: Json): string {
  if (!isObject(body)) return "";
  const isPlain = ["message", "error", "errors"].some((key) => Object.hasOwn(body, key));
  if (isPlain && text(body["title"]) === "") return "";
  const known = new Set([...MESSAGES, ...PROBLEMS, ...REASONS, "error", "error_description"]);
  const rest = Object.entries(body).filter(([key]) => !known.has(key) && !ASIDE.test(key));
  return rest.length === 0 ? "" : JSON.stringify(Object.fromEntries(rest));
}

/** What an object says, with what no sentence of it repeats; nothing if it has no sentence. */
function toldWithRest(body: Json): string {
  const said = objectText(body);
  const rest = said === "" ? "" : extensionText(body);
  return rest === "" ? said : `${said} ${rest}`;
}

/** Where more is said: a link to documentation, or the type of a problem. */
function linkText(body: Json): string {
  if (!isObject(body)) return "";
  const link = text(body["documentation_url"]);
  const type = text(body["type"]);
  return link !== "" || !/^https?:\/\//i.test(type) ? link : type;
}

/**
 * What an API says about its failure (RUN-039): its message with reasons and details, a problem document
 * (RFC 9457) too, or the text or JSON itself; controls stripped, whitespace collapsed, secrets redacted, at
 * most 768 characters. Null if it says nothing.
 */
export function apiText(body: Json, redact: (text: string) => string): string | null {
  const said = isArray(body) ? joined([problemsText(body, DEEPEST)]) : toldWithRest(body);
  const whole = said !== "" || body === null ? said : isScalar(body) ? "" : JSON.stringify(body);
  const link = linkText(body);
  const linked = link === "" ? whole : `${whole} (${link})`;
  // Redacted before it is cut: half a secret would not be recognised.
  const clean = redact(cleanApiText(linked).replace(/\s+/g, " ").trim());
  return clean === "" ? null : clip(clean, LONGEST);
}

/** Control characters except tab and newline, C1 included (RUN-143). */
// oxlint-disable-next-line no-control-regex -- naming them is the point
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const ALL_CONTROLS = new RegExp(CONTROLS, "g");

/** API text as data: without control characters except tab and newline (RUN-143). */
export function cleanApiText(text: string): string {
  return CONTROLS.test(text) ? text.replace(ALL_CONTROLS, "") : text;
}

/** The same for every text inside a JSON value; the value itself if there is nothing to remove. */
export function cleanJson(value: Json): Json {
  if (typeof value === "string") return cleanApiText(value);
  if (isArray(value)) return cleanList(value);
  if (isObject(value)) return cleanObject(value);
  return value;
}

function cleanList(list: readonly Json[]): readonly Json[] {
  let cleaned: Json[] | null = null;
  let at = 0;
  for (const item of list) {
    const clean = cleanJson(item);
    if (clean !== item) cleaned ??= list.slice(0, at);
    cleaned?.push(clean);
    at += 1;
  }
  return cleaned ?? list;
}

function cleanObject(value: JsonObject): JsonObject {
  const names = Object.keys(value);
  let cleaned: [string, Json][] | null = null;
  let at = 0;
  for (const name of names) {
    const member = value[name] ?? null;
    const clean = cleanJson(member);
    const cleanName = cleanApiText(name);
    if (clean !== member || cleanName !== name) cleaned ??= Object.entries(value).slice(0, at);
    cleaned?.push([cleanName, clean]);
    at += 1;
  }
  return cleaned === null ? value : Object.fromEntries(cleaned);
}

/** Bytes or characters of a body that is no JSON, of which its text is made. */
const MOST = 4096;

/** What an API says in a body of any kind, cleaned and redacted; null where it says nothing (RUN-039). */
export function bodyText(body: ResponseBody, redact: (text: string) => string): string | null {
  switch (body.kind) {
    case "json":
      return apiText(body.value, redact);
    case "markup":
      return apiText(markupText(body.text), redact);
    case "broken":
      return apiText(body.text.slice(0, MOST), redact);
    case "other":
      return body.mediaType.startsWith("text/")
        ? apiText(new TextDecoder().decode(body.bytes.slice(0, MOST)), redact)
        : null;
    case "file":
      return null;
  }
}

const LONGEST_MARKUP = 64 * 1024;

/** Elements whose content is no text. */
const CODE = /^<(script|style)\b/i;
const CODE_NAME = "<script".length;

/**
 * Markup as the words in it, for errors that an API answers as a page. One pass: what is never closed costs
 * no more than what is.
 */
export function markupText(markup: string): string {
  const text = markup.slice(0, LONGEST_MARKUP);
  const lower = text.toLowerCase();
  const unclosed = new Set<string>();
  /** Where the end tag of an element begins, or where it stands if there is none. */
  const endOf = (name: string, from: number): number => {
    const end = unclosed.has(name) ? -1 : lower.indexOf(`</${name}>`, from);
    if (end < 0) unclosed.add(name);
    return end < 0 ? from : end;
  };
  const words: string[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf("<", at);
    const close = open < 0 ? -1 : text.indexOf(">", open);
    if (close < 0) return [...words, text.slice(at)].join(" ");
    words.push(text.slice(at, open));
    const [, name] = CODE.exec(text.slice(open, open + CODE_NAME + 1)) ?? [];
    at = name === undefined ? close + 1 : endOf(name.toLowerCase(), close + 1);
  }
}
