import { quoteText } from "./quote-text.ts";
import { runKind } from "./value-run.ts";
import type { Json } from "../values/json.ts";

const LITERALS = new Set(["true", "false", "null"]);
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * An option as a program writes it: bare where that is one token, else quoted, invisible characters
 * escaped. So a select value never breaks a cell and is never cut (TEACH-13, TEACH-23).
 */
export function optionText(option: string): string {
  return isBare(option) ? option : quoteText(option).replaceAll(INVISIBLE, escaped);
}

/** A wire value as a program writes it: the discriminator of a variant (TEACH-18). */
export function wireText(value: Json): string {
  return typeof value === "string" ? optionText(value) : JSON.stringify(value);
}

function isBare(option: string): boolean {
  if (LITERALS.has(option)) return false;
  const kind = runKind(option);
  return kind === "word" || kind === "number" || kind === "date" || kind === "uuid";
}

function escaped(char: string): string {
  return Array.from({ length: char.length }, (_, at) => {
    return `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }).join("");
}
