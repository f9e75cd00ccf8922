import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** A JSON Schema of the document, or any other object of it; may be a `$ref` to one. */
export type Part = { readonly [name: string]: unknown };

export interface OfficialDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Part>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Part>>>>;
}

export interface CorrectedDocument {
  readonly document: OfficialDocument;
  /** in how many places `nullable` was taken away */
  readonly corrections: number;
}

/**
 * Takes `nullable: true` away where no `type` stands beside it, and counts the places: OpenAPI 3.0 gives it
 * no meaning there, and Prism then checks no body of the operation, without a word.
 */
function correct(part: unknown): number {
  if (typeof part !== "object" || part === null) return 0;
  const inner = Object.values(part).reduce((sum: number, each) => sum + correct(each), 0);
  if (!("nullable" in part) || part.nullable !== true || "type" in part) return inner;
  delete part.nullable;
  return inner + 1;
}

const EXAMPLES = "#/components/examples/";

/** Puts values in the place of references to whole examples, which stand where a value should. */
function valuesOfExamples(
  part: unknown,
  { components }: Pick<OfficialDocument, "components">,
): void {
  if (typeof part !== "object" || part === null) return;
  for (const each of Object.values(part)) valuesOfExamples(each, { components });
  if (!("value" in part) || typeof part.value !== "object" || part.value === null) return;
  const { $ref } = part.value as { readonly $ref?: unknown };
  if (typeof $ref !== "string" || !$ref.startsWith(EXAMPLES)) return;
  part.value = components["examples"]?.[$ref.slice(EXAMPLES.length)]?.["value"];
}

/** GitHub's own OpenAPI document as it publishes it, corrected. */
export function officialDocument(): CorrectedDocument {
  const home = dirname(require.resolve("@octokit/openapi/package.json"));
  const text = readFileSync(join(home, "generated/api.github.com.json"), "utf8");
  const document = JSON.parse(text) as OfficialDocument;
  valuesOfExamples(document.paths, document);
  return { document, corrections: correct(document) };
}
