/**
 * The words of a line as a shell has them, for lines of plain words and quotes. Throws for anything that
 * would take a shell.
 */
export function shellWords(text: string): readonly string[] {
  const words = text.match(/(?:'[^']*'|"[^"\\$`]*"|[\w@%+=:,./{}[\]()-])+/g) ?? [];
  const rebuilt = words.join(" ");
  if (rebuilt !== text.trim().replace(/\s+(?=(?:[^'"]|'[^']*'|"[^"]*")*$)/g, " ")) {
    throw new Error(`This takes a shell: ${text}`);
  }
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, a, b) => a ?? b));
}
