import type { CatalogSet, EntityKey } from "../catalog/federation.ts";
import { entitiesNamed, type Notation } from "../symbols/exposure.ts";
import {
  entitySymbol,
  isSymbolShaped,
  type MethodKey,
  methodSymbol,
  nameSymbol,
  type SymbolMap,
} from "../symbols/symbols.ts";
import type { AccessRules } from "../check/access.ts";
import type { Features } from "../policy/policy.ts";
import type { Capability } from "../model/model.ts";

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
  /** whether rows have the arguments, too, that are taught on request alone (TEACH-46) */
  readonly inFull: boolean;
  /** null if the capability may be taught, else why not: policy, or what the engine cannot run */
  standing(key: EntityKey, capability: Capability): UntaughtReason | null;
}

/** How exposed things are written in a table: as symbols, or as wire names (TEACH-26). */
export interface Speller {
  readonly notation: Notation;
  /** an exposed entity, or null if it is not exposed */
  entity(key: EntityKey): string | null;
  /** an exposed entity as a heading introduces it: `e1 Tree`; in names `Tree`, `e4 Harvest` */
  introduced(key: EntityKey): string;
  method(key: MethodKey): string;
  /** a field, slot or column */
  name(wire: string): string;
  /** a relation behind a dot */
  step(wire: string): string;
}

const RESERVED = new Set(
  "_ page wait cancel any all not exists in true false null rows return let const var".split(" "),
);
const OPERATORS = new Set(
  "limit page_size singleton sort aggregate group_by distinct filter".split(" "),
);
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const STEP_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** The speller of a notation over what is exposed at this point. */
export function speller(notation: Notation, symbols: SymbolMap, catalogs: CatalogSet): Speller {
  return notation === "symbols" ? symbolSpeller(symbols) : nameSpeller(symbols, catalogs);
}

function symbolSpeller(symbols: SymbolMap): Speller {
  const name = (wire: string): string => nameSymbol(symbols, wire) ?? wire;
  return {
    notation: "symbols",
    entity: (key) => entitySymbol(symbols, key),
    introduced: (key) => `${entitySymbol(symbols, key) ?? ""} ${key.entity}`,
    method: (key) => methodSymbol(symbols, key) ?? key.label,
    name,
    step: name,
  };
}

/**
 * Wire names, but a symbol for what a program could not reach by its name: ambiguous and reserved
 * entities, names spelled like symbols, steps hidden by an operator (TEACH-26, LANG-021, LANG-024).
 */
function nameSpeller(symbols: SymbolMap, catalogs: CatalogSet): Speller {
  const byName = (wire: string, form: RegExp, symbol: string | null): string =>
    form.test(wire) && !isSymbolShaped(wire) ? wire : (symbol ?? wire);
  const step = (wire: string, symbol: string | null): string =>
    OPERATORS.has(wire) ? (symbol ?? wire) : byName(wire, STEP_NAME, symbol);
  const entity = (key: EntityKey): string | null => {
    const symbol = entitySymbol(symbols, key);
    if (symbol === null) return null;
    const [first] = entitiesNamed({ catalogs, symbols, notation: "names" }, key.entity);
    return first?.entryId !== key.entryId || RESERVED.has(key.entity)
      ? symbol
      : byName(key.entity, NAME, symbol);
  };
  return {
    notation: "names",
    entity,
    introduced: (key) => {
      const spelled = entity(key);
      return spelled === key.entity ? spelled : `${spelled ?? ""} ${key.entity}`;
    },
    method: (key) => step(key.label, methodSymbol(symbols, key)),
    name: (wire) => byName(wire, NAME, nameSymbol(symbols, wire)),
    step: (wire) => step(wire, nameSymbol(symbols, wire)),
  };
}
