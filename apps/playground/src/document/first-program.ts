/** Rows of tables as a session teaches them: code, and what it gives. */
const ROW = /^([A-Za-z_][\w-]*)([^\t]*)\t(.*)$/gm;

/**
 * A program that reads an entity, by what a session taught of it: a list, else the only one there is. Empty where every
 * read needs to know more.
 */
export function firstProgram(taught: string, entity: string): string {
  const reads = [...taught.matchAll(ROW)].flatMap(([, name, code = "", gives = ""]) => {
    const isWhole = name === entity && !/[$~]|\.\./.test(code);
    if (isWhole && gives.startsWith(`[${entity}]`))
      return [{ isList: true, program: `${entity}${code.replace(/\[[^\]]*\]$/, "")}.limit(5)` }];
    if (isWhole && /^\.[\w-]+\(\)/.test(code) && gives.startsWith(entity))
      return [{ isList: false, program: `${entity}${code}` }];
    return [];
  });
  return (reads.find(({ isList }) => isList) ?? reads[0])?.program ?? "";
}
