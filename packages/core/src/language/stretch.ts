/**
 * Where unquoted text ends that begins at `start`: before the next `,` or closing bracket outside
 * brackets of its own, a comment or the line end, without blanks at its end (LANG-007).
 */
export function stretchEnd(text: string, start: number): number {
  const open: string[] = [];
  let at = start;
  for (; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === "\n" || (char === ";" && text[at + 1] === ";")) break;
    if (open.length === 0 && char === ",") break;
    const closer = CLOSER[char];
    if (closer !== undefined) open.push(closer);
    else if (")]}".includes(char) && open.pop() !== char) break;
  }
  return trimEnd(text, start, at);
}

const CLOSER: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/**
 * Where unquoted search text ends: as {@link stretchEnd}, but also before any bracket, `=>` or `<<`, and
 * before the step whose `(` ends it.
 */
export function searchStretchEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[,()[\]{}\n;]/.test(text[at] ?? "") && !opensBody(text, at)) at++;
  if (text[at] === "(") {
    const step = /[ \t]*\.[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]*$/.exec(
      text.slice(Math.max(start, at - 200), at),
    );
    if (step !== null && at - step[0].length > start) at -= step[0].length;
  }
  return trimEnd(text, start, at);
}

function opensBody(text: string, at: number): boolean {
  return text.startsWith("=>", at) || text.startsWith("<<", at);
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[ \t\r]/.test(text[at - 1] ?? "")) at--;
  return at;
}
