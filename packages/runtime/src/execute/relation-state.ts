import type { JsonObject } from "@plasm/core";
import type { EntityRow } from "../decode/entity-row.ts";
import { isArray, isObject } from "../json-kinds.ts";
import type { ListState } from "./list-pages.ts";
import { readAgain } from "./list-sets.ts";
import type { MarkedPlace } from "./marks.ts";
import { withShown } from "./shown-rows.ts";
import { listFrom } from "./stored-state.ts";

/** Where reading the targets of one source row goes on. */
export interface RestoredList {
  readonly list: ListState;
  /** what that row is known by, where it is known */
  readonly of: string | null;
}

/** What a relation's saved state says of the source row it was at. */
export function restoredList(state: JsonObject | null): RestoredList | null {
  const list = state?.["list"] ?? null;
  const of = state?.["of"];
  return list === null ? null : { list: listFrom(list), of: typeof of === "string" ? of : null };
}

/** What a source row is known by when it comes again. */
export const sourceName = ({ identity }: EntityRow): string | null => identity?.text ?? null;

/**
 * The state in which a source row's targets are read again from a marked place (PLAN-083); `state` is
 * the present one, at the source row of index `present`.
 */
export function followedAgain(
  state: JsonObject,
  { place, given }: MarkedPlace,
  present: number,
): JsonObject {
  const { source, list, of = null } = place;
  const bare = given.filter((name) => name === null);
  const seen = isArray(state["seen"]) ? state["seen"] : [];
  const now = source === present ? state : {};
  return {
    attempted: Number(source),
    ...withShown(place, bare),
    seen: seen.slice(0, Number(place["seen"]) + given.length - bare.length),
    list: isObject(list) ? (readAgain(now, list)["list"] ?? null) : null,
    of,
  };
}
