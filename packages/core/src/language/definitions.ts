import type { Program, ProgramNode } from "./grammar/ast.ts";

/** A saved program that a program calls, as the calling text carries it (SAV-13). */
export interface ProgramDefinition {
  readonly name: string;
  /** hash of what it is: plan and catalogs */
  readonly version: string;
  /** the labels that a call may give other values */
  readonly parameters: readonly string[];
  /** the entities that it is planned with */
  readonly seeds: readonly { readonly api: string; readonly entity: string }[];
  readonly program: string;
}

const HEAD = /^;;: s\.([a-z][a-z0-9_]*) ([0-9a-f]{1,64}) \(([^()]*)\) ?(.*)$/u;
const LINE = ";;| ";

const listOf = (text: string): readonly string[] => (text === "" ? [] : text.split(", "));

function seedOf(text: string): ProgramDefinition["seeds"][number] {
  const at = text.lastIndexOf(".");
  return { api: text.slice(0, at), entity: text.slice(at + 1) };
}

/** Definitions as comments, which stand behind all that a program says: so its text alone is all that its plan is made of. */
export const definitionsText = (definitions: Iterable<ProgramDefinition>): string =>
  [...definitions]
    .map(({ name, version, parameters, seeds, program }) =>
      [
        `;;: s.${name} ${version} (${parameters.join(", ")}) ${seeds.map(({ api, entity }) => `${api}.${entity}`).join(", ")}`,
        ...program.split("\n").map((line) => LINE + line),
      ].join("\n"),
    )
    .join("\n");

/** A text as its author wrote it, and the definitions behind it. */
export interface DefinedProgram {
  readonly written: string;
  readonly definitions: ReadonlyMap<string, ProgramDefinition>;
}

const NONE: DefinedProgram["definitions"] = new Map();

/**
 * Reads the definitions at the end of a text. Only lines that nothing but their like follows are any: inside a heredoc, such a line
 * has the closing tag below it.
 */
export function readDefinitions(text: string): DefinedProgram {
  if (!text.includes(";;: s.")) return { written: text, definitions: NONE };
  const lines = text.split("\n");
  let first = lines.length;
  while (first > 0 && /^;;(?:\||: s\.)/u.test(lines[first - 1] ?? "")) first -= 1;
  while (first < lines.length && !HEAD.test(lines[first] ?? "")) first += 1;
  const definitions = new Map<string, ProgramDefinition>();
  for (let at = first; at < lines.length;) {
    const [, name = "", version = "", parameters = "", seeds = ""] =
      HEAD.exec(lines[at] ?? "") ?? [];
    const body: string[] = [];
    for (at += 1; at < lines.length && !HEAD.test(lines[at] ?? ""); at += 1)
      body.push((lines[at] ?? "").slice(LINE.length));
    definitions.set(name, {
      name,
      version,
      parameters: listOf(parameters),
      seeds: listOf(seeds).map(seedOf),
      program: body.join("\n"),
    });
  }
  return { written: lines.slice(0, first).join("\n").trimEnd(), definitions };
}

/** The saved programs that a program calls, each once: none where it binds the label that calls begin with (SAV-13). */
export function calledPrograms({ statements }: Program): readonly string[] {
  const names = new Set<string>();
  const look = (node: ProgramNode): void => {
    if (node.kind === "Map") {
      look(node.chain);
      if (node.body.kind === "Chain") look(node.body);
      return;
    }
    if (node.kind !== "Chain" || node.source.kind !== "NameSource") return;
    const [first] = node.steps;
    if (node.source.name.text === "s" && first?.kind === "Call") names.add(first.name.text);
  };
  for (const one of statements) {
    if (one.kind === "Binding" && one.label.text === "s") return [];
    if (one.kind === "Binding" && one.node.kind !== "Data") look(one.node);
    if (one.kind === "Roots") one.nodes.forEach(look);
  }
  return [...names];
}
