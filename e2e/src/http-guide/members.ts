/** Values by the name of their member: of each name the last one that an answer had. */
export type Members = ReadonlyMap<string, string>;

function collect(value: unknown, found: Map<string, string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === "string") found.set(name, one);
    else collect(one, found);
  }
}

/** The members of an answer in JSON, and of those before it. */
export function membersWith(known: Members, text: string): Members {
  const found = new Map(known);
  if (/^[{[]/.test(text) && !text.includes("}\n{")) collect(JSON.parse(text), found);
  return found;
}

/** A text with `$NAME` and `{member}` replaced by what they stand for. Throws for a member that no answer had. */
export const filled = (
  text: string,
  keys: Readonly<Record<string, string>>,
  members: Members,
): string =>
  text
    .replaceAll(/\$([A-Z_]+)/g, (whole, name: string) => keys[name] ?? whole)
    .replaceAll(/\{([a-z]+(?:_[a-z]+)+)\}/g, (_whole, name: string) => {
      const value = members.get(name);
      if (value === undefined) throw new Error(`No answer had a member ${name}`);
      return value;
    });
