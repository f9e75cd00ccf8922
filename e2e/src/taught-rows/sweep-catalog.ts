import {
  type Catalog,
  CURRENT_FEATURES,
  compileProgram,
  executableRows,
  exposeSeeds,
  type Notation,
  promptText,
} from "@plasm/core";
import { type Sweep, sweepRows } from "@plasm/testkit";

/** Sweeps the rows of some entities of a catalog, or of all that may be seeds (TEACH-19). */
export function sweepCatalog(
  catalog: Catalog,
  notation: Notation,
  entities: readonly string[] = seedsOf(catalog),
): Sweep {
  const { entryId } = catalog;
  const features = CURRENT_FEATURES;
  const setup = { catalogs: new Map([[entryId, catalog]]), notation, policy: {}, features };
  const seeds = [{ entryId, entities }];
  const { waves, log, symbols } = exposeSeeds({ ...setup, exposure: null, seeds });
  const exposure = { ...setup, log, symbols };
  return sweepRows({
    text: promptText(waves),
    claims: executableRows(exposure, features),
    compile: (program) => compileProgram(program, exposure, { features }),
  });
}

/** The entities of a catalog that a session may be opened with. */
export const seedsOf = ({ cgs }: Catalog): readonly string[] =>
  [...cgs.entities.values()].flatMap(({ abstract, name }) => (abstract ? [] : [name]));
