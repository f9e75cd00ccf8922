import { type Sweep, sweepRows } from "@plasm/testkit";
import type { CatalogSet } from "../src/catalog/federation.ts";
import { compileProgram } from "../src/plan/compile.ts";
import { CURRENT_FEATURES, type Features } from "../src/policy/policy.ts";
import type { Notation } from "../src/symbols/exposure.ts";
import { executableRows } from "./executable-rows.ts";
import { promptText } from "../src/teaching/wave-text.ts";
import { type Call, teach } from "./teach.ts";

/** Sweeps the rows of a session: all that it was taught is filled from its text and compiled (TEACH-19). */
export function swept(
  catalogs: CatalogSet,
  calls: readonly Call[],
  notation: Notation,
  features: Features = CURRENT_FEATURES,
): Sweep {
  const { waves, exposure } = teach(catalogs, calls, { notation, features });
  return sweepRows({
    text: promptText(waves),
    claims: executableRows(exposure, features),
    compile: (program) => compileProgram(program, exposure, { features }),
  });
}

/** All entities of a catalog that may be seeds, in one call. */
export function wholeCall(catalogs: CatalogSet, entryId: string): Call {
  const entities = [...(catalogs.get(entryId)?.cgs.entities.values() ?? [])];
  const names = entities.flatMap(({ abstract, name }) => (abstract ? [] : [name]));
  return [[entryId, ...names]];
}
