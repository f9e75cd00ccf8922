/** A name that code begins with, and what follows it. */
function nameAndRest(code: string): readonly [name: string, rest: string] {
  const end = /[^\w-]/.exec(code)?.index ?? code.length;
  return [code.slice(0, end), code.slice(end)];
}

/** Code without the columns in brackets at its end. */
const withoutColumns = (code: string): string =>
  code.endsWith("]") ? code.slice(0, code.lastIndexOf("[")) : code;

/**
 * A program that reads an entity, by what a session taught of it: a list, else the only one there is. Empty where every
 * read needs to know more.
 */
export function firstProgram(taught: string, entity: string): string {
  const reads = taught.split("\n").flatMap((line) => {
    const [code = "", gives = ""] = line.split("\t");
    const [name, rest] = nameAndRest(code);
    const isWhole = name === entity && !/[$~]|\.\./.test(rest);
    if (isWhole && gives.startsWith(`[${entity}]`))
      return [{ isList: true, program: `${entity}${withoutColumns(rest)}.limit(5)` }];
    if (isWhole && rest.includes("()") && gives.startsWith(entity))
      return [{ isList: false, program: code }];
    return [];
  });
  return (reads.find(({ isList }) => isList) ?? reads[0])?.program ?? "";
}
