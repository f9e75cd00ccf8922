import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { failedError, usageError } from "../cli-error.ts";
import { appended } from "./appended.ts";

interface InitOptions {
  readonly openapi: string;
  readonly id?: string;
  readonly only: readonly string[];
  readonly server?: string;
}

const codeOf = (thrown: unknown): string => (thrown as NodeJS.ErrnoException).code ?? "unknown";

async function textIn(cli: CliContext, file: string): Promise<string> {
  try {
    const bytes = await readFile(resolve(cli.cwd, file));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (thrown) {
    if (thrown instanceof TypeError) throw usageError(`${file} is not UTF-8 text.`);
    throw usageError(`${file} cannot be read (${codeOf(thrown)}).`);
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Where the two files come to be, in the words that the directory was given with. */
function placesOf(cli: CliContext, given: string, id: string | undefined) {
  const directory = id === undefined ? given : join(given, id);
  const path = resolve(cli.cwd, directory);
  const file = (name: string) => ({ said: join(directory, name), path: join(path, name) });
  return {
    entryId: id ?? basename(path),
    said: relative(cli.cwd, path) === "" ? "." : directory,
    path,
    domain: file("domain.yaml"),
    mappings: file("mappings.yaml"),
  };
}

/** Writes a file that is not there yet; what is there stays as it is. */
async function writeNew(
  { said, path }: { readonly said: string; readonly path: string },
  text: string,
) {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") throw usageError(`${said} is there already, and stays.`);
    throw failedError(`${said} cannot be written (${codeOf(thrown)}).`, thrown);
  }
}

async function initCatalog(cli: CliContext, given: string, options: InitOptions): Promise<void> {
  const { openapi, id, only, server } = options;
  const place = placesOf(cli, given, id);
  for (const { said, path } of [place.domain, place.mappings]) {
    if (await isThere(path)) throw usageError(`${said} is there already, and stays.`);
  }
  // Loaded on demand: no other command reads OpenAPI.
  const { catalogFromOpenApi, OpenApiError, parseOpenApi } = await import("@plasm/from-openapi");
  const text = await textIn(cli, openapi);
  const made = await Promise.resolve()
    .then(() =>
      catalogFromOpenApi(parseOpenApi(text), {
        entryId: place.entryId,
        only,
        ...(server === undefined ? {} : { server }),
      }),
    )
    .catch((thrown: unknown) => {
      throw thrown instanceof OpenApiError ? usageError(`${openapi}: ${thrown.message}`) : thrown;
    });
  try {
    await mkdir(place.path, { recursive: true });
  } catch (thrown) {
    throw failedError(`${place.said} cannot be made (${codeOf(thrown)}).`, thrown);
  }
  await writeNew(place.domain, made.domain);
  await writeNew(place.mappings, made.mappings);
  const left = made.left.length === 0 ? [] : ["left out:", ...made.left.map((line) => `  ${line}`)];
  cli.out(
    [
      `${place.entryId}: ${made.reached} of ${made.operations} operations, in ${place.domain.said} and ${place.mappings.said}`,
      ...left,
      `Next: plasm catalog validate ${place.said}`,
    ].join("\n"),
  );
}

const HELP = `
The catalog's id is the directory's name, or --id: its files are then in <dir>/<id>. No file is overwritten, and
nothing is fetched: references to other documents are left out. Swagger 2 is refused.

Example:
  $ plasm catalog init harbour --openapi quay.json --only /boats --only people`;

/** `plasm catalog init`: a catalog to begin with, from an OpenAPI document (SURF-20). */
export function addCatalogInit(catalog: Command, cli: CliContext): void {
  catalog
    .command("init")
    .description("Make a catalog to begin with, from an OpenAPI document of 3.0 or 3.1.")
    .argument("<dir>", "where its two files come to be")
    .requiredOption("--openapi <file>", "the document, in JSON or YAML")
    .option("--id <id>", "the catalog's id, where <dir> is a directory of catalogs")
    .option(
      "--only <what>",
      "operations by the beginning of their path, such as /orders, or by a tag (repeatable)",
      appended,
      [],
    )
    .option("--server <url>", "the address of the API, in place of the one that the document names")
    .addHelpText("after", HELP)
    .action((given: string, options: InitOptions) => initCatalog(cli, given, options));
}
