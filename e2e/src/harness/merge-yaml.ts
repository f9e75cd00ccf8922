interface Section {
  readonly head: string;
  readonly body: readonly string[];
}

const depth = (line: string): number => line.length - line.trimStart().length;

/** Lines as sections: each line of the least depth with those below it. */
function sections(lines: readonly string[]): readonly Section[] {
  const found: { head: string; body: string[] }[] = [];
  const least = Math.min(...lines.map(depth));
  for (const line of lines) {
    if (depth(line) === least) found.push({ head: line, body: [] });
    else found.at(-1)?.body.push(line);
  }
  return found;
}

const keyOf = ({ head }: Section): string => head.trim().split(":", 1)[0] ?? "";

function merge(lines: readonly string[], more: readonly string[]): readonly string[] {
  if (lines.length === 0) return more;
  const merged = new Map(sections(lines).map((section) => [keyOf(section), section]));
  for (const added of sections(more)) {
    const known = merged.get(keyOf(added));
    const body = known === undefined ? added.body : merge(known.body, added.body);
    merged.set(keyOf(added), { head: added.head, body });
  }
  return [...merged.values()].flatMap(({ head, body }) => [head, ...body]);
}

/** A file of block maps with the entries of another added at their places, as a reader does it by hand. */
export function mergeYaml(file: string, added: string): string {
  const lines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
  return `${merge(lines(file), lines(added)).join("\n")}\n`;
}
