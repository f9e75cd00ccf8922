import { usageError } from "../cli-error.ts";
import type { FoundEntity, LastSearch } from "../workspace/last-search.ts";

const written = ({ api, entity }: FoundEntity): string => `${api}:${entity}`;

function searched(entity: string, search: LastSearch | null): FoundEntity {
  const found = (search?.options ?? []).filter((option) => option.entity === entity);
  const [only, other] = found;
  if (only === undefined) {
    const known = search === null ? "There was no search yet" : "The last search did not find it";
    throw usageError(`${entity}: an entity is API:ENTITY, such as quay:Boat. ${known}.`);
  }
  if (other !== undefined) {
    const choice = found.map(written).join(" or ");
    throw usageError(`The last search found ${entity} several times. Write ${choice}.`);
  }
  return only;
}

/**
 * The seeds a command line names: `API:ENTITY`, or `ENTITY` alone where the last search found it
 * once (SURF-21). Throws CliError.
 */
export function readSeeds(
  names: readonly string[],
  search: LastSearch | null,
): readonly FoundEntity[] {
  return names.map((name) => {
    const colon = name.indexOf(":");
    if (colon < 0) return searched(name, search);
    const [api, entity] = [name.slice(0, colon), name.slice(colon + 1)];
    if (api !== "" && entity !== "") return { api, entity };
    throw usageError(`${name} is no API:ENTITY, such as quay:Boat.`);
  });
}
