import { join, relative } from "node:path";
import { type CatalogDiagnostic, formatCatalogDiagnostic } from "@plasm/core";
import { type CutText, cutTexts } from "@plasm/core/internal";
import { type CatalogRef, findCatalogs, openCatalogPlace, registerPlugins } from "@plasm/runtime";
import { builtInPlugins } from "./plugins.ts";
import { usageError } from "./cli-error.ts";
import { cutLine } from "./server/taught-catalog.ts";

/** A directory as it was named, and where that is. */
export interface GivenPlace {
  readonly given: string;
  readonly path: string;
}

/** A diagnostic whose file is named from the command line's point of view, with that file's text. */
export interface PlacedDiagnostic {
  readonly diagnostic: CatalogDiagnostic;
  readonly text: string | null;
}

/** What is wrong with one catalog. */
export interface Validation {
  readonly entryId: string;
  readonly path: string;
  readonly valid: boolean;
  /** parts that are not loaded though the catalog is, by their key paths */
  readonly dropped: readonly string[];
  /** in the order of the files, the domain first */
  readonly diagnostics: readonly PlacedDiagnostic[];
  /** how many more there are */
  readonly omitted: number;
  /** with `strict`, the descriptions that tables show in part (TEACH-13) */
  readonly cut: readonly CutText[];
}

/** A path below a given directory, in the words it was given with. */
const named = ({ given, path }: GivenPlace, file: string): string =>
  file === path ? given : join(given, relative(path, file));

const functions = registerPlugins(builtInPlugins).functionNames;

async function validateOne(
  from: GivenPlace,
  place: CatalogRef,
  strict: boolean,
): Promise<Validation> {
  const opened = await openCatalogPlace(place, { strict, functions });
  const diagnostics = opened.diagnostics.map((diagnostic): PlacedDiagnostic => {
    const file = opened.files.get(diagnostic.file);
    if (file === undefined) return { diagnostic, text: null };
    return { diagnostic: { ...diagnostic, file: named(from, file.path) }, text: file.text };
  });
  const { catalog } = opened;
  const taught = catalog === null || !strict ? [] : [...catalog.cgs.entities.values()];
  return {
    entryId: place.entryId,
    path: named(from, place.path),
    valid: catalog !== null,
    dropped: (catalog?.dropped ?? []).map(({ part }) => part),
    diagnostics,
    omitted: opened.omitted,
    cut:
      catalog === null
        ? []
        : cutTexts(
            catalog,
            taught.map(({ name }) => name),
          ),
  };
}

async function placesIn({ given, path }: GivenPlace): Promise<readonly CatalogRef[]> {
  const places = await findCatalogs(path);
  if (places === null) throw usageError(`${given} does not exist.`);
  if (places.length > 0) return places;
  throw usageError(
    `There is no catalog in ${given}: a catalog is a directory with domain.yaml and mappings.yaml (not .yml).`,
  );
}

/**
 * Checks every catalog in these directories. Throws CliError, before any is checked, for a
 * directory without one.
 */
export async function validateCatalogs(
  directories: readonly GivenPlace[],
  strict: boolean,
): Promise<readonly Validation[]> {
  const found = await Promise.all(
    directories.map(async (from) => ({ from, places: await placesIn(from) })),
  );
  const all = found.flatMap(({ from, places }) => places.map((place) => ({ from, place })));
  const validations: Validation[] = [];
  for (const { from, place } of all) validations.push(await validateOne(from, place, strict));
  return validations;
}

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;

function countsOf({ diagnostics, omitted, cut }: Validation): string {
  const errors = diagnostics.filter(({ diagnostic }) => diagnostic.severity === "error").length;
  const warnings = diagnostics.length - errors;
  return [
    ...(errors === 0 ? [] : [counted(errors, "error")]),
    ...(warnings === 0 ? [] : [counted(warnings, "warning")]),
    ...(omitted === 0 ? [] : [`${omitted} more not shown`]),
    ...(cut.length === 0 ? [] : [`${counted(cut.length, "description")} cut in tables`]),
  ].join(", ");
}

function stateOf({ valid, dropped }: Validation): string {
  if (!valid) return "not valid";
  return dropped.length === 0 ? "valid" : "valid in part";
}

function summaryOf(one: Validation): string {
  const counts = countsOf(one);
  const said = `${one.path}: ${stateOf(one)}${counts === "" ? "" : `, ${counts}`}`;
  return one.dropped.length === 0 ? said : `${said}; loads without ${one.dropped.join(", ")}`;
}

const cutBlock = ({ path, cut }: Validation): readonly string[] =>
  cut.length === 0
    ? []
    : [
        [
          `${path}: agents are shown the beginning of these descriptions:`,
          ...cut.map(cutLine),
        ].join("\n"),
      ];

/** Every diagnostic with its code frame, an empty line between two, then what tables cut, then a line for each catalog. */
export function validText(all: readonly Validation[]): string {
  const blocks = all
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ diagnostic, text }) => formatCatalogDiagnostic(diagnostic, text ?? undefined));
  return [...blocks, ...all.flatMap(cutBlock), all.map(summaryOf).join("\n")].join("\n\n");
}

/** The same as data: `{valid, catalogs: [{entry_id, path, valid, diagnostics, omitted, cut}]}`. */
export const validJson = (all: readonly Validation[]): string =>
  JSON.stringify({
    valid: all.every(({ valid }) => valid),
    catalogs: all.map(({ entryId, path, valid, dropped, diagnostics, omitted, cut }) => ({
      entry_id: entryId,
      path,
      valid,
      ...(dropped.length === 0 ? {} : { not_loaded: dropped }),
      diagnostics: diagnostics.map(({ diagnostic: { keyPath, ...rest } }) => ({
        ...rest,
        key_path: keyPath,
      })),
      omitted,
      cut,
    })),
  });
