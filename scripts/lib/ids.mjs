import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root, sourceFiles } from "./workspace.mjs";

const REQUIREMENT =
  /(?<![\w-])(?:TEACH|SESS|OPS|GRAFT|SURF|LANG|PLAN|ERR|CAT|MAP|RUN|SAV)-\d{1,3}(?![\w-])/g;
const CONFORMANCE = /(?<![\w-])C-\d{3}(?![\w-])/g;
const ACCEPTANCE = /(?<![\w-])[ABLDGPF][1-9]\d?(?![\w-])/g;

const read = (path) => readFileSync(join(root, path), "utf8");

/**
 * The ids that docs/spec defines, by kind, and those that it defines twice. A definition is an anchor,
 * `<a id="RUN-050"></a>`, in front of the requirement, the conformance row or the line of acceptance.md.
 */
export const definedIds = () => {
  const all = globSync("docs/spec/*.md", { cwd: root }).flatMap((path) =>
    [...read(path).matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id),
  );
  const matching = (pattern) => [...new Set(all)].filter((id) => id.replace(pattern, "") === "");
  return {
    requirements: matching(REQUIREMENT),
    conformance: matching(CONFORMANCE),
    acceptance: matching(ACCEPTANCE),
    twice: all.filter((id, at) => all.indexOf(id) !== at),
  };
};

/**
 * Ids that are cited, with the files that cite them: requirements anywhere in sources and pages, decision
 * records excepted; conformance ids in strings of tests and of conformance tables; acceptance ids, which are
 * short, only in the names of tests.
 */
export const citedIds = () => {
  const cited = new Map();
  const cite = (id, path) => {
    const paths = cited.get(id) ?? [];
    if (!paths.includes(path)) cited.set(id, [...paths, path]);
  };
  const pages = globSync(
    ["*.md", "docs/*.md", "docs/spec/*.md", "{packages,apps,catalogs}/*/README.md"],
    {
      cwd: root,
    },
  );
  for (const path of [...sourceFiles(), ...pages]) {
    const text = read(path);
    for (const [id] of text.matchAll(REQUIREMENT)) cite(id, path);
    if (/[.]test[.]ts$|conformance/.test(path) && path.endsWith(".ts"))
      for (const id of testIdsIn(path, text)) cite(id, path);
  }
  return cited;
};

const testIdsIn = (path, text) => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = new Set();
  const add = (pattern, words) => {
    for (const [id] of words.matchAll(pattern)) found.add(id);
  };
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) add(CONFORMANCE, node.text);
    if (ts.isCallExpression(node) && isTestCall(node)) {
      const [name] = node.arguments;
      if (name !== undefined) add(ACCEPTANCE, name.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** `test(…)`, `it.each(…)(…)`, `describe.each(rows)(…)`: the table of an each counts as a name, too. */
const isTestCall = ({ expression }) => /^(test|it|describe)\b/.test(expression.getText());
