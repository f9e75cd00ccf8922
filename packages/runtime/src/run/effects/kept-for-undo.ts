import { createHash } from "node:crypto";
import {
  type Capability,
  canonicalJson,
  type Entity,
  type Json,
  type JsonObject,
} from "@plasm/core";
import { capabilitiesOf, type EffectBody, slotsOf } from "@plasm/core/internal";
import { type EntityRow, type Identity, makeIdentity } from "../../decode/entity-row.ts";
import type { KeptForUndo } from "../../effects/effect-log.ts";
import { cleanJson } from "../../decode/api-text.ts";
import { followKeys } from "../../decode/response-body.ts";
import { clip, jsonText } from "../../base/json-kinds.ts";
import { failure, RunFailure } from "../../base/run-failure.ts";
import type { Row } from "../../rows/row.ts";
import { chooseGet } from "../choose-get.ts";
import type { RunEngine } from "../engine.ts";
import { keyRow } from "../hydrate.ts";
import type { CalledOn } from "./effect-arguments.ts";

/** A value as it is compared with what an effect left: equal values have equal digests. */
export const comparedDigest = (value: Json): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 32);

/** Whether what an effect changes is kept, so that it can be taken back (UNDO-03). */
const isKept = ({ undo, kind }: Capability): boolean =>
  undo !== undefined && undo.kind !== "none" && kind !== "create";

type Undoes = NonNullable<EffectBody["undoes"]>;

/** How the row of an effect is read ahead of it: null if there is no such row. */
export type ReadRow = (get: Capability, identity: Identity) => Promise<EntityRow | null>;

/**
 * The row that an effect is about to change, where it is kept or has to be as another effect left it (UNDO-03, UNDO-06);
 * null where there is none, undefined where nothing is read. Throws RunFailure where it was changed since, or RunStop.
 */
export async function rowBefore(
  engine: RunEngine,
  { catalog, capability, entity, target }: CalledOn,
  undoes: Undoes | undefined,
  read: ReadRow,
): Promise<EntityRow | null | undefined> {
  if (!isKept(capability) && undoes === undefined) return undefined;
  const identity = undoes === undefined ? target : makeIdentity(entity, undoes.key);
  if (identity === null) return undefined;
  const { mayRead = () => true } = engine.context;
  const names = [...entity.fields.keys()];
  const asked = keyRow(catalog, entity, identity, {});
  const get = chooseGet(catalog, asked, names, names, (one) => mayRead(catalog, one));
  if (get === null) {
    if (undoes === undefined) return undefined;
    throw held(`${identity.text} cannot be read`, "ask whoever runs this server for that read");
  }
  const row = await read(get, identity);
  if (undoes !== undefined) refuseChanged(undoes, identity, row);
  return row;
}

const held = (what: string, correction: string): RunFailure =>
  new RunFailure(failure("precondition_failed", `${what}: it is not taken back.`, correction));

/** How many fields a message names. */
const SHOWN = 3;

/** Refuses to take an effect back from a row that is not as the effect left it (UNDO-06). */
function refuseChanged(
  { ref, seq, left, before = {}, given = [] }: Undoes,
  identity: Identity,
  row: EntityRow | null,
): void {
  const { text } = identity;
  const by = `effect ${seq} of ${ref}`;
  if (left === null) {
    if (row === null) return;
    throw held(`${text} is there again since ${by}`, "look at it; nothing has to be made again");
  }
  if (row === null) {
    const what = `${text}, which ${by} left, is gone`;
    throw new RunFailure(failure("not_found", `${what}.`, "there is nothing to take back"));
  }
  const changed = Object.entries(left).flatMap(([name, was]) => {
    // Its API leaves out what is empty, and gave it before.
    const isEmpty = !row.fields.has(name) && given.includes(name);
    const now = isEmpty ? null : row.fields.get(name);
    if (now === undefined || [was, before[name]].includes(comparedDigest(now))) return [];
    return [`${name} is ${clip(jsonText(now), 40)}`];
  });
  if (changed.length === 0) return;
  const shown = changed.slice(0, SHOWN).join(", ");
  const more = changed.length > SHOWN ? ` and ${changed.length - SHOWN} more` : "";
  throw held(
    `${text} was changed since ${by}, ${shown}${more} now`,
    "read it and decide what it should be: somebody changed it, or its API stores what it is sent otherwise, or empties what it is not sent; undo the others by their numbers",
  );
}

/**
 * The fields of a row as its API has them: what answers leave out of texts, such as control characters, is put back (RUN-143).
 */
function asWritten({ fields }: Entity, row: EntityRow): JsonObject {
  const written = [...row.fields].map(([name, value]): [string, Json] => {
    const field = fields.get(name);
    if (field === undefined || field.derive !== undefined) return [name, value];
    const raw = followKeys(row.wire, field.path ?? [name]);
    const isSame = raw.found && jsonText(cleanJson(raw.value)) === jsonText(value);
    return [name, isSame ? raw.value : value];
  });
  return Object.fromEntries(written);
}

/** What is kept of an effect before it is sent (UNDO-03); null where nothing is. */
export function keptBefore(
  { capability, entity, target, args }: CalledOn & { readonly args: JsonObject },
  row: EntityRow | null | undefined,
): KeptForUndo | null {
  const { undo, kind } = capability;
  if (undo === undefined || undo.kind === "none") return null;
  if (kind === "create") {
    return { key: null, before: null, sent: Object.keys(args), left: null, loose: [] };
  }
  if (target === null || row === null || row === undefined) return null;
  const before = asWritten(entity, row);
  return { key: target.key, before, sent: Object.keys(args), left: null, loose: [] };
}

/** The fields that effects of an entity set by an argument of their name. */
function writable(engine: RunEngine, entryId: string, entity: Entity): ReadonlySet<string> {
  const { cgs } = engine.catalog(entryId);
  const effects = capabilitiesOf(cgs, entity.name).filter(
    ({ kind }) => kind === "create" || kind === "update",
  );
  const names = effects.flatMap((one) => slotsOf(one).map(({ name }) => name));
  return new Set(names.filter((name) => entity.fields.has(name)));
}

/** The arguments of a restore by the field that each sets. */
function setBy({ undo }: Capability, names: readonly string[]): ReadonlyMap<string, string> {
  const { args } = undo?.kind === "restore" ? undo : { args: new Map<string, string>() };
  return new Map(names.map((name) => [args.get(name) ?? name, name]));
}

/**
 * The same once the effect is done, with what it left (UNDO-04): what the API answered, else what was sent, and what it
 * did not touch as it was. Fields that it changed unasked, such as a time, are told apart: others change them, too. One that
 * a restore can set is its own change, as where a PUT empties what it is not sent: it counts as sent (UNDO-10).
 */
export function keptAfter(
  engine: RunEngine,
  { catalog, capability, entity, args }: CalledOn & { readonly args: JsonObject },
  kept: KeptForUndo,
  before: EntityRow | null,
  rows: readonly Row[],
): KeptForUndo {
  const { kind, undo } = capability;
  if (kind === "delete") return kept;
  const base = rows.length === 1 ? rows[0]?.base : undefined;
  const answered = base?.entity === entity.name ? base.fields : new Map<string, Json>();
  const key = kept.key ?? base?.identity?.key ?? null;
  const asked = new Map(
    [...setBy(capability, Object.keys(args))].map(([field, name]) => [field, args[name]]),
  );
  const settable =
    undo?.kind === "restore"
      ? setBy(
          capability,
          slotsOf(capability).map((slot) => slot.name),
        )
      : new Map<string, string>();
  const set = writable(engine, catalog.entryId, entity);
  const left: Record<string, string> = {};
  const loose: string[] = [];
  const unasked: string[] = [];
  for (const name of entity.fields.keys()) {
    const was = before?.fields.get(name);
    const now = answered.get(name);
    if (now !== undefined) {
      const isSame = was === undefined || comparedDigest(was) === comparedDigest(now);
      const argument = isSame || asked.has(name) || was === null ? undefined : settable.get(name);
      if (argument !== undefined) unasked.push(argument);
      const isOwn = isSame || asked.has(name) || argument !== undefined;
      if (isOwn) left[name] = comparedDigest(now);
      else loose.push(name);
    } else if (asked.has(name)) {
      left[name] = comparedDigest(asked.get(name) ?? null);
    } else if (was !== undefined && set.has(name)) {
      left[name] = comparedDigest(was);
    }
  }
  return { ...kept, key, left, loose, sent: [...kept.sent, ...unasked] };
}
