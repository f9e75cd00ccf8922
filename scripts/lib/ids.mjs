import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root, sourceFiles } from "./workspace.mjs";

/** Ids of the conformance table and of the acceptance list. */
export const knownIds = () =>
  JSON.parse(readFileSync(join(root, "e2e/src/acceptance/ids.json"), "utf8"));

/**
 * Ids cited by tests with the files that cite them. Conformance ids count in any string of a test or of
 * a table of conformance rows; acceptance ids, which are short, only in the name of a test.
 */
export const citedIds = () => {
  const cited = new Map();
  for (const path of sourceFiles().filter((file) => /[.]test[.]ts$|conformance/.test(file))) {
    for (const id of idsIn(path)) cited.set(id, [...(cited.get(id) ?? []), path]);
  }
  return cited;
};

const conformanceId = /(?<![\w-])C-\d{3}(?![\w-])/g;
const acceptanceId = /(?<![\w-])[ABLDGPF][1-9]\d?(?![\w-])/g;

const idsIn = (path) => {
  const text = readFileSync(join(root, path), "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = new Set();
  const add = (pattern, words) => {
    for (const [id] of words.matchAll(pattern)) found.add(id);
  };
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) add(conformanceId, node.text);
    if (ts.isCallExpression(node) && isTestCall(node)) {
      const [name] = node.arguments;
      if (name !== undefined) add(acceptanceId, name.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** `test(…)`, `it.each(…)(…)`, `describe.each(rows)(…)`: the table of an each counts as a name, too. */
const isTestCall = ({ expression }) => /^(test|it|describe)\b/.test(expression.getText());
