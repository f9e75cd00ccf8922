import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The folder of the repository. */
const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

interface TextNode extends ts.Node {
  readonly text: string;
}

/** A literal, or a piece of a template between its values. */
export const isAnyText = (node: ts.Node): node is TextNode =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node);

/**
 * Every text that stands in the sources of suites, once each, in their order: what tests send as programs is
 * among them. `folders` are those of the repository; `isSuite` says by its name which file is one.
 */
export function suiteTexts(
  folders: readonly string[],
  isSuite: (name: string) => boolean,
  isText: (node: ts.Node) => node is TextNode = ts.isStringLiteralLike,
): readonly string[] {
  const found = new Set<string>();
  for (const folder of folders) {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
    for (const name of names.filter(isSuite).toSorted()) {
      const file = join(ROOT, folder, name);
      const visit = (node: ts.Node): void => {
        if (isText(node)) found.add(node.text);
        node.forEachChild(visit);
      };
      ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest).forEachChild(
        visit,
      );
    }
  }
  return [...found];
}
