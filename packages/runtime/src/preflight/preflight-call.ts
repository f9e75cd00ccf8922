import type { Capability, Catalog, Json, JsonObject } from "@plasm/core";
import type { BoundFunctions } from "../request/build-request.ts";
import type { EntityRow, Identity } from "../decode/entity-row.ts";

/** The effect that steps are made before (RUN-104). */
export interface PreflightCall {
  readonly catalog: Catalog;
  readonly capability: Capability;
  /** arguments in the shape the catalog declares */
  readonly args: JsonObject;
  /** the row it is called on, or null */
  readonly target: Identity | null;
  /** what that row carries (RUN-044) */
  readonly ambient: JsonObject;
}

/** How steps read; both throw RunFailure or RunStop. */
export interface PreflightReads {
  /** One row by a get; null if the API has none. */
  one(capability: Capability, identity: Identity, ambient: JsonObject): Promise<EntityRow | null>;
  /** All rows of a list, to its last page. */
  all(capability: Capability, args: JsonObject, ambient: JsonObject): Promise<readonly EntityRow[]>;
}

/** What the steps of one effect have so far. */
export interface PreflightState {
  readonly call: PreflightCall;
  readonly reads: PreflightReads;
  /** rows of earlier `hydrate_invoke_target` steps, by prefix */
  readonly rows: Map<string, EntityRow>;
  /** what steps have bound so far */
  readonly bound: Record<string, Json>;
  readonly functions: BoundFunctions;
  /** variables of the session (RUN-015) */
  readonly variables: JsonObject;
}
