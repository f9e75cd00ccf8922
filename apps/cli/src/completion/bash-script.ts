import { allCommands, type CommandEntry, type OptionEntry, type Values } from "./commands.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const wordsOf = (words: readonly string[]): string =>
  `COMPREPLY=($(compgen -W ${quoted(words.join("\n"))} -- "$cur"))`;

/** What fills COMPREPLY; null for a text that nobody can know. */
function filling(values: Values): string | null {
  switch (values.kind) {
    case "words":
      return wordsOf(values.words);
    case "files":
      return 'COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null';
    case "directories":
      return 'COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames 2>/dev/null';
    case "text":
      return null;
  }
}

/** A branch of a case, for all of these words. */
const branch = (words: readonly string[], then: string): readonly string[] =>
  words.length === 0 ? [] : [`    ${words.map(quoted).join("|")}) ${then} ;;`];

const placesOf = ({ path }: CommandEntry, { names }: OptionEntry): readonly string[] =>
  names.map((name) => [...path, name].join(" "));

const optionsOf = (all: readonly CommandEntry[]) =>
  all.flatMap((entry) => entry.options.map((option) => ({ entry, option })));

/** Where an option is followed by its value as a word of its own. */
const takesWord = (all: readonly CommandEntry[]): readonly string[] =>
  optionsOf(all).flatMap(({ entry, option }) =>
    option.value === null || option.value.optional ? [] : placesOf(entry, option),
  );

const valueBranches = (all: readonly CommandEntry[]): readonly string[] =>
  optionsOf(all).flatMap(({ entry, option }) => {
    const fill = option.value === null ? null : filling(option.value.values);
    return fill === null ? [] : branch(placesOf(entry, option), `${fill}; return`);
  });

const optionBranches = (all: readonly CommandEntry[]): readonly string[] =>
  all.flatMap(({ path, options }) =>
    branch([path.join(" ")], wordsOf(options.flatMap(({ names }) => names))),
  );

function wordBranches(all: readonly CommandEntry[]): readonly string[] {
  return all.flatMap(({ path, commands, arguments: [first] }) => {
    const names = commands.map((one) => one.path.at(-1) ?? "");
    const fill = first === undefined ? null : filling(first.values);
    if (names.length > 0) return branch([path.join(" ")], wordsOf(names));
    return fill === null ? [] : branch([path.join(" ")], fill);
  });
}

/** A script that completes the commands of this table in bash, alone: it needs no other completions. */
export function bashScript(table: CommandEntry): string {
  const all = allCommands(table);
  const below = all.slice(1).map(({ path }) => path.join(" "));
  const root = table.path.join(" ");
  return [
    `# Completion of ${root} for bash. In ~/.bashrc: source <(${root} completion bash)`,
    `_${root}() {`,
    `  local IFS=$'\\n' cur=\${COMP_WORDS[COMP_CWORD]} at=${quoted(root)} value= prev= word i`,
    "  COMPREPLY=()",
    "  for ((i = 1; i < COMP_CWORD; i++)); do",
    "    word=${COMP_WORDS[i]}",
    // bash makes three words of --name=value
    '    if [[ $word == "=" ]]; then value=$prev; continue; fi',
    "    if [[ -n $value ]]; then value= prev=; continue; fi",
    "    prev=$word",
    '    case "$at $word" in',
    ...branch(below, '  at="$at $word"'),
    ...branch(takesWord(all), "  value=$word"),
    "    esac",
    "  done",
    '  if [[ $cur == "=" ]]; then value=$prev cur=; fi',
    '  case "$at $value" in',
    ...valueBranches(all),
    "  esac",
    "  if [[ -n $value ]]; then return; fi",
    '  if [[ $cur == -* ]]; then case "$at" in',
    ...optionBranches(all),
    '  esac; else case "$at" in',
    ...wordBranches(all),
    "  esac; fi",
    "}",
    `complete -F _${root} ${root}`,
    "",
  ].join("\n");
}
