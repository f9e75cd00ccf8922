import { Argument, type Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { bashScript } from "../completion/bash-script.ts";
import { commandTable } from "../completion/command-table.ts";
import { zshScript } from "../completion/zsh-script.ts";

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
