import type { EntityRef } from "@plasm/core";
import { listNames, namesByApi, visible } from "@plasm/core/internal";
import { type Command, InvalidArgumentError } from "commander";
import type { CliContext } from "../cli-context.ts";
import { jsonAnswer } from "../server/server-client.ts";
import { hasTextMembers } from "../workspace/json-file.ts";
import { openWorkspace, writeSearch } from "../workspace/workspace.ts";
import { giveOutput } from "../workspace/outputs.ts";
import { appended } from "./options.ts";

interface SearchOptions {
  readonly api: readonly string[];
  readonly limit?: number;
}

interface Found {
  readonly options: readonly {
    readonly api: string;
    readonly entity: string;
    readonly description: string;
  }[];
  readonly omitted: number;
  readonly others?: readonly EntityRef[];
  readonly further?: readonly EntityRef[];
  readonly elsewhere?: readonly string[];
}

const areRefs = (value: unknown): value is readonly EntityRef[] =>
  Array.isArray(value) && value.every((one: unknown) => hasTextMembers(one, ["api", "entity"]));

const isFound = (value: unknown): value is Found => {
  const {
    options,
    omitted,
    others = [],
    further = [],
    elsewhere = [],
  } = (value ?? {}) as Partial<Found>;
  return (
    typeof omitted === "number" &&
    areRefs(others) &&
    areRefs(further) &&
    Array.isArray(elsewhere) &&
    elsewhere.every((one: unknown) => typeof one === "string") &&
    Array.isArray(options) &&
    options.every((option: unknown) => hasTextMembers(option, ["api", "entity", "description"]))
  );
};

function noMatch({ others = [], elsewhere = [] }: Found): string {
  const nearest = others.length === 0 ? [] : [`Nearest by single words: ${namesByApi(others)}`];
  const text = `No match. Catalogs: ${listNames(elsewhere) || "none"}`;
  return [text, ...nearest].map(visible).join("\n");
}

/** TEACH-39's text, with what this command line has in place of arguments. */
function textOf({ options, omitted, others = [], further = [], elsewhere = [] }: Found): string {
  // A cell ends neither its row nor the table, and acts on nobody's terminal.
  const rows = options.map(({ api, entity, description }) =>
    [api, entity, description].map(visible).join("\t"),
  );
  const named = [
    ...(others.length === 0 ? [] : [visible(`Also near: ${namesByApi(others)}`)]),
    ...(further.length === 0 ? [] : [visible(`Also there: ${namesByApi(further)}`)]),
  ];
  const left = omitted - others.length;
  const more = left === 0 ? [] : [`${left} more: pass --api or a narrower intent`];
  const catalogs =
    elsewhere.length === 0 ? [] : [visible(`Other catalogs: ${listNames(elsewhere)}`)];
  return [
    "```tsv",
    "api\tentity\tdescription",
    ...rows,
    "```",
    ...named,
    ...more,
    ...catalogs,
  ].join("\n");
}

async function search(cli: CliContext, intent: string, options: SearchOptions): Promise<void> {
  const { directory, client } = await openWorkspace(cli);
  const { limit } = options;
  const body = {
    intent,
    ...(options.api.length === 0 ? {} : { apis: options.api }),
    ...(limit === undefined ? {} : { limit }),
  };
  const answer = await client.post("/v1/discover", body, "application/json");
  const found = jsonAnswer(client, answer, isFound);
  const text = found.options.length === 0 ? noMatch(found) : textOf(found);
  await giveOutput(cli, directory, "search.txt", text);
  const kept = found.options.map(({ api, entity }) => ({ api, entity }));
  await writeSearch(directory, { server: client.url, intent, options: kept });
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is a whole number.");
}

/** `plasm search`: finds seeds for a goal (SURF-20, TEACH-36). */
export function addSearch(program: Command, cli: CliContext): void {
  program
    .command("search")
    .description("Find the entities, API:ENTITY, that a goal needs.")
    .argument("<intent...>", "the goal in one sentence")
    .option("--api <name>", "look in this catalog only; repeatable", appended, [])
    .option("--limit <number>", "most entities to show, 1 to 32 (default: 8)", wholeNumber)
    .addHelpText(
      "after",
      '\nExample:\n  $ plasm search "GOAL" --limit 5\n\nNext: plasm context --new API:ENTITY... opens a session for that goal.',
    )
    .action((words: readonly string[], options: SearchOptions) =>
      search(cli, words.join(" "), options),
    );
}
