import type { Entity, Json, JsonObject } from "@plasm/core";
import {
  evaluateValues,
  type HttpTemplate,
  type RequestTemplate,
  templateExpressions,
} from "@plasm/core/internal";
import { isObject } from "../base/json-kinds.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { apiText } from "../decode/api-text.ts";
import { decodeRow } from "../decode/decode-row.ts";
import { type EntityRow, type Identity, noteLoaded } from "../decode/entity-row.ts";
import { firstPage, type PageState } from "../decode/page-state.ts";
import { mappedValue } from "../request/build-request.ts";
import { type CapabilityCall, readCallEnvironment } from "../request/environment.ts";
import type {
  ForeignTemplate,
  TransportCall,
  TransportPage,
  TransportReader,
} from "../transport-reader.ts";
import type { RunEngine, ReadCall } from "./engine.ts";
import type { NodeContext } from "./feed.ts";
import { type ListPages, type ListState, openPages, type PageSource } from "./list-pages.ts";
import { performRead, prepareCall, type PreparedCall, callNames } from "./perform-read.ts";
import { callIdentity } from "./read-get.ts";

/** Whether a registered reader serves a mapping, and not the runtime itself. */
export function isForeign(template: RequestTemplate | undefined): template is ForeignTemplate {
  switch (template?.transport) {
    case undefined:
    case "http":
    case "graphql":
    case "view":
      return false;
    default:
      return true;
  }
}

/** Reads one row by the reader of its transport; null if the API has none. Throws RunFailure or RunStop. */
export async function readForeign(
  engine: RunEngine,
  site: NodeContext,
  call: ReadCall,
  template: ForeignTemplate,
  requested: Identity | null,
): Promise<EntityRow | null> {
  const reading = openReading(engine, site, call, template, requested);
  const { rows, bytes } = await reading.read({});
  const [row] = rows;
  if (row === undefined) return null;
  engine.budget.takeRows(1);
  engine.cache.put(call.catalog.digest, row, bytes);
  return row;
}

/** A list by the reader of its transport, from its first page or from where a cursor left it. */
export function foreignPages(
  engine: RunEngine,
  site: NodeContext,
  call: ReadCall,
  template: ForeignTemplate,
  from: ListState | null,
  mostPages: number,
): ListPages {
  let reading: Reading | null = null;
  const source: PageSource = {
    engine,
    feed: site,
    digest: call.catalog.digest,
    first: firstPage(undefined, {}),
    mostPages,
    read: async (page) => {
      reading ??= openReading(engine, site, call, template, null);
      const { rows, position, ended, bytes } = await reading.read(page.values);
      const next: PageState = { ...page, page: page.page + 1, values: position, ended };
      return { rows: [...rows], next, bytes, repeated: false };
    },
  };
  return openPages(source, from);
}

/** A read that is open: what reads a page of it as rows. */
interface Reading {
  read(
    position: JsonObject,
  ): Promise<Omit<TransportPage, "rows"> & { readonly rows: readonly EntityRow[] }>;
}

function openReading(
  engine: RunEngine,
  site: NodeContext,
  call: ReadCall,
  template: ForeignTemplate,
  requested: Identity | null,
): Reading {
  const reader = readerOf(engine, call, template);
  const prepared = prepareForeign(engine, call, requested);
  const pages = reader.open(transportCall(engine, site, prepared, template));
  return {
    read: async (position) => {
      const page = await pages(position);
      const rows: EntityRow[] = [];
      for (const fields of page.rows)
        rows.push(entityRow(site, prepared, fields, requested, rows.length));
      return { ...page, rows };
    },
  };
}

function readerOf(
  engine: RunEngine,
  call: ReadCall,
  { transport }: ForeignTemplate,
): TransportReader {
  const reader = engine.context.ports.readers?.get(transport);
  if (reader !== undefined) return reader;
  throw new RunFailure(
    failure(
      "argument_invalid",
      `${call.capability.label} reads over ${transport}, for which no reader is registered here.`,
      `let the operator register a reader of ${transport} among the ports of the engine`,
    ),
  );
}

/** A POST to the effective backend itself, which is the endpoint (MAP-053). */
const ENDPOINT: HttpTemplate = Object.freeze({
  transport: "http",
  method: "POST",
  path: [],
  bodyFormat: "json",
  response: { single: true, wrapRootScalar: false, declared: false },
});

/** What every request of a read has in common; its description is replaced. */
function prepareForeign(
  engine: RunEngine,
  call: ReadCall,
  requested: Identity | null,
): PreparedCall {
  const identity = requested === null ? null : callIdentity(requested);
  const posted: CapabilityCall = { ...call, template: ENDPOINT, identity };
  return prepareCall(engine, posted, readCallEnvironment(posted));
}

function transportCall(
  engine: RunEngine,
  site: NodeContext,
  prepared: PreparedCall,
  template: ForeignTemplate,
): TransportCall {
  const { call, environment } = prepared;
  const { entryId } = call.catalog;
  const { name, label } = call.capability;
  return {
    template,
    entryId,
    capability: { name, label },
    values: valuesOf(engine, prepared, template),
    argument: (key) => environment.rest[key],
    post: async (what, value) => {
      const { body, bytes, missing, request } = await performRead(engine, site.id, prepared, {
        transport: template.transport,
        method: "POST",
        path: "",
        pathTemplate: `#${what}`,
        query: [],
        headers: [],
        body: { format: "json", value },
      });
      const said = () => apiText(body, engine.redactor.redact);
      return { body, bytes, missing, request, said };
    },
    oncePerEndpoint: async (ask) => {
      const { backend } = await engine.party(entryId, site.id);
      const { endpoints } = engine;
      const known = endpoints.get(backend.base) ?? ask();
      endpoints.set(backend.base, known);
      try {
        return await known;
      } catch (error) {
        endpoints.delete(backend.base);
        throw error;
      }
    },
    report: (code, detail, index) => site.log.add(code, detail, index),
  };
}

/** The values of a template's expressions over the names of a read (RUN-010). Throws RunFailure. */
function valuesOf(
  engine: RunEngine,
  { call, environment }: PreparedCall,
  template: ForeignTemplate,
): readonly (Json | undefined)[] {
  const { rest, optional } = callNames(engine, call, environment);
  return mappedValue(
    evaluateValues(templateExpressions(template), {
      bindings: new Map(Object.entries(rest)),
      optional,
      functions: engine.functions,
    }),
  );
}

/** A row of decoded fields: identity, types and diagnostics as of any other row (RUN-033, RUN-043). */
function entityRow(
  site: NodeContext,
  { call: { catalog, capability }, environment }: PreparedCall,
  fields: JsonObject,
  requested: Identity | null,
  index: number,
): EntityRow {
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
  noteLoaded(row, capability.name);
  site.log.read(1);
  return row;
}

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
