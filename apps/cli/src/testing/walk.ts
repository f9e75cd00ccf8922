/** A part of a page that a reader acts on: a file to write, or a command with what it answers. */
type Part =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "command"; readonly line: string; readonly answer: string };

const FENCE =
  /^(`{3,})(console|(?:yaml|json|ini|plasm) \S+\.(?:yaml|json|env|plasm))\n([^]*?)^\1$/gm;

/** The commands of a `console` block: `$ ` begins one, a `\` at the end of a line goes on. */
function commandsOf(block: string): readonly Part[] {
  const [before = "", ...sessions] = block.split(/^\$ /m);
  if (before !== "") throw new Error(`This begins with no command: ${before}`);
  return sessions.map((session) => {
    const [, line = "", answer = ""] = /^((?:.*\\\n)*.*)\n([^]*)$/.exec(session) ?? [];
    return { kind: "command", line, answer };
  });
}

/** The `console` blocks of a page and the files it shows with their path, in their order. */
export const partsOf = (page: string): readonly Part[] =>
  [...page.matchAll(FENCE)].flatMap(([, , kind = "", body = ""]) =>
    kind === "console"
      ? commandsOf(body)
      : [{ kind: "file" as const, path: kind.split(" ")[1] ?? "", text: body }],
  );

const CHANGING = [
  [/…/g, "[^]*"],
  [/sha256:[0-9a-f]+/g, "sha256:[0-9a-f]+"],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "[0-9a-f-]{36}"],
  [/\b(?=[a-f]*\d)[0-9a-f]{16,}\b/g, "[0-9a-f]+"],
  // The point is escaped by now.
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\\\.\d+)?Z/g, "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z"],
] as const;

/** What an answer of a page matches: ids and times are others at each run, and `…` stands for anything. */
export function answerPattern(answer: string): RegExp {
  const escaped = answer.trimEnd().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const source = CHANGING.reduce((text, [found, instead]) => {
    return text.replaceAll(found, () => instead);
  }, escaped);
  return new RegExp(`^${source}\\s*$`);
}
