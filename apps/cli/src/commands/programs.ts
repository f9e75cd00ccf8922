import { visible } from "@plasm/core/internal";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import { jsonAnswer, sessionRoute } from "../server/server-client.ts";
import { hasTextMembers } from "../workspace/json-file.ts";
import { openWorkspace, readCurrentSession } from "../workspace/workspace.ts";
import { appended } from "./options.ts";
import { readProgram } from "./read-input.ts";
import { type RunChoices, runSaved, withRunOptions } from "./run.ts";

const PROGRAMS = "/v1/programs";
const JSON_TYPE = "application/json";

/** A saved program, as the server tells it. */
interface Saved {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly list: boolean;
    readonly default: unknown;
  }[];
  readonly effects: readonly string[];
  readonly catalogs: readonly string[];
  readonly shared: boolean;
  readonly owner: string | null;
  readonly own: boolean;
}

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

const SCHEDULES = "/v1/schedules";

interface Schedule {
  readonly schedule_uuid: string;
  readonly program: string;
  readonly cron: string;
  readonly zone: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly paused: boolean;
  readonly owner: string | null;
  readonly own: boolean;
  readonly next_at: string | null;
  readonly problem: string | null;
  readonly current: ScheduledRun | null;
  readonly runs: readonly ScheduledRun[];
  readonly missed: readonly { readonly text: string }[];
}

interface ScheduledRun {
  readonly due_at: string;
  readonly late: boolean;
  readonly state: string;
  readonly commit_uuid: string | null;
  readonly operation_uuid: string | null;
  readonly code: string | null;
  readonly message: string | null;
}

const isSchedule = (value: unknown): value is Schedule =>
  hasTextMembers(value, ["schedule_uuid", "program", "cron", "zone"]) &&
  Array.isArray((value as { readonly runs?: unknown }).runs);

const isScheduleList = (value: unknown): value is { readonly schedules: readonly Schedule[] } => {
  const { schedules } = (value ?? {}) as { readonly schedules?: unknown };
  return Array.isArray(schedules) && schedules.every(isSchedule);
};

function runLine({ due_at: due, late, state, commit_uuid: asked, ...rest }: ScheduledRun): string {
  const { operation_uuid: operation, code, message } = rest;
  const why = message === null ? (code === null ? "" : `: ${code}`) : `: ${visible(message)}`;
  const where =
    state === "waiting" && asked !== null
      ? `, decided on by plasm approvals approve ${asked}`
      : operation === null
        ? ""
        : `, operation ${operation}`;
  return `  ${due} ${state}${late ? " (made up for)" : ""}${where}${why}`;
}

/** A line on what it runs and when, and one on each thing there is to say of it. */
function scheduleLines(one: Schedule): string {
  const values = Object.entries(one.arguments).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}`,
  );
  const whose = one.own ? "" : ` · of ${visible(one.owner ?? "anonymous")}`;
  const next = one.paused ? "paused" : `next ${one.next_at ?? "never"}`;
  const [last] = one.runs;
  return [
    `${one.schedule_uuid}  ${one.program}(${visible(values.join(", "))}) · ${one.cron} ${one.zone} · ${next}${whose}`,
    ...(one.problem === null ? [] : [`  ${visible(one.problem)}`]),
    ...one.missed.slice(0, 1).map(({ text }) => `  ${text}`),
    ...(one.current === null ? [] : [runLine(one.current)]),
    ...(last === undefined ? [] : [runLine(last)]),
  ].join("\n");
}

const schedulePath = (id: string): string => `${SCHEDULES}/${encodeURIComponent(id)}`;

interface ScheduleOptions {
  readonly key?: readonly string[];
  readonly zone?: string;
  readonly param: readonly string[];
}

async function schedule(
  cli: CliContext,
  name: string,
  cron: string,
  { zone, param, key }: ScheduleOptions,
  watch = false,
): Promise<void> {
  const { client } = await openWorkspace(cli);
  const body = {
    program: name,
    cron,
    ...(zone === undefined ? {} : { zone }),
    ...(watch ? { watch } : {}),
    ...(key === undefined || key.length === 0 ? {} : { key }),
    arguments: argumentsIn(param.map((one) => `--${one}`)),
  };
  const made = jsonAnswer(client, await client.post(SCHEDULES, body, JSON_TYPE), isSchedule);
  cli.out(scheduleLines(made));
}

async function listSchedules(cli: CliContext, name?: string): Promise<void> {
  const { client } = await openWorkspace(cli);
  const query = name === undefined ? "" : `?program=${encodeURIComponent(name)}`;
  const { schedules } = jsonAnswer(
    client,
    await client.get(`${SCHEDULES}${query}`, JSON_TYPE),
    isScheduleList,
  );
  cli.out(
    schedules.length === 0
      ? "Nothing is scheduled. Schedule a saved program: plasm programs schedule NAME '0 7 * * 1'"
      : schedules.map(scheduleLines).join("\n"),
  );
}

const turn =
  (cli: CliContext, to: "pause" | "resume") =>
  async (id: string): Promise<void> => {
    const { client } = await openWorkspace(cli);
    const answer = await client.post(`${schedulePath(id)}/${to}`, {}, JSON_TYPE);
    cli.out(scheduleLines(jsonAnswer(client, answer, isSchedule)));
  };

interface Events {
  readonly events: readonly { readonly id: string }[];
  readonly forgotten: number;
  readonly next: string | null;
}

const isEvents = (value: unknown): value is Events =>
  Array.isArray((value as { readonly events?: unknown } | null)?.events);

async function events(cli: CliContext, id: string, after?: string): Promise<void> {
  const { client } = await openWorkspace(cli);
  for (let from = after; ;) {
    const query = from === undefined ? "" : `?after=${encodeURIComponent(from)}`;
    const answer = await client.get(`${schedulePath(id)}/events${query}`, JSON_TYPE);
    const found = jsonAnswer(client, answer, isEvents);
    if (found.forgotten > 0) cli.remark(`${found.forgotten} earlier events are kept no longer.`);
    if (found.events.length === 0) return;
    cli.out(found.events.map((one) => visible(JSON.stringify(one))).join("\n"));
    from = found.next ?? undefined;
  }
}

async function unschedule(cli: CliContext, id: string): Promise<void> {
  const { client } = await openWorkspace(cli);
  jsonAnswer(client, await client.delete(schedulePath(id), JSON_TYPE), isSchedule);
  cli.out(`The schedule ${id} is removed.`);
}

const SCHEDULE_HELP = `
CRON is five fields: minute, hour, day of the month, month and day of the week. A time of day that clocks skip is
due when they go on, and one that comes twice is due once. What changes something waits for a person each time,
unless policy lets this version run without review.

Examples:
  $ plasm programs schedule weekly_report '0 7 * * 1' --zone Europe/Berlin --param since=today-7d
  $ plasm programs watch open_issues '*/5 * * * *'
  $ plasm programs events ID
  $ plasm programs schedules
  $ plasm programs pause ID
  $ plasm programs unschedule ID`;

function addSchedules(programs: Command, cli: CliContext): void {
  programs
    .command("schedule")
    .description("Run a saved program at times.")
    .argument("<name>", "how it is called")
    .argument("<cron>", "when, as five fields")
    .option("--zone <name>", "the time zone in which they are read (default: UTC)")
    .option("--param <name=value>", "a value of a parameter (again for several)", appended, [])
    .addHelpText("after", SCHEDULE_HELP)
    .action((name: string, cron: string, options: ScheduleOptions) =>
      schedule(cli, name, cron, options),
    );
  programs
    .command("watch")
    .description("Compare the rows of a saved program at times: what appeared, changed, vanished.")
    .argument("<name>", "how it is called")
    .argument("<cron>", "when, as five fields")
    .option("--zone <name>", "the time zone in which they are read (default: UTC)")
    .option("--param <name=value>", "a value of a parameter (again for several)", appended, [])
    .option(
      "--key <column>",
      "by which rows are known again (default: their own key)",
      appended,
      [],
    )
    .action((name: string, cron: string, options: ScheduleOptions) =>
      schedule(cli, name, cron, options, true),
    );
  programs
    .command("events")
    .description("Print what a watch has found, a line of JSON each.")
    .argument("<id>")
    .option("--after <event>", "only what came after the event of this id")
    .action((id: string, { after }: { readonly after?: string }) => events(cli, id, after));
  programs
    .command("schedules")
    .description("List schedules, with what they missed, what runs, and how the last run ended.")
    .argument("[name]", "those of one saved program")
    .action((name?: string) => listSchedules(cli, name));
  programs
    .command("pause")
    .description("Have a schedule do nothing until it is resumed.")
    .argument("<id>")
    .action(turn(cli, "pause"));
  programs
    .command("resume")
    .description("Go on with a schedule, with its program as it is saved now.")
    .argument("<id>")
    .action(turn(cli, "resume"));
  programs
    .command("unschedule")
    .description("Remove a schedule.")
    .argument("<id>")
    .action((id: string) => unschedule(cli, id));
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

/** The arguments of a call: `--since today-7d`, `--since=today-7d`. Throws CliError for anything else. */
function argumentsIn(words: readonly string[]): Readonly<Record<string, string>> {
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
      runSaved(cli, name, argumentsIn(words), options),
    );
}
