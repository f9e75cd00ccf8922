import type { SavedProgramRow } from "@plasm/agent-core";
import { visible } from "@plasm/core/internal";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import { jsonAnswer, sessionRoute } from "../server/server-client.ts";
import { hasTextMembers } from "../workspace/json-file.ts";
import { openWorkspace, readCurrentSession } from "../workspace/workspace.ts";
import { addSchedules } from "./schedules.ts";
import { appended } from "./options.ts";
import { programArguments } from "./program-arguments.ts";
import { readProgram } from "./read-input.ts";
import { type RunChoices, runSaved, withRunOptions } from "./run.ts";

const PROGRAMS = "/v1/programs";
const JSON_TYPE = "application/json";

/** What is read of a saved program. */
type Saved = Pick<
  SavedProgramRow,
  "name" | "description" | "parameters" | "effects" | "catalogs" | "shared" | "owner" | "own"
>;

const isSaved = (value: unknown): value is Saved =>
  hasTextMembers(value, ["name", "description"]) &&
  Array.isArray((value as { readonly parameters?: unknown }).parameters);

const isList = (value: unknown): value is { readonly programs: readonly Saved[] } => {
  const { programs } = (value ?? {}) as { readonly programs?: unknown };
  return Array.isArray(programs) && programs.every(isSaved);
};

/** `weekly_report(since="2026-01-31") · reads · CATALOG · of ann: What came in since a day` */
function shown({ name, description, parameters, effects, catalogs, shared, owner, own }: Saved) {
  const values = parameters.map((one) => `${one.name}=${JSON.stringify(one.default)}`);
  const whose = own ? (shared ? "shared" : "yours") : `of ${visible(owner ?? "anonymous")}`;
  const does = effects.length === 0 ? "reads" : effects.join(", ");
  const about = description === "" ? "" : `: ${visible(description)}`;
  return `${name}(${values.join(", ")}) · ${does} · ${catalogs.join(", ")} · ${whose}${about}`;
}

async function list(cli: CliContext): Promise<void> {
  const { client } = await openWorkspace(cli);
  const { programs } = jsonAnswer(client, await client.get(PROGRAMS, JSON_TYPE), isList);
  cli.out(
    programs.length === 0
      ? "No program is saved. Save a plan of the current session: plasm programs save pcN --name NAME"
      : programs.map(shown).join("\n"),
  );
}

const pathOf = (name: string): string => `${PROGRAMS}/${encodeURIComponent(name)}`;

async function show(cli: CliContext, name: string): Promise<void> {
  const { client } = await openWorkspace(cli);
  cli.out((await client.get(pathOf(name), "text/plain")).text);
}

interface SaveOptions {
  readonly name: string;
  readonly param: readonly string[];
  readonly description?: string;
  readonly shared?: true;
}

async function save(cli: CliContext, ref: string, options: SaveOptions): Promise<void> {
  const { directory, client } = await openWorkspace(cli);
  const current = await readCurrentSession(directory, client.url);
  if (current === null)
    throw usageError(`There is no session on ${client.url} whose plan ${ref} could be.`);
  const { name, param: parameters, description, shared } = options;
  const body = {
    session: sessionRoute(current),
    plan_commit_ref: ref,
    name,
    parameters,
    ...(description === undefined ? {} : { description }),
    ...(shared === true ? { shared } : {}),
  };
  const saved = jsonAnswer(client, await client.post(PROGRAMS, body, JSON_TYPE), isSaved);
  cli.out(`${shown(saved)}\nRun it: plasm do ${saved.name}`);
}

async function importOne(cli: CliContext, file: string): Promise<void> {
  const { client } = await openWorkspace(cli);
  const text = await readProgram(cli, file === "-" ? {} : { file }, false);
  const saved = jsonAnswer(client, await client.post(PROGRAMS, { text }, JSON_TYPE), isSaved);
  cli.out(shown(saved));
}

async function remove(cli: CliContext, name: string): Promise<void> {
  const { client } = await openWorkspace(cli);
  jsonAnswer(client, await client.delete(pathOf(name), JSON_TYPE), isSaved);
  cli.out(`${name} is removed.`);
}

const HELP = `
A saved program is one text: plasm programs show NAME > NAME.plasm writes it, for git, and import reads it again.

Examples:
  $ plasm programs
  $ plasm programs save pc0 --name weekly_report --param since --description 'What came in since a day'
  $ plasm programs show weekly_report
  $ plasm programs remove weekly_report
  $ plasm programs schedule weekly_report '0 7 * * 1' --zone Europe/Berlin`;

/** `plasm programs`: plans that are kept by name (SAV-08). */
export function addPrograms(program: Command, cli: CliContext): void {
  const programs = program
    .command("programs")
    .description(
      "List saved programs; save a plan by a name, show, import, remove or schedule one.",
    )
    .addHelpText("after", HELP)
    .allowExcessArguments()
    .action((_options: unknown, { args: [other] }: Command) => {
      if (other === undefined) return list(cli);
      throw usageError(
        `${other} is not a command of plasm programs: it is save, show, import, remove, schedule, watch, events, schedules, pause, resume or unschedule, or nothing, which lists them.`,
      );
    });
  programs
    .command("save")
    .description("Save a plan of the current session by a name.")
    .argument("<ref>", "the pcN of the plan")
    .requiredOption("--name <name>", "how it is called")
    .option("--param <label>", "a label that becomes a parameter (again for several)", appended, [])
    .option("--description <text>", "what it is for, in one line")
    .option("--shared", "the whole tenant may run it")
    .action((ref: string, options: SaveOptions) => save(cli, ref, options));
  programs
    .command("show")
    .description("Print a saved program as the text that import reads.")
    .argument("<name>")
    .action((name: string) => show(cli, name));
  programs
    .command("import")
    .description("Save what a text says.")
    .argument("<file>", "a file, or - for standard input")
    .action((file: string) => importOne(cli, file));
  programs
    .command("remove")
    .description("Remove a saved program.")
    .argument("<name>")
    .action((name: string) => remove(cli, name));
  addSchedules(programs, cli);
}

const DO_HELP = `
Each parameter is an option of its name; what is not given has its default. Dates may be relative, and a list is
JSON. A parameter that is called like an option here stands behind --: plasm do NAME -- --mode fast

What changes something is reviewed each time: it ends with 3, its effects and a ref pcN, and the same with
--commit pcN runs it, once.

Examples:
  $ plasm do weekly_report
  $ plasm do weekly_report --since today-7d
  $ plasm do weekly_report --since today-7d --mode plan`;

/** `plasm do`: runs a saved program (SAV-08). */
export function addDo(program: Command, cli: CliContext): void {
  withRunOptions(
    program
      .command("do")
      .description("Run a saved program, with values for its parameters.")
      .argument("<name>", "how it is called")
      .argument("[arguments...]", "--PARAMETER VALUE for each that is not to have its default")
      .allowUnknownOption(),
  )
    .addHelpText("after", DO_HELP)
    .action((name: string, words: readonly string[], options: RunChoices) =>
      runSaved(cli, name, programArguments(words), options),
    );
}
