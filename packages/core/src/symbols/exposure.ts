import type { CatalogSet } from "../federation/catalog-set.ts";
import type { Policy } from "../policy/policy.ts";
import type { SymbolMap } from "./symbol-map.ts";
import type { WaveEntry } from "./wave-entry.ts";

/** How a session writes names in tables and plans: as symbols (`e1`, `p7`) or as they are. */
export type Notation = "symbols" | "names";

/** Everything a program is read against: catalogs, wave log, its fold, and policy (PLAN-001). */
export interface Exposure {
  readonly catalogs: CatalogSet;
  readonly log: readonly WaveEntry[];
  readonly symbols: SymbolMap;
  readonly notation: Notation;
  readonly policy: Policy;
  /** the session refuses what changes data, whatever policy allows (TEACH-25) */
  readonly readOnly?: boolean;
}
