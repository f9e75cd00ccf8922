import ts from "typescript";

const isWord = (type) => ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal);

/**
 * Declarations with the members of every union of words in alphabetical order. The compiler orders those that
 * it infers by when it met them, which hangs on the order in which a build reads its files.
 */
export function withWordsInOrder(declarations) {
  const source = ts.createSourceFile("index.d.ts", declarations, ts.ScriptTarget.Latest, true);
  const unions = [];
  const visit = (node) => {
    if (ts.isUnionTypeNode(node) && node.types.every(isWord)) unions.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  let text = declarations;
  for (const union of unions.toReversed()) {
    const words = union.types.map((type) => type.getText(source)).toSorted();
    text = text.slice(0, union.getStart(source)) + words.join(" | ") + text.slice(union.end);
  }
  return text;
}
