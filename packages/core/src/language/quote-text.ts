const NAMED: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
  "\b": "\\b",
  "\f": "\\f",
  "\\": "\\\\",
  '"': '\\"',
};

/** Controls, signs that change the order in which others are shown, `"` and `\`. */
const ACTING = /[\p{Cc}\\"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * A text as a STRING in double quotes (LANG-006), as plans and suggestions show it: no character of it
 * acts, the rest stands as it is.
 */
export function quoteText(text: string): string {
  return `"${text.replace(ACTING, escapeOf)}"`;
}

/** The escape of one character: a named one, else `\uXXXX`. */
export function escapeOf(char: string): string {
  return NAMED[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
