import type { Capability, Catalog, Json, JsonObject } from "@plasm/core";
import { coerceValue, type ProjectedOverlay, slotsOf } from "@plasm/core/internal";
import { createDiagnosticLog, type PartialReason } from "../base/diagnostic.ts";
import { type Identity, makeIdentity } from "../decode/entity-row.ts";
import { EffectRecorder } from "../effects/effect-log.ts";
import { RunStop } from "../limits/limits.ts";
import type { BackendAccess } from "../limits/exchange.ts";
import { readDocuments } from "../overlays/overlay-document.ts";
import { projectOverlay } from "../overlays/project-overlay.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { identityParts } from "./read-capability.ts";
import { servedBy } from "./choose-get.ts";
import { createRunEngine, type RunEngine } from "./engine.ts";
import type { NodeContext } from "./feed.ts";
import { openList } from "./list-reader.ts";
import { performRead, prepareCall, type ReadAnswer } from "./perform-read.ts";
import { callIdentity, checkMarkers, naming } from "./read-get.ts";
import type { RunContext } from "./run-types.ts";

/** RUN-103: how many pages of a list an overlay is made of. */
const MOST_PAGES = 20;

/** What requests, errors and diagnostics of an overlay are counted under. */
const NODE = "overlay";

/** An overlay as read, with what was left out of it; or why it could not be read. */
export type OverlayOutcome =
  | { readonly ok: true; readonly overlay: ProjectedOverlay; readonly notes: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Whose schema it is, and how to read it: a store is asked in between (RUN-103). */
export type OverlayOrigin =
  | {
      readonly ok: true;
      /** tells credentials apart without holding them */
      readonly credential: string;
      readonly backend: string;
      read(): Promise<OverlayOutcome>;
    }
  | { readonly ok: false; readonly reason: string };

interface Reading {
  readonly engine: RunEngine;
  readonly site: NodeContext;
  readonly catalog: Catalog;
  readonly notes: Set<string>;
}

function argumentsOf(capability: Capability, given: Readonly<Record<string, string>>): JsonObject {
  const slots = new Map(slotsOf(capability).map((slot) => [slot.name, slot]));
  const typed = Object.entries(given).map(([name, text]): [string, Json] => {
    const input = slots.get(name)?.input;
    const coerced = input?.kind === "value" ? coerceValue(text, input.type) : { value: text };
    return [name, "value" in coerced ? coerced.value : text];
  });
  return Object.fromEntries(typed);
}

/** The identity that the arguments of a get make, and what is left of them. */
function splitIdentity(catalog: Catalog, capability: Capability, args: JsonObject) {
  const entity = catalog.cgs.entities.get(capability.entity);
  if (entity === undefined) throw new Error(`no entity ${capability.entity}`);
  const parts = identityParts(catalog, capability, entity);
  const key = Object.entries(args).flatMap(([name, value]) => {
    const part = parts.get(name);
    return part === undefined ? [] : [[part, value] as const];
  });
  const identity: Identity | null = makeIdentity(entity, Object.fromEntries(key));
  const rest = Object.entries(args).filter(([name]) => identity === null || !parts.has(name));
  return { identity, rest: Object.fromEntries(rest) };
}

async function getBody(reading: Reading, capability: Capability, args: JsonObject): Promise<Json> {
  const { engine, site, catalog } = reading;
  const { identity, rest } = splitIdentity(catalog, capability, args);
  const call = {
    catalog,
    ...servedBy(catalog, capability),
    args: rest,
    identity: identity === null ? null : callIdentity(identity),
    anchor: {},
    ambient: {},
  };
  const prepared = prepareCall(engine, call);
  const answer = await performRead(engine, site.id, prepared, prepared.description);
  if (answer.missing) {
    const name = identity?.text ?? capability.entity;
    throw new RunFailure(failure("not_found", `${name} does not exist.`, "correct the overlay"));
  }
  naming(answer, () => checkMarkers(engine, site, call, answer, "row"));
  return answer.body;
}

async function listBodies(
  { engine, site, catalog, notes }: Reading,
  capability: Capability,
  args: JsonObject,
): Promise<readonly Json[]> {
  const bodies: Json[] = [];
  const served = servedBy(catalog, capability);
  const call = { catalog, ...served, args, identity: null, anchor: {}, ambient: {} };
  const onAnswer = ({ body }: ReadAnswer): void => void bodies.push(body);
  const pages = openList({ engine, feed: site, call, mostPages: MOST_PAGES, onAnswer }, null);
  while (!pages.ended && !pages.cut) await pages.next();
  if (pages.unread !== null) notes.add(`${capability.name}: ${pages.unread}`);
  if (pages.cut) notes.add(`${capability.name} was read to page ${MOST_PAGES} only`);
  return bodies;
}

async function readAll(reading: Reading): Promise<OverlayOutcome> {
  const { catalog, notes } = reading;
  const rule = catalog.cgs.overlay;
  if (rule === undefined) throw new Error(`${catalog.entryId} has no overlay`);
  const documents = await readDocuments(rule.source, async (name, given) => {
    const capability = catalog.cgs.capabilities.get(name);
    if (capability === undefined) throw new Error(`no capability ${name}`);
    const transport = catalog.cml.get(name)?.transport;
    if (transport !== "http" && transport !== "graphql") {
      const what = `${name} goes by ${transport}, and a schema is read over http or graphql`;
      throw new RunFailure(failure("decode", `${what}.`, "name another capability"));
    }
    const args = argumentsOf(capability, given);
    return capability.kind === "get"
      ? [await getBody(reading, capability, args)]
      : listBodies(reading, capability, args);
  });
  const projected = projectOverlay(catalog, rule, documents);
  return { ok: true, overlay: projected.overlay, notes: [...notes, ...projected.notes] };
}

/** Why reading ended without a schema, in one line and without what the API said (RUN-143). */
function reasonOf(error: unknown): string {
  if (error instanceof RunStop) return error.reason;
  if (!(error instanceof RunFailure)) throw error;
  const { code, request, message } = error.failure;
  if (request === null) return `${code}: ${message}`;
  const { method, origin, pathTemplate, status } = request;
  return `${code}: ${method} ${origin}${pathTemplate}${status === null ? "" : ` answered ${status}`}`;
}

async function guarded(work: () => Promise<OverlayOutcome>): Promise<OverlayOutcome> {
  try {
    return await work();
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

async function readMarked(engine: RunEngine, catalog: Catalog): Promise<OverlayOutcome> {
  const marks: PartialReason[] = [];
  const log = createDiagnosticLog(NODE, engine.redactor.redact);
  const site: NodeContext = { id: NODE, log, mark: (reason) => marks.push(reason) };
  const outcome = await readAll({ engine, site, catalog, notes: new Set() });
  const [mark] = marks;
  return mark === undefined ? outcome : { ok: false, reason: `what was read is partial: ${mark}` };
}

/**
 * Opens the overlay of a catalog for the caller of a context (RUN-103): tells whose it is at once, and reads
 * it when asked to. The catalog is the context's own, without overlay. Throws only for defects.
 */
export async function openOverlay(context: RunContext, entryId: string): Promise<OverlayOrigin> {
  const engine = createRunEngine(context, [], {
    whole: new Set(),
    effects: new EffectRecorder(null, context.ports.clock),
    open: () => {
      throw new Error("an overlay has no nodes");
    },
  });
  let party: BackendAccess;
  try {
    party = await engine.party(entryId, NODE);
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
  return {
    ok: true,
    credential: party.credential.id,
    backend: party.backend.base,
    read: () =>
      guarded(() => readMarked(engine, engine.catalog(entryId))).finally(() => {
        engine.shelf.close();
      }),
  };
}
