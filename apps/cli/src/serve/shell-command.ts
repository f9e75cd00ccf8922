import { basename } from "node:path";

/** Text as one word of a shell's line that stands within single quotes. */
const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `"${text}"`);

/**
 * How the command line of this program is had in a shell, on the server's data; null where it is installed
 * and has its name.
 */
export function shellCommand(
  { node, script }: { readonly node: string; readonly script: string },
  dataDir: string,
): string | null {
  if (basename(script) === "plasm") return null;
  return `alias plasm='PLASM_DATA=${word(dataDir)} ${word(node)} ${word(script)}'`;
}
