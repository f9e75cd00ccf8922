const TOKEN = /"(?:[^"\\]|\\[^])*"?|[{}[\],]/g;

const keyOf = (token: string): string =>
  token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);

/**
 * The first name that an object of a JSON text has twice, at any depth; null if there is none. Parsers take
 * the last of the two silently. The text must be JSON.
 */
export function repeatedMember(text: string): string | null {
  /** the names seen in each object around, null for a list */
  const around: (Set<string> | null)[] = [];
  let isName = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const names = around.at(-1) ?? null;
    switch (token) {
      case "{":
        around.push(new Set());
        isName = true;
        break;
      case "[":
        around.push(null);
        isName = false;
        break;
      case "}":
      case "]":
        around.pop();
        isName = false;
        break;
      case ",":
        isName = names !== null;
        break;
      default: {
        if (!isName || names === null) break;
        const name = keyOf(token);
        if (names.has(name)) return name;
        names.add(name);
        isName = false;
      }
    }
  }
  return null;
}
