import { authOf } from "./catalog/auth.ts";
import { backendOf, placeOperations } from "./catalog/backend.ts";
import { type CapabilityDraft, capabilityName } from "./catalog/capability-draft.ts";
import { findCapabilities } from "./catalog/capabilities.ts";
import { entityFields } from "./catalog/entity-fields.ts";
import { findEntities } from "./catalog/find-entities.ts";
import { shareNotes } from "./catalog/shared-notes.ts";
import { markRare } from "./catalog/small-tables.ts";
import { valueTable } from "./catalog/value-table.ts";
import { isDiscovery } from "./discovery/openapi-from-discovery.ts";
import { readDocument } from "./document/read-document.ts";
import { readOperations } from "./document/read-operations.ts";
import {
  compareText,
  isDocumentObject,
  type DocumentObject,
  listOf,
  memberOf,
  sortedEntries,
  textOf,
} from "./json.ts";
import { keptEntities, usedValues } from "./catalog/in-use.ts";
import { clause } from "./names/clause.ts";
import { OpenApiError, plainLine } from "./open-api-error.ts";
import { type CatalogDraft, domainText } from "./write/domain-text.ts";
import { mappingsText } from "./write/mappings-text.ts";
import type { FileForm } from "./write/file-text.ts";

/** How a catalog is to be called, and which part of a document it is made of. */
export interface FromOpenApiOptions {
  /** the id of the catalog, which is the name of its directory: names of variables come from it */
  readonly entryId: string;
  /** beginnings of paths (`/boats`) and tags (`boats`): operations that one of them names; all if none is given */
  readonly only?: readonly string[];
  /** the address of the API, in place of the document's: `https://api.example.com/v2` */
  readonly server?: string;
  /** whether faults of the document are looked for and told in `left`; true unless given */
  readonly validate?: boolean;
  /** whether the document may be changed: it has been parsed for this alone, and a copy of it is spared */
  readonly consume?: boolean;
  /** how the files are written; `yaml` unless given */
  readonly form?: FileForm;
}

/** The two files of a catalog, and what of the document is not in them. */
export interface CatalogFromDocument {
  readonly domain: string;
  readonly mappings: string;
  /** what was left out and why, one line each */
  readonly left: readonly string[];
  /** how many operations the document has, of those asked for, and how many the catalog reaches */
  readonly operations: number;
  readonly reached: number;
}

/** More than any table teaches; what lies beyond takes minutes to be named. */
const MOST_OPERATIONS = 5_000;

const ENTRY_ID = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

function infoOf(root: DocumentObject, form: string) {
  const info = memberOf(root, "info");
  const line = (key: string): string =>
    (textOf(memberOf(info, key)) ?? "")
      .replaceAll(/[\p{C}\p{Z}\s]+/gu, " ")
      .trim()
      .slice(0, 80);
  const [title, version] = [line("title") || "An API", line("version")];
  return {
    label: title,
    description: clause(textOf(memberOf(info, "description"))),
    source: `${title}${version === "" ? "" : ` ${version}`} in ${form}`,
  };
}

const ORDER = ["query", "search", "get", "singleton", "create", "update", "action", "delete"];

const byEntity = (a: CapabilityDraft, b: CapabilityDraft): number =>
  compareText(a.entity.name, b.entity.name) ||
  ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
  compareText(capabilityName(a), capabilityName(b));

/**
 * Makes a catalog of an OpenAPI document of 3.0 to 3.2 or Swagger 2.0: the texts of its two files, which load, plan
 * and run, and what was left out of them. Nothing is fetched; the same document gives the same texts.
 * Throws OpenApiError for a document that cannot be read, or that has nothing to make a catalog of.
 */
export async function catalogFromOpenApi(
  document: unknown,
  {
    entryId,
    only = [],
    server,
    validate = true,
    consume = false,
    form = "yaml",
  }: FromOpenApiOptions,
): Promise<CatalogFromDocument> {
  demandEntryId(entryId);
  const isFromDiscovery = isDiscovery(document);
  const {
    root,
    faults,
    left: unsaid,
  } = readDocument(document, {
    validate,
    mayChange: consume,
  });
  const read = readOperations(root, only);
  const { total } = read;
  if (total > MOST_OPERATIONS) throw tooMany(root, total);
  const backend = backendOf(root, server === undefined ? null : demandServer(server));
  const { operations, origins, left: elsewhere } = placeOperations(root, read.operations, backend);
  const left = [...read.left, ...elsewhere];
  const entities = findEntities(operations);
  const values = valueTable();
  const asked = new Set(operations.flatMap(({ query }) => query.map(({ name }) => name)));
  const fields = new Map(
    entities.all.map((entity) => [entity, entityFields(entity, entities, values, asked)]),
  );
  const found = findCapabilities(operations, entities, fields, values);
  if (found.capabilities.length === 0)
    throw nothingFound(root, total, only, [...unsaid, ...left, ...found.left]);
  const used = new Set(found.capabilities.map(({ entity }) => entity));
  const kept = keptEntities(entities.all, used, fields, found);
  const auth = authOf(root, entryId, new URL(backendOf(root).url).host, read.keys);
  const shared = shareNotes(found.capabilities, fields);
  const marked = markRare(shared.capabilities, shared.fields);
  const draft: CatalogDraft = {
    ...infoOf(root, isFromDiscovery ? "Google discovery" : "OpenAPI"),
    backend,
    origins,
    auth,
    values: usedValues(
      values.entries(),
      found.capabilities,
      kept.map((one) => fields.get(one)),
    ),
    entities: kept,
    abstract: new Set(kept.filter((entity) => !used.has(entity))),
    fields: marked.fields,
    relations: found.relations,
    capabilities: marked.capabilities.toSorted(byEntity),
  };
  return {
    domain: domainText(draft, form),
    mappings: mappingsText(draft, form),
    left: [
      ...unsaid,
      ...faults.map((fault) => `the document: ${fault}`),
      ...auth.left,
      ...sortedEntries(memberOf(root, "webhooks")).map(
        ([name]) => `the webhook ${name}: nothing is called by it`,
      ),
      ...[...left, ...found.left].toSorted(),
    ].map(plainLine),
    operations: total,
    reached: found.capabilities.length,
  };
}

/** Throws OpenApiError for what no catalog can be called (CAT-016). */
export function demandEntryId(entryId: string): void {
  if (ENTRY_ID.test(entryId)) return;
  throw new OpenApiError(
    `${JSON.stringify(entryId)} is no id of a catalog: small letters, digits, and _ . - after the first (CAT-016).`,
  );
}

/** Throws OpenApiError for what no catalog can have as its address (CAT-020). */
export function demandServer(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : null;
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.search}${url.hash}` === "";
  if (isPlain) return server;
  throw new OpenApiError(
    `${JSON.stringify(server)} is not the address of an API: give http or https, a host, and at most a path, for example https://api.example.com/v2.`,
  );
}

const tooMany = (root: DocumentObject, total: number): OpenApiError =>
  new OpenApiError(
    `The document has ${total} operations; a catalog is made of at most ${MOST_OPERATIONS}. Name some of them, by the beginning of their path or by a tag (--only).${beginnings(root)}`,
  );

function nothingFound(
  root: DocumentObject,
  total: number,
  only: readonly string[],
  left: readonly string[],
): OpenApiError {
  const wanted = only.length === 0 ? "" : ` of ${only.join(", ")}`;
  if (total === 0)
    return new OpenApiError(`The document has no operations${wanted}.${beginnings(root)}`);
  const why = left.slice(0, 5).map(plainLine).join("\n");
  return new OpenApiError(`None of the ${total} operations${wanted} can be in a catalog:\n${why}`);
}

const MOST = 20;

function listed(words: Iterable<string>): string {
  const all = [...new Set(words)].toSorted(compareText);
  const left = all.length - MOST;
  return `${all.slice(0, MOST).join(", ")}${left > 0 ? `, +${left}` : ""}`;
}

/** What operations of a document may be named by: the beginnings of its paths, and its tags. Empty if it has no paths. */
function beginnings(root: DocumentObject): string {
  const paths = memberOf(root, "paths");
  if (!isDocumentObject(paths)) return "";
  const firsts = Object.keys(paths).map((path) => path.split("/").slice(0, 2).join("/"));
  const tags = Object.values(paths)
    .filter(isDocumentObject)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) => listOf(memberOf(operation, "tags")))
    .filter((tag) => typeof tag === "string");
  if (firsts.length === 0) return "";
  const tagged = tags.length === 0 ? "" : `; its tags are ${listed(tags)}`;
  return ` Its paths begin with ${listed(firsts)}${tagged}.`;
}
