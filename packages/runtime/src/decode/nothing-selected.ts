import type { HttpTemplate, Json } from "@plasm/core";
import { isObject } from "../json-kinds.ts";

/**
 * Whether a wire row is a GraphQL object of which nothing was selected: one of a type that no fragment of the
 * operation is on. It is no row, like null; a selection that applies leaves its keys, whatever they hold.
 */
export function nothingSelected({ transport }: HttpTemplate, wire: Json): boolean {
  return transport === "graphql" && isObject(wire) && Object.keys(wire).length === 0;
}
