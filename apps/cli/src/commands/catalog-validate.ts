import { Option, type Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import { EXIT } from "../exit-codes.ts";

interface ValidateOptions {
  readonly strict: boolean;
  readonly json: boolean;
}

async function validate(
  cli: CliContext,
  directories: readonly string[],
  { strict, json }: ValidateOptions,
): Promise<void> {
  // Loaded on demand: no other command needs the catalog loader.
  const { catalogPath } = await import("@plasm/runtime");
  const { validateCatalogs } = await import("../validate/validate-catalogs.ts");
  const { validJson, validText } = await import("../validate/validation-text.ts");
  const places = directories.map((given) => ({ given, path: catalogPath(given, cli.cwd) }));
  const found = await validateCatalogs(places, strict);
  cli.out(json ? validJson(found) : validText(found));
  if (found.some(({ valid }) => !valid)) cli.endWith(EXIT.failed);
}

/** `plasm catalog validate`: checks catalogs as loading does, without a server (SURF-20). */
export function addCatalogValidate(catalog: Command, cli: CliContext): void {
  catalog
    .command("validate")
    .description("Check catalogs as loading does, and show every fault at its place.")
    .argument("<dir...>", "a catalog, or a directory or package of them")
    .addOption(
      new Option("--strict", "count warnings as errors, as publishing does").default(false),
    )
    .addOption(new Option("--json", "one JSON document in place of text").default(false))
    .addHelpText("after", "\nExample:\n  $ plasm catalog validate --strict catalogs/quay")
    .action((directories: readonly string[], options: ValidateOptions) =>
      validate(cli, directories, options),
    );
}
