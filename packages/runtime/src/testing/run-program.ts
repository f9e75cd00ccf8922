import {
  ALL_FEATURES,
  type Catalog,
  compileProgram,
  foldWaves,
  formatErrors,
  type Plan,
} from "@plasm/core";

/** The plan of a program on all entities of some catalogs; its mistakes fail the test. */
export function planProgram(text: string, catalogs: readonly Catalog[]): Plan {
  const set = new Map(catalogs.map((catalog) => [catalog.entryId, catalog]));
  const log = catalogs.map(({ entryId, digest, cgs }) => ({
    entryId,
    digest,
    entities: [...cgs.entities.keys()].toSorted(),
  }));
  const symbols = foldWaves(log, set);
  const exposure = { catalogs: set, log, symbols, notation: "names", policy: {} } as const;
  const compiled = compileProgram(text, exposure, { features: ALL_FEATURES });
  if (compiled.kind === "plan") return compiled.plan;
  throw new Error(compiled.kind === "errors" ? formatErrors(compiled) : "a continuation");
}
