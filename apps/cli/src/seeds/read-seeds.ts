import { usageError } from "../cli-error.ts";
import type { LastSearch } from "../workspace/last-search.ts";

/** An entity as a command line names it; its server finds out whose it is where that is not said. */
export interface NamedSeed {
  readonly api?: string;
  readonly entity: string;
}

/** What the last search found under that name; else the server knows it, or nobody (SURF-21). */
function searched(entity: string, search: LastSearch | null): NamedSeed {
  const found = (search?.options ?? []).filter((option) => option.entity === entity);
  const [only = { entity }, other] = found;
  if (other === undefined) return only;
  const choice = found.map((option) => `${option.api}:${option.entity}`).join(" or ");
  throw usageError(`The last search found ${entity} several times. Write ${choice}.`);
}

/**
 * The seeds a command line names: `API:ENTITY`, or `ENTITY` alone, by which the one is meant that the last
 * search found, else the one that any catalog has (SURF-21). Throws CliError.
 */
export function readSeeds(
  names: readonly string[],
  search: LastSearch | null,
): readonly NamedSeed[] {
  return names.map((name) => {
    if (!name.includes(":") && name.trim() !== "") return searched(name, search);
    const [, api, entity] = /^([^:]+):(.+)$/s.exec(name) ?? [];
    if (api !== undefined && entity !== undefined) return { api, entity };
    throw usageError(`${name} is not API:ENTITY, as plasm search GOAL prints them.`);
  });
}
