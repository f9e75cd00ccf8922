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
