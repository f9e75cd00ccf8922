import {
  type Catalog,
  CURRENT_FEATURES,
  compileProgram,
  type Exposed,
  exposeSeeds,
  type Notation,
  openCatalog,
  promptText,
} from "@plasm/core";
import { canBeSeed } from "@plasm/core/internal";
import { executableRows } from "../../../packages/core/test/executable-rows.ts";
import { type Sweep, sweepRows } from "@plasm/testkit";

/** One call of a session: its catalogs, and the entities seeded of each. */
export type SweptCall = readonly (readonly [catalog: Catalog, entities: readonly string[]])[];

/** Sweeps the rows of a session that was seeded call by call, with any number of catalogs (TEACH-19). */
export function sweepSession(calls: readonly SweptCall[], notation: Notation): Sweep {
  const named = calls.flat().map(([catalog]) => [catalog.entryId, catalog] as const);
  const features = CURRENT_FEATURES;
  const setup = { catalogs: new Map(named), notation, policy: {}, features };
  const waves: Exposed["waves"][number][] = [];
  let exposed: Exposed | null = null;
  for (const call of calls) {
    const seeds = call.map(([{ entryId }, entities]) => ({ entryId, entities }));
    exposed = exposeSeeds({ ...setup, exposure: exposed, seeds });
    waves.push(...exposed.waves);
  }
  if (exposed === null) throw new Error("a session of no call");
  const { log, symbols } = exposed;
  const exposure = { ...setup, log, symbols };
  return sweepRows({
    text: promptText(waves),
    claims: executableRows(exposure, features),
    compile: (program) => compileProgram(program, exposure, { features }),
  });
}

/** Sweeps the rows of some entities of a catalog, or of all that may be seeds. */
export const sweepCatalog = (
  catalog: Catalog,
  notation: Notation,
  entities: readonly string[] = seedsOf(catalog),
): Sweep => sweepSession([[[catalog, entities]]], notation);

/** The entities of a catalog that a session may be opened with, abstract ones included. */
export const seedsOf = ({ cgs }: Catalog): readonly string[] =>
  [...cgs.entities.values()].flatMap((entity) => (canBeSeed(cgs, entity) ? [entity.name] : []));

/** Opens the two files of a catalog; throws with what is wrong with them. */
export function openTexts(
  entryId: string,
  { domain, mappings }: { readonly domain: string; readonly mappings: string },
): Catalog {
  const { catalog, diagnostics } = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics));
  return catalog;
}
