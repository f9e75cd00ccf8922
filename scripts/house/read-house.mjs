import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { root, sourceFiles } from "../lib/workspace.mjs";

/** A fragment is a file with one export, at most so many lines of code, and one importer. */
const FRAGMENT_LINES = 25;

const isProduct = (path) =>
  /^(packages|apps|plugins)\/[^/]+\/src\/.*\.ts$/.test(path) &&
  !/\.test\.ts$|\/testing\/|^packages\/testkit\/|^apps\/sample-apis\//.test(path);

const exportedNames = (source) =>
  source.statements.flatMap((statement) => {
    if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    return statement.name === undefined ? [] : [statement.name.text];
  });

/** Lines that hold something other than imports, comments and blanks. */
const codeLines = (source) => {
  const lines = new Set();
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) return;
    if (node.getChildCount() > 0) node.getChildren().forEach(visit);
    else if (node.getWidth() > 0 && node.kind < ts.SyntaxKind.FirstJSDocNode) {
      const [first, last] = [node.getStart(), node.end].map(
        (at) => source.getLineAndCharacterOfPosition(at).line,
      );
      for (let line = first; line <= last; line += 1) lines.add(line);
    }
  };
  source.statements.forEach(visit);
  return lines.size;
};

const readFile = (path) => {
  const text = readFileSync(join(root, path), "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports = source.statements
    .filter((node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    .map((node) => node.moduleSpecifier?.text ?? "")
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => relative(root, resolve(root, dirname(path), specifier)));
  return {
    path,
    lines: text.split("\n").length - 1,
    code: codeLines(source),
    exports: exportedNames(source),
    reExports: source.statements
      .filter(ts.isExportDeclaration)
      .flatMap((node) => node.exportClause?.elements ?? [])
      .map(({ name }) => name.text),
    imports,
  };
};

/** Groups of files that import each other in a circle, each once. */
const cyclesAmong = (files) => {
  const state = new Map();
  const byPath = new Map(files.map((file) => [file.path, file]));
  const cycles = [];
  const visit = (path, trail) => {
    if (state.get(path) === "done") return;
    if (state.get(path) === "open") {
      cycles.push([...trail.slice(trail.indexOf(path)), path]);
      return;
    }
    state.set(path, "open");
    for (const next of byPath.get(path)?.imports ?? []) visit(next, [...trail, path]);
    state.set(path, "done");
  };
  for (const { path } of files) visit(path, []);
  return cycles;
};

/** What the sources of the product show: sizes, fragments, names exported twice, cycles. */
export const readHouse = () => {
  const files = sourceFiles().filter(isProduct).map(readFile);
  if (files.length === 0) throw new Error("house: no product file was found.");
  const importers = Map.groupBy(
    files.flatMap(({ path, imports }) => imports.map((imported) => ({ imported, path }))),
    ({ imported }) => imported,
  );
  const fragments = files.flatMap(({ path, code, exports }) => {
    const by = importers.get(path) ?? [];
    if (exports.length !== 1 || code > FRAGMENT_LINES || by.length !== 1) return [];
    return [{ path, name: exports[0], importer: by[0].path }];
  });
  const names = Map.groupBy(
    files.flatMap(({ path, exports }) => exports.map((name) => ({ name, path }))),
    ({ name }) => name,
  );
  return {
    files,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    fragments,
    doubled: [...names]
      .filter(([, places]) => places.length > 1)
      .map(([name, places]) => ({ name, paths: places.map(({ path }) => path) })),
    cycles: cyclesAmong(files),
    coreExports:
      files.find(({ path }) => path === "packages/core/src/index.ts")?.reExports.length ?? 0,
  };
};
