import { join } from "node:path";
import ts from "typescript";
import { manifestOf, root } from "./workspace.mjs";

/**
 * Paths that a package exports to everybody with declarations: `.` and the like, each with its .d.ts in dist/. The
 * entry `./internal` is for the packages of this repository and promises nothing (docs/adr/0011).
 */
export const entriesOf = (directory) => {
  const { name, exports = {} } = manifestOf(directory);
  return Object.entries(exports)
    .filter(([path, target]) => path !== "./internal" && typeof target.types === "string")
    .map(([path, { types }]) => ({
      name: name + path.slice(1),
      declarations: join(root, directory, types),
    }));
};

const OPTIONS = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  skipLibCheck: true,
  types: ["node"],
};

const printer = ts.createPrinter({ removeComments: true, omitTrailingSemicolon: false });

/** What a declaration says, without `declare` and its documentation. */
const signature = (declaration) => {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return printer
    .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
    .replace(/^(?:export )?(?:declare )?/, "");
};

const kindOf = (declaration) => {
  if (ts.isFunctionDeclaration(declaration)) return "function";
  if (ts.isClassDeclaration(declaration)) return "class";
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration))
    return "type";
  return "value";
};

const membersOf = (declaration, checker) =>
  ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)
    ? declaration.members.flatMap((member) => {
        const symbol =
          member.name === undefined ? undefined : checker.getSymbolAtLocation(member.name);
        const text = ts.displayPartsToString(symbol?.getDocumentationComment(checker));
        return text === "" ? [] : [{ name: member.name.getText(), text }];
      })
    : [];

/**
 * The public symbols of entry points, each with its kind, signatures, documentation and documented members;
 * `from` is the package that another package's symbol is handed on from, else null.
 */
export const publicSymbols = (entries) => {
  const program = ts.createProgram(
    entries.map(({ declarations }) => declarations),
    OPTIONS,
  );
  const checker = program.getTypeChecker();
  return entries.map(({ name, declarations }) => {
    const source = program.getSourceFile(declarations);
    if (source === undefined) throw new Error(`${declarations} is missing: run pnpm build first`);
    const symbols = checker
      .getExportsOfModule(checker.getSymbolAtLocation(source))
      .map((exported) => {
        const { Alias } = ts.SymbolFlags;
        const symbol = exported.flags & Alias ? checker.getAliasedSymbol(exported) : exported;
        const [first, ...more] = symbol.declarations ?? [];
        if (first === undefined)
          throw new Error(`${name} exports ${exported.name}, which is nothing`);
        return {
          name: exported.name,
          kind: kindOf(first),
          text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
          signatures: [first, ...more].map(signature),
          members: membersOf(first, checker),
        };
      });
    return { name, symbols: symbols.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
  });
};
