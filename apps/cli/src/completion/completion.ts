import { Argument, type Command, type Help, type Option } from "commander";
import type { CliContext } from "../cli-context.ts";
import { bashScript } from "./bash-script.ts";
import { zshScript } from "./zsh-script.ts";
import type { ArgumentEntry, CommandEntry, OptionEntry, OptionValue, Values } from "./commands.ts";

/** What help calls a value says what it is. */
function valuesOf(name: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return { kind: "words", words: choices };
  switch (name) {
    case "bool":
      return { kind: "words", words: ["true", "false"] };
    case "directory":
    case "dir":
      return { kind: "directories" };
    case "file":
    case "document":
    case "path":
      return { kind: "files" };
    default:
      return { kind: "text" };
  }
}

function optionOf(option: Option): OptionEntry {
  const { short, long, description, flags, argChoices, defaultValue } = option;
  const [, name] = /[<[](\w+)/.exec(flags) ?? [];
  const values = (called: string): OptionValue => ({
    name: called,
    values: valuesOf(called, argChoices),
    optional: option.optional,
  });
  return {
    names: [short, long].flatMap((one) => one ?? []),
    description,
    value: name === undefined ? null : values(name),
    repeatable: Array.isArray(defaultValue),
  };
}

const argumentOf = (argument: Argument): ArgumentEntry => ({
  name: argument.name(),
  values: valuesOf(argument.name().replace(/(?<!\.)\.+$/, ""), argument.argChoices),
  variadic: argument.variadic,
});

/** A command and all below it, by the lists that its help is made of. */
function commandTable(
  command: Command,
  above: readonly string[] = [],
  help: Help = command.createHelp(),
): CommandEntry {
  const path = [...above, command.name()];
  return {
    path,
    description: command.description(),
    commands: help.visibleCommands(command).map((one) => commandTable(one, path, help)),
    options: help.visibleOptions(command).map(optionOf),
    arguments: command.registeredArguments.map(argumentOf),
  };
}

const SCRIPTS = { bash: bashScript, zsh: zshScript };

const HELP = `
Examples:
  $ plasm completion bash
  $ plasm completion zsh

In ~/.bashrc: source <(plasm completion bash)
In ~/.zshrc, after compinit: source <(plasm completion zsh)`;

/** `plasm completion`: prints what completes this very program in a shell, from what its help is made of. */
export function addCompletion(program: Command, cli: CliContext): void {
  program
    .command("completion")
    .description("Print a script that completes plasm's commands and options in a shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", HELP)
    .action((shell: keyof typeof SCRIPTS) => cli.out(SCRIPTS[shell](commandTable(program))));
}
