import type { Entity, Json, JsonObject } from "@plasm/core";
import { decodeRow } from "../../decode/decode-row.ts";
import type { EntityRow, Identity } from "../../decode/entity-row.ts";
import { isObject } from "../../base/json-kinds.ts";
import type { NodeContext } from "../feed.ts";
import type { EvmCall } from "./evm-call.ts";

/** A wire row with each decoded field where the entity's field looks for it. */
function wireRow(entity: Entity, fields: JsonObject): Json {
  let row: Json = {};
  for (const [name, value] of Object.entries(fields)) {
    row = placed(row, entity.fields.get(name)?.path ?? [name], value);
  }
  return row;
}

function placed(into: Json, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const object = isObject(into) ? into : {};
  return { ...object, [key]: placed(object[key] ?? null, rest, value) };
}

/** A row of decoded fields: identity, types and diagnostics as of any other row (RUN-033, RUN-043). */
export function evmRow(
  site: NodeContext,
  { prepared: { call }, environment }: EvmCall,
  fields: JsonObject,
  requested: Identity | null,
  index: number,
): EntityRow {
  const { catalog, capability } = call;
  const entity = catalog.cgs.entities.get(capability.entity);
  if (entity === undefined) throw new Error(`no entity ${capability.entity}`);
  const { provides } = capability;
  const row = decodeRow({ catalog, log: site.log }, wireRow(entity, fields), {
    entity,
    provides: provides === undefined ? null : new Set(provides),
    ambient: environment.ambient,
    requested,
    index,
  });
  row.loadedBy.add(capability.name);
  return row;
}
