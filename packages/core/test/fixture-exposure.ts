import type { FixtureCatalogName } from "@plasm/testkit";
import type { Policy } from "../src/policy/policy.ts";
import type { Exposure, Notation } from "../src/symbols/exposure.ts";
import { entitySymbol, methodSymbol, nameSymbol } from "../src/symbols/symbols.ts";
import { foldWaves, type WaveEntry } from "../src/symbols/waves.ts";
import { compareCodePoints } from "../src/base/text.ts";
import { fixtureCatalogs } from "./fixture-catalogs.ts";

/** One wave of a test: a catalog, and its entities; all that are not abstract unless named. */
export type FixtureWave = FixtureCatalogName | readonly [FixtureCatalogName, ...string[]];

export interface FixtureExposureOptions {
  readonly policy?: Policy;
  readonly notation?: Notation;
  readonly readOnly?: boolean;
}

/** An exposure of fixture catalogs, wave by wave, as sessions make them (TEACH-4, TEACH-5). */
export function fixtureExposure(
  waves: readonly FixtureWave[],
  options: FixtureExposureOptions = {},
): Exposure {
  const names = [...new Set(waves.map((wave) => (typeof wave === "string" ? wave : wave[0])))];
  const catalogs = fixtureCatalogs(...names);
  const log = waves.map((wave): WaveEntry => {
    const [entryId, ...named] = typeof wave === "string" ? [wave] : wave;
    const catalog = catalogs.get(entryId);
    if (catalog === undefined) throw new Error(`No fixture catalog ${entryId}.`);
    const all = [...catalog.cgs.entities.values()].filter((entity) => !entity.abstract);
    const entities = named.length > 0 ? named : all.map(({ name }) => name);
    return { entryId, digest: catalog.digest, entities: entities.toSorted(compareCodePoints) };
  });
  return {
    catalogs,
    log,
    symbols: foldWaves(log, catalogs),
    notation: options.notation ?? "symbols",
    policy: options.policy ?? {},
    readOnly: options.readOnly ?? false,
  };
}

/** All of quay: Boat `e1`, Log, Office, Paper, Person, Visit (language specification, section 10). */
export const quayExposure: Exposure = fixtureExposure(["quay"]);

/** All of quay, then all of yard, whose Boat is another one. */
export const quayAndYard: Exposure = fixtureExposure(["quay", "yard"]);

/** The symbol of a name in a session: `p20`; throws if it has none. */
export function p(name: string, exposure: Exposure = quayExposure): string {
  const symbol = nameSymbol(exposure.symbols, name);
  if (symbol === null) throw new Error(`${name} has no symbol.`);
  return symbol;
}

/** The symbol of an entity: `e1`. */
export function e(entryId: string, entity: string, exposure: Exposure = quayExposure): string {
  const symbol = entitySymbol(exposure.symbols, { entryId, entity });
  if (symbol === null) throw new Error(`${entity} has no symbol.`);
  return symbol;
}

/** The symbol of a method of quay: `m3`. */
export function m(entity: string, label: string, exposure: Exposure = quayExposure): string {
  const symbol = methodSymbol(exposure.symbols, { entryId: "quay", entity, label });
  if (symbol === null) throw new Error(`${label} has no symbol.`);
  return symbol;
}
