/** How many characters (code points) a text has; half a surrogate pair counts as one. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) if (isPair(text, at - 1)) count--;
  return count;
}

/** The character of a text by its number from 0, or from the end as -1, -2; undefined if there is none. */
export function characterAt(text: string, number: number): string | undefined {
  let at = number < 0 ? text.length : 0;
  for (let left = number; left > 0 && at < text.length; left--) at += isPair(text, at) ? 2 : 1;
  for (let left = number; left < 0 && at >= 0; left++) at -= isPair(text, at - 2) ? 2 : 1;
  if (at < 0 || at >= text.length) return undefined;
  return text.slice(at, at + (isPair(text, at) ? 2 : 1));
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
