/** A wave of a table as its text has it. */
export interface ReadWave {
  readonly heading: string;
  readonly rows: readonly (readonly [left: string, meaning: string])[];
}

const HEADING = /^(?:Added from )?[a-z0-9][a-z0-9_.-]*: (?:e\d+ )?\w+(?:, (?:e\d+ )?\w+)*$/;

/**
 * Reads the tables of a text back as whoever knows nothing but TEACH-12 and TEACH-28 would: a fence ends at
 * its first like line, a row is two cells with one TAB between. Throws for a table that is none.
 */
export function readTables(text: string): readonly ReadWave[] {
  const lines = text.split("\n");
  const waves: ReadWave[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at] !== "```tsv") continue;
    const heading = lines[at - 1] ?? "";
    if (!HEADING.test(heading)) throw new Error(`no heading: ${JSON.stringify(heading)}`);
    if (lines[at + 1] !== "plasm_expr\tMeaning") throw new Error(`no header below ${heading}`);
    const close = lines.indexOf("```", at + 2);
    if (close < 0) throw new Error(`the table of ${heading} is not closed`);
    const rows = lines.slice(at + 2, close).map((line): readonly [string, string] => {
      const [left = "", meaning = "", ...more] = line.split("\t");
      if (more.length > 0 || left === "" || meaning === "") throw new Error(JSON.stringify(line));
      if (left !== left.trim() || meaning !== meaning.trim()) throw new Error(JSON.stringify(line));
      return [left, meaning];
    });
    waves.push({ heading, rows });
    at = close;
  }
  return waves;
}
