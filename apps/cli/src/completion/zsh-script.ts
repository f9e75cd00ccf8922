import {
  allCommands,
  type ArgumentEntry,
  type CommandEntry,
  type OptionEntry,
  type Values,
} from "./commands.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Text inside a specification of `_arguments`. */
const escaped = (text: string): string => text.replace(/[\\[\]:]/g, "\\$&");

/** The action of a value. */
function actionOf(values: Values): string {
  switch (values.kind) {
    case "words":
      return `(${values.words.join(" ")})`;
    case "files":
      return "_files";
    case "directories":
      return "_files -/";
    case "text":
      return " ";
  }
}

function optionSpecs({ names, description, value, repeatable }: OptionEntry): readonly string[] {
  const exclusive = repeatable || names.length < 2 ? "" : `(${names.join(" ")})`;
  return names.map((name) => {
    const joined = value === null ? "" : name.startsWith("--") ? "=" : "+";
    const optional = value?.optional === true ? "-" : "";
    const head = `${exclusive}${repeatable ? "*" : ""}${name}${joined}${optional}[${escaped(description)}]`;
    if (value === null) return quoted(head);
    const colons = value.optional ? "::" : ":";
    return quoted(`${head}${colons}${escaped(value.name)}:${actionOf(value.values)}`);
  });
}

const argumentSpec = ({ name, values, variadic }: ArgumentEntry, index: number): string =>
  quoted(`${variadic ? "*" : index + 1}:${escaped(name)}:${actionOf(values)}`);

const functionOf = ({ path }: CommandEntry): string => `_${path.join("_")}`;

const lastOf = ({ path }: CommandEntry): string => path.at(-1) ?? "";

/** A command with commands below it. */
const groupLines = (entry: CommandEntry): readonly string[] => [
  `${functionOf(entry)}() {`,
  "  local curcontext=$curcontext state line",
  "  typeset -A opt_args",
  "  local -a commands=(",
  ...entry.commands.map((one) => `    ${quoted(`${lastOf(one)}:${one.description}`)}`),
  "  )",
  "  _arguments -C \\",
  ...entry.options.flatMap(optionSpecs).map((spec) => `    ${spec} \\`),
  "    '1:command:->command' '*::argument:->argument'",
  "  case $state in",
  "    command) _describe command commands ;;",
  "    argument) case $words[1] in",
  ...entry.commands.map((one) => `      ${lastOf(one)}) ${functionOf(one)} ;;`),
  "    esac ;;",
  "  esac",
  "}",
];

const leafLines = (entry: CommandEntry): readonly string[] => [
  `${functionOf(entry)}() {`,
  "  _arguments \\",
  [...entry.options.flatMap(optionSpecs), ...entry.arguments.map(argumentSpec)]
    .map((spec) => `    ${spec}`)
    .join(" \\\n"),
  "}",
];

/** A script that completes the commands of this table in zsh, with what help says of each. */
export function zshScript(table: CommandEntry): string {
  const root = table.path.join("_");
  return [
    `#compdef ${root}`,
    `# Completion of ${root} for zsh. In ~/.zshrc, after compinit: source <(${root} completion zsh)`,
    ...allCommands(table).flatMap((entry) =>
      entry.commands.length > 0 ? groupLines(entry) : leafLines(entry),
    ),
    // As a file of $fpath it is called; sourced, it registers itself.
    `if [[ $funcstack[1] == _${root} ]]; then _${root} "$@"; else compdef _${root} ${root}; fi`,
    "",
  ].join("\n");
}
