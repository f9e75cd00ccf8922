import { type CatalogFromDocument, catalogFromOpenApi } from "./catalog-from-open-api.ts";
import { catalogFromGraphql, isGraphql } from "./catalog-from-graphql.ts";
import type { FileForm } from "./write/file-text.ts";
import { isDiscovery } from "./discovery/openapi-from-discovery.ts";
import { parseOpenApi } from "./document/parse-document.ts";
import { listOf, memberOf, textOf } from "./json.ts";
import { catalogId } from "./names/catalog-id.ts";
import { OpenApiError } from "./open-api-error.ts";

/** The text of a document that is let go of when it is taken: a large one must not stand beside all that is made of it. */
export interface TextToTake {
  take(): string;
}

/** How a catalog is to be called and made, where nobody has looked into its document yet. */
export interface FromTextOptions {
  /** the id of the catalog; by where the document is, or by what it says of itself, if not given */
  readonly entryId?: string;
  /** where the document is, as a person has said it: a path, an address, or `-` */
  readonly from: string;
  /** where the document was fetched, for addresses in it that are relative; null where it was not */
  readonly url: string | null;
  /** whether `url` is a GraphQL endpoint, which was asked for its schema */
  readonly isEndpoint: boolean;
  /** beginnings of paths, and tags */
  readonly only: readonly string[];
  /** the address of the API, in place of the one that the document names */
  readonly server?: string;
  readonly form: FileForm;
}

/** A catalog that was made of a document, and its id. */
export interface MadeCatalog extends CatalogFromDocument {
  readonly entryId: string;
}

/**
 * Makes a catalog of the text of a document: OpenAPI, Swagger or Google discovery in JSON or YAML, or a GraphQL schema.
 * Throws OpenApiError.
 */
export async function catalogFromText(
  text: TextToTake,
  { entryId, from, url, isEndpoint, server, only, form }: FromTextOptions,
): Promise<MadeCatalog> {
  const opened = open(text);
  const called = (id: string, beside: string | undefined) => {
    const address = server ?? beside;
    return { entryId: id, only, form, ...(address === undefined ? {} : { server: address }) };
  };
  if ("schema" in opened) {
    const options = called(
      entryId ?? demandId(catalogId(from, null)),
      isEndpoint ? endpointOf(url) : undefined,
    );
    return { entryId: options.entryId, ...(await catalogFromGraphql(opened.schema, options)) };
  }
  const { document } = opened;
  const id = entryId ?? demandId(catalogId(from, document));
  const options = called(id, serverBeside(document, url));
  return { entryId: id, ...(await catalogFromOpenApi(document, { ...options, consume: true })) };
}

/** What a document is, by its text, which nothing holds any more once this has returned. */
function open(source: TextToTake): { readonly schema: string } | { readonly document: unknown } {
  const text = source.take();
  return isGraphql(text) ? { schema: text } : { document: parseOpenApi(text) };
}

function demandId(found: string): string {
  if (found !== "") return found;
  throw new OpenApiError("neither its name nor its title gives an id: add --id, as in --id shop.");
}

/**
 * The address that a relative server of a fetched document stands for: OpenAPI takes it from where the document is.
 * Undefined where the document names its server, or was not fetched.
 */
function serverBeside(document: unknown, url: string | null): string | undefined {
  if (url === null || isDiscovery(document)) return undefined;
  const given = serverIn(document);
  if (given === undefined || /^[a-z][a-z0-9+.-]*:|[{}]/i.test(given)) return undefined;
  if (!URL.canParse(given, url)) return undefined;
  const { origin, pathname } = new URL(given, url);
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, "")}`;
}

/** Where a document says that its API is; undefined where it says a whole address. */
function serverIn(document: unknown): string | undefined {
  if (memberOf(document, "swagger") !== undefined)
    return textOf(memberOf(document, "host")) === undefined
      ? (textOf(memberOf(document, "basePath")) ?? "/")
      : undefined;
  const [first] = listOf(memberOf(document, "servers"));
  return first === undefined ? "/" : textOf(memberOf(first, "url"));
}

/** The address of an endpoint without what belongs to one request. */
function endpointOf(url: string | null): string | undefined {
  if (url === null) return undefined;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
