import { Option, type Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { usageError } from "../cli-error.ts";
import {
  cutLine,
  listedCatalog,
  taughtCatalog,
  type ListedCatalog,
  type TaughtCatalog,
} from "../server/taught-catalog.ts";
import { openWorkspace } from "../workspace/workspace.ts";

interface ShowOptions {
  readonly symbols: boolean;
  readonly json: boolean;
}

/** What the reasons of TEACH-24 mean to the author of a catalog. */
const WHY: ReadonlyMap<string, string> = new Map([
  ["policy", "the caller's policy forbids it"],
  [
    "not_plannable",
    "this server cannot run it: nothing binds what it needs (a relation: its materialize), or it has no such transport",
  ],
  ["shadowed", "another capability answers every program that could mean it"],
  ["unexpressible_input", "no program can write the input it requires"],
]);

function untaughtLines({ untaught }: TaughtCatalog): readonly string[] {
  if (untaught.length === 0) return ["untaught: nothing"];
  return [
    "untaught:",
    ...untaught.map(({ capability, reason }) => {
      const why = WHY.get(reason);
      return `  ${capability}: ${reason}${why === undefined ? "" : `, ${why}`}`;
    }),
  ];
}

function cutLines({ cut }: TaughtCatalog): readonly string[] {
  return cut.length === 0 ? [] : ["cut, for tables show the beginning alone:", ...cut.map(cutLine)];
}

function notLoadedLines({ not_loaded: lost }: TaughtCatalog): readonly string[] {
  if (lost.length === 0) return [];
  return ["not loaded:", ...lost.map(({ part, why }) => `  ${part}: ${why}`)];
}

function shownText(taught: TaughtCatalog): string {
  const { entry_id: id, version, digest, entities, text, parts, tokens } = taught;
  const contract =
    parts.length === 0 ? "" : `, the contract's parts ${parts.join(", ")} among them`;
  return [
    `${id} · version ${version} · ${digest}`,
    `taught: ${entities.join(", ")}`,
    "",
    text.trimEnd(),
    "",
    ...untaughtLines(taught),
    ...cutLines(taught),
    ...notLoadedLines(taught),
    `tokens: ${tokens} (o200k)${contract}`,
  ].join("\n");
}

function chosen({ entry_id: id, entities }: ListedCatalog, entity: string | undefined) {
  if (entity === undefined) return entities;
  if (entities.includes(entity)) return [entity];
  throw usageError(`${id} has no entity ${entity}. It has: ${entities.join(", ")}.`);
}

async function show(
  cli: CliContext,
  id: string,
  entity: string | undefined,
  { symbols, json }: ShowOptions,
): Promise<void> {
  const { client } = await openWorkspace(cli);
  const listed = await listedCatalog(client, id);
  const notation = symbols ? "symbols" : "names";
  const taught = await taughtCatalog(client, listed, chosen(listed, entity), notation);
  cli.out(json ? JSON.stringify(taught) : shownText(taught));
}

/** `plasm catalog show`: what an agent is taught of a catalog, what not and why, what is cut, and its cost (SURF-20). */
export function addCatalogShow(catalog: Command, cli: CliContext): void {
  catalog
    .command("show")
    .description(
      "Show what an agent is taught of a catalog, what is untaught and why, and its tokens.",
    )
    .argument("<id>", "entry id of a catalog that the server offers")
    .argument("[entity]", "this entity alone")
    .addOption(new Option("--symbols", "teach e1, m1, p1 in place of names").default(false))
    .addOption(new Option("--names", "what is taught anyway").hideHelp())
    .addOption(new Option("--json", "one JSON document in place of text").default(false))
    .addHelpText("after", "\nExample:\n  $ plasm catalog show CATALOG ENTITY")
    .action((id: string, entity: string | undefined, options: ShowOptions) =>
      show(cli, id, entity, options),
    );
}
