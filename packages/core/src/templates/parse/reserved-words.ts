const RESERVED: ReadonlySet<string> = new Set([
  "and",
  "or",
  "not",
  "in",
  "is",
  "if",
  "elif",
  "else",
  "for",
  "set",
  "true",
  "True",
  "false",
  "False",
  "none",
  "None",
]);

/** Whether a word belongs to the template language, so that no value can have it as its name. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word);
}
