import type { Catalog, Entity, Json, JsonObject } from "@plasm/core";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import type { Identity } from "./entity-row.ts";

/** What decoding the rows of one response needs besides the response. */
export interface DecodeContext {
  readonly catalog: Catalog;
  readonly log: DiagnosticLog;
}

/** What is known of a row before its wire form is read. */
export interface RowOrigin {
  readonly entity: Entity;
  /** the capability's explicit `provides`; absent for reads that list none (RUN-035) */
  readonly provides: ReadonlySet<string> | null;
  /** scope arguments, path variables and anchor of the request (RUN-044) */
  readonly ambient: JsonObject;
  /** the identity that the request named: get, update, delete, action (RUN-043) */
  readonly requested: Identity | null;
  /** what its static fields hold, where an overlay says so (RUN-103) */
  readonly statics?: JsonObject | null;
  /** what a list was asked in, by the name of the field that says so; fills what the wire lacks (RUN-044) */
  readonly scope?: JsonObject;
  /** index of the row in its response, for diagnostics */
  readonly index: number;
}

/** An entity of the context's catalog; a target that does not exist is a broken invariant. */
export function entityOf(context: DecodeContext, name: string): Entity {
  const entity = context.catalog.cgs.entities.get(name);
  if (entity === undefined) throw new Error(`no entity ${name} in ${context.catalog.entryId}`);
  return entity;
}

/** The member of an object, its own only. */
export function ownMember(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
