/** The value of an option. */
export interface OptionValue {
  /** as help calls it */
  readonly name: string;
  readonly values: Values;
  /** may be left out, and is then joined by `=` where it is given */
  readonly optional: boolean;
}

/** What may stand for a value: some words, a file, a directory, or any text. */
export type Values =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "files" }
  | { readonly kind: "directories" }
  | { readonly kind: "text" };

export interface OptionEntry {
  /** such as `-e` and `--program` */
  readonly names: readonly string[];
  readonly description: string;
  readonly value: OptionValue | null;
  readonly repeatable: boolean;
}

export interface ArgumentEntry {
  readonly name: string;
  readonly values: Values;
  readonly variadic: boolean;
}

/** A command as its help shows it. */
export interface CommandEntry {
  /** the words that lead to it, `plasm` first */
  readonly path: readonly string[];
  readonly description: string;
  readonly commands: readonly CommandEntry[];
  readonly options: readonly OptionEntry[];
  readonly arguments: readonly ArgumentEntry[];
}

/** A command and all below it, one after the other. */
export const allCommands = (entry: CommandEntry): readonly CommandEntry[] => [
  entry,
  ...entry.commands.flatMap(allCommands),
];
