/** What a character is called in messages: U+ and at least four hex digits. */
export function codePointName(text: string, at: number): string {
  const value = text.codePointAt(at) ?? 0;
  return `U+${value.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The length in code units of the code point at an offset. */
export function pointLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

const STRANGE_BLANK = /[\p{Zs}\p{Zl}\p{Zp}\p{Cc}\p{Cf}]/u;

/** Whether a character outside the grammar is invisible: blanks of Unicode, controls, format marks. */
export function isInvisible(text: string, at: number): boolean {
  return STRANGE_BLANK.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

/** Whether the invisible character takes room, so that a plain blank stands for it. */
export function takesRoom(text: string, at: number): boolean {
  return !/\p{Cf}/u.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

const PLAIN: Readonly<Record<string, string>> = {
  "“": '"',
  "”": '"',
  "„": '"',
  "‟": '"',
  "«": '"',
  "»": '"',
  "″": '"',
  "‘": "'",
  "’": "'",
  "‚": "'",
  "‛": "'",
  "′": "'",
  "`": "'",
  "–": "-",
  "—": "-",
  "−": "-",
  "‐": "-",
  "‑": "-",
  "…": "..",
  "≠": "!=",
  "≥": ">=",
  "≤": "<=",
  "→": "=>",
  "⇒": "=>",
  "≈": "~",
};

/** The plain character that a typographic one stands for, or null. */
export function plainCharacter(point: string): string | null {
  const value = point.codePointAt(0) ?? 0;
  if (value >= 0xff01 && value <= 0xff5e) return String.fromCodePoint(value - 0xfee0);
  return PLAIN[point] ?? null;
}

/** Whether a character is a typographic quote, or a backtick used as one. */
export function isStrangeQuote(point: string): boolean {
  const plain = plainCharacter(point);
  return plain === '"' || plain === "'";
}

/**
 * Where text in typographic quotes ends that begins with one at `start`: behind the next such quote of its
 * line, or null if none follows.
 */
export function strangeQuotedEnd(text: string, start: number): number | null {
  const quote = plainCharacter(text[start] ?? "");
  if (quote !== '"' && quote !== "'") return null;
  for (let at = start + 1; at < text.length && text[at] !== "\n"; at++) {
    if (plainCharacter(text[at] ?? "") === quote) return at + 1;
  }
  return null;
}

/** The closing bracket of an opening one. */
export const CLOSER: Readonly<Record<"(" | "[" | "{", ")" | "]" | "}">> = {
  "(": ")",
  "[": "]",
  "{": "}",
};
