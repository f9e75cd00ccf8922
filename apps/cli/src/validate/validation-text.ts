import { formatCatalogDiagnostic } from "@plasm/core";
import { cutLine } from "../server/taught-catalog.ts";
import type { Validation } from "./validate-catalogs.ts";

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
