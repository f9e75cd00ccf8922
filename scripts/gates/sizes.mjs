/**
 * Files: none over 500 lines. Functions: over 60 lines is a warning, over 100 a failure; bodies given to describe()
 * are lists of tests and do not count. Fragments and names exported by more than one file only become fewer: lower
 * their limits here when they do.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { readHouse } from "../house/read-house.mjs";
import { root, sourceFiles } from "../lib/workspace.mjs";

const limits = { file: 500, warnFunction: 60, failFunction: 100, fragments: 3, doubled: 10 };

const isFunction = (node) =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isConstructorDeclaration(node) ||
  ts.isAccessor(node);

const isDescribeBody = ({ parent }) =>
  ts.isCallExpression(parent) && /^describe\b/.test(parent.expression.getText());

const nameOf = (node) =>
  node.name?.getText() ??
  (ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent)
    ? node.parent.name.getText()
    : "(anonymous)");

const longFunctions = (path, text) => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found = [];
  const visit = (node) => {
    if (isFunction(node) && !isDescribeBody(node)) {
      const first = lineOf(node.getStart());
      const lines = lineOf(node.end) - first + 1;
      if (lines > limits.warnFunction)
        found.push({ place: `${path}:${first}`, name: nameOf(node), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

const files = sourceFiles().map((path) => {
  const text = readFileSync(join(root, path), "utf8");
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return { path, lines, functions: longFunctions(path, text) };
});

const sorted = files.map(({ lines }) => lines).toSorted((a, b) => a - b);
const percentile = (share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
const house = readHouse();
const functions = files.flatMap((file) => file.functions).toSorted((a, b) => b.lines - a.lines);
const tell = ({ place, name, lines }) => `${place} ${name}: ${lines} lines`;

const failures = [
  ...(files.length === 0 ? ["no source file seen"] : []),
  ...(house.fragments.length > limits.fragments
    ? [
        `${house.fragments.length} fragments, at most ${limits.fragments}; put one into its importer:`,
        ...house.fragments.map(({ path, importer }) => `  ${path}, imported by ${importer} alone`),
      ]
    : []),
  ...(house.doubled.length > limits.doubled
    ? [
        `${house.doubled.length} names exported by more than one file, at most ${limits.doubled}: \`pnpm house --list\` names them`,
      ]
    : []),
  ...files
    .filter(({ lines }) => lines > limits.file)
    .map(({ path, lines }) => `${path}: ${lines} lines, at most ${limits.file}`),
  ...functions
    .filter(({ lines }) => lines > limits.failFunction)
    .map((found) => `${tell(found)}, at most ${limits.failFunction}`),
];
const warnings = functions.filter(({ lines }) => lines <= limits.failFunction);

for (const found of warnings)
  console.log(`warning: ${tell(found)}, better at most ${limits.warnFunction}`);
for (const failure of failures) console.log(failure);
console.log(
  `${files.length} files, median ${percentile(0.5)}, 90th percentile ${percentile(0.9)}, longest ${sorted.at(-1) ?? 0} lines`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
