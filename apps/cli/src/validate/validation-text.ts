import { formatCatalogDiagnostic } from "@plasm/core";
import type { Validation } from "./validate-catalogs.ts";

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;

function countsOf({ diagnostics, omitted }: Validation): string {
  const errors = diagnostics.filter(({ diagnostic }) => diagnostic.severity === "error").length;
  const warnings = diagnostics.length - errors;
  return [
    ...(errors === 0 ? [] : [counted(errors, "error")]),
    ...(warnings === 0 ? [] : [counted(warnings, "warning")]),
    ...(omitted === 0 ? [] : [`${omitted} more not shown`]),
  ].join(", ");
}

function summaryOf(one: Validation): string {
  const state = one.valid ? "valid" : "not valid";
  const counts = countsOf(one);
  return `${one.path}: ${state}${counts === "" ? "" : `, ${counts}`}`;
}

/** Every diagnostic with its code frame, an empty line between two, then a line for each catalog. */
export function validText(all: readonly Validation[]): string {
  const blocks = all
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ diagnostic, text }) => formatCatalogDiagnostic(diagnostic, text ?? undefined));
  return [...blocks, all.map(summaryOf).join("\n")].join("\n\n");
}

/** The same as data: `{valid, catalogs: [{entry_id, path, valid, diagnostics, omitted}]}`. */
export const validJson = (all: readonly Validation[]): string =>
  JSON.stringify({
    valid: all.every(({ valid }) => valid),
    catalogs: all.map(({ entryId, path, valid, diagnostics, omitted }) => ({
      entry_id: entryId,
      path,
      valid,
      diagnostics: diagnostics.map(({ diagnostic: { keyPath, ...rest } }) => ({
        ...rest,
        key_path: keyPath,
      })),
      omitted,
    })),
  });
