import { usageError } from "../cli-error.ts";

/** The arguments of a saved program's call: `--since today-7d`, `--since=today-7d`. Throws CliError for anything else. */
export function programArguments(words: readonly string[]): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const [, name, own] = /^--([a-z][a-z0-9_]*)(?:=([^]*))?$/.exec(words[at] ?? "") ?? [];
    if (name === undefined)
      throw usageError(
        `${words[at] ?? ""} is no argument: each is --NAME VALUE. plasm programs shows the names.`,
      );
    const value = own ?? words[(at += 1)];
    if (value === undefined) throw usageError(`--${name} has no value.`);
    if (values.has(name)) throw usageError(`--${name} is given twice.`);
    values.set(name, value);
  }
  return Object.fromEntries(values);
}
