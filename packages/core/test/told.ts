import { parseProgram } from "../src/language/grammar/parse.ts";

/** A program, and all that its errors say, each as one text: `code at «marked»: message [correction] → suggestion`. */
export type ToldRow = readonly [program: string, ...errors: string[]];

/** What is told of a text's mistakes of text and syntax, without names and types. */
export function toldOf(program: string): readonly string[] {
  return parseProgram(program).errors.map((error) => {
    const { code, span, message, correction, suggestedProgram: suggests } = error;
    const marked = program.slice(span.start, span.end);
    return `${code} at «${marked}»: ${message} [${correction}]${(suggests ?? null) === null ? "" : ` → ${suggests}`}`;
  });
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Every node of a program's tree, outer before inner, as `Kind «its text»`; throws if it has errors. */
export function nodesTold(program: string): readonly string[] {
  const { program: tree, errors } = parseProgram(program);
  if (errors.length > 0) throw new Error(`${program} has errors.`);
  const told: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { kind, span } = value as { kind?: string; span?: Place };
    if (span !== undefined) told.push(`${kind ?? "part"} «${program.slice(span.start, span.end)}»`);
    for (const [key, child] of Object.entries(value)) if (key !== "span") visit(child);
  };
  visit(tree);
  return told;
}
