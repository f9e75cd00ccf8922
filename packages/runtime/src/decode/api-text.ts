import type { Json } from "@plasm/core";
import { cleanText } from "./clean-text.ts";
import { clip, hasMember, isArray, isObject, isScalar } from "../json-kinds.ts";

const LONGEST = 768;

const text = (value: Json | undefined): string =>
  isScalar(value) && value !== "" ? String(value) : "";

/** What an item of a list says: its message, or itself; an object without message as JSON. */
function itemText(item: Json): string {
  const message = hasMember(item, "message") ? text(item["message"]) : "";
  if (message !== "") return message;
  return isObject(item) && Object.keys(item).length > 0 ? JSON.stringify(item) : text(item);
}

/** Messages of `errors`: a map of field → problem, or a list of texts or objects. */
function errorTexts(errors: Json | undefined): readonly string[] {
  if (isArray(errors)) return errors.map(itemText);
  if (!isObject(errors)) return [];
  return Object.entries(errors).map(([field, problem]) => {
    const said = isArray(problem) ? problem.map(text).filter(Boolean).join(", ") : text(problem);
    return said === "" ? "" : `${field}: ${said}`;
  });
}

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

function objectText(body: Json): string {
  if (!isObject(body)) return isScalar(body) ? text(body) : "";
  const error = body["error"];
  return joined([
    [text(body["message"])],
    errorTexts(isArray(body["errorMessages"]) ? body["errorMessages"] : undefined),
    errorTexts(body["errors"]),
    [isObject(error) ? text(error["message"]) : text(error)],
    [text(body["error_description"])],
  ]);
}

/**
 * What an API says about its failure (RUN-039): its message, or the text or JSON itself; controls
 * stripped, whitespace collapsed, secrets redacted, at most 768 characters. Null if it says nothing.
 */
export function apiText(body: Json, redact: (text: string) => string): string | null {
  const said = objectText(body);
  const whole = said !== "" || body === null ? said : isScalar(body) ? "" : JSON.stringify(body);
  const link = hasMember(body, "documentation_url") ? text(body["documentation_url"]) : "";
  const linked = link === "" ? whole : `${whole} (${link})`;
  // Redacted before it is cut: half a secret would not be recognised.
  const clean = redact(cleanText(linked).replace(/\s+/g, " ").trim());
  return clean === "" ? null : clip(clean, LONGEST);
}
