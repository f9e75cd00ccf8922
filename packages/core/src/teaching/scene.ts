import type { AccessRules } from "../check/access.ts";
import type { CatalogSet } from "../federation/catalog-set.ts";
import type { EntityKey } from "../federation/entity-key.ts";
import type { Features } from "../policy/features.ts";
import type { Capability } from "../schema/capability.ts";
import type { SymbolMap } from "../symbols/symbol-map.ts";
import type { Speller } from "./speller.ts";

/** Why a capability of an exposed entity has no row (TEACH-24). */
export type UntaughtReason = "policy" | "not_plannable" | "shadowed" | "unexpressible_input";

/** A capability, or a relation as `Entity.relation`, that a wave does not teach. */
export interface Untaught {
  readonly capability: string;
  readonly reason: UntaughtReason;
}

/** Everything the rows of one wave are made from: what is exposed after it, and how it is written. */
export interface Scene {
  readonly catalogs: CatalogSet;
  readonly symbols: SymbolMap;
  readonly spell: Speller;
  readonly features: Features;
  /** what the check of a program goes by, so that both find the same reads */
  readonly rules: AccessRules;
  /** whether the session holds two catalogs or more: heads then read `entry_id.Entity` (TEACH-22) */
  readonly federated: boolean;
  /** null if the capability may be taught, else why not: policy, or what the engine cannot run */
  standing(key: EntityKey, capability: Capability): UntaughtReason | null;
}
