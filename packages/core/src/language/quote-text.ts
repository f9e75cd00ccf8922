const NAMED: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
  "\b": "\\b",
  "\f": "\\f",
  "\\": "\\\\",
  '"': '\\"',
};

/** A text as a STRING in double quotes (LANG-006); everything but controls, `"` and `\` stands as it is. */
export function quoteText(text: string): string {
  return `"${text.replace(/[\p{Cc}\\"]/gu, escapeOf)}"`;
}

/** The escape of one character: a named one, else `\uXXXX`. */
export function escapeOf(char: string): string {
  return NAMED[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
