import type * as Importers from "@plasm/importers";
import { isJsonObject } from "../workspace/json-file.ts";
import { usageError } from "../cli-error.ts";
import type { ImportedFiles } from "./catalog-editing.ts";
import { applyImportOverlay, type OverlayText } from "./overlay.ts";
import type { SourceDocument } from "./document-files.ts";
import { isAddress } from "./read-source.ts";

/** How a document is to become a catalog. */
export interface ImportOptions {
  /** the catalog's id; taken from where the document is, or from its title, if not given */
  readonly id?: string;
  /** the address of the API, in place of the one that the document names */
  readonly server?: string;
  /** beginnings of paths, and tags */
  readonly only: readonly string[];
  /** what a person says about the catalog that the document makes */
  readonly overlay?: OverlayText;
  /** whether a program alone reads the catalog: it is written in the form that is read fastest, unless people correct it */
  readonly unread?: boolean;
}

/** A catalog that was made of a document, and how much of it that is. */
export interface MadeCatalog extends Importers.CatalogFromDocument {
  readonly entryId: string;
}

/** Names of files that say what a document is and not of which API. */
const GENERIC =
  /^(open-?api|swagger|graphi?ql|gql|introspection|sdl|query|api|apis|spec|schema|index|latest|docs?|api-docs|v?\d+(?!\d)|main|master|json|yaml)([._-]?(v?\d+(?!\d)|json|yaml|spec|schema|doc))*$/;
/** What the name of a file ends in that says its form. */
const FORM = /^(json|ya?ml|openapi|swagger|graphqls?|gql|sdl|v?\d+)$/;
const HOST = /^([a-z0-9-]+\.)+[a-z]{2,}$/;
/** Labels of hosts that say nothing of whose they are. */
const NOBODYS = /^(www|apis?|rest|docs?|developers?|dev|raw|cdn|app|gateway|portal|v\d+)$/;
/** Words of titles that every title may have. */
const FILLERS = /^(an?|the|of|for|apis?|rest|open-?api|swagger|specification|spec|v?\d+)$/;

export const slug = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|(?<![^a-z0-9])[^a-z0-9]+$/g, "")
    .slice(0, 64);

/** The label of a host that says whose it is: `stripe` of `api.stripe.com`. */
export function hostId(host: string): string {
  const labels = slug(host).split(".").slice(0, -1);
  return labels.findLast((label) => !NOBODYS.test(label) && label.length > 2) ?? "";
}

/** A Google discovery document, which names its API and its address itself. */
const isDiscovery = (document: unknown): boolean =>
  textIn(document, "kind")?.startsWith("discovery#") === true;

function titleId(document: unknown): string {
  const info = isJsonObject(document) ? document["info"] : null;
  const title = isJsonObject(info) ? info["title"] : null;
  const words = slug(typeof title === "string" ? title : "").split(/[.-]+/);
  return words
    .filter((word) => word !== "" && !FILLERS.test(word))
    .slice(0, 3)
    .join("-");
}

/** The last part of a path, without what says its form: `petstore` of `/docs/petstore.v1.openapi.json`. */
function fileId(path: string): string {
  const name = slug(path.split(/[/\\]/).findLast((part) => part !== "") ?? "");
  const parts = name.split(".");
  const bare = parts
    .slice(0, Math.max(1, parts.findLastIndex((part) => !FORM.test(part)) + 1))
    .join(".");
  if (HOST.test(bare)) return hostId(bare);
  return GENERIC.test(bare) ? "" : bare;
}

/** The id of a catalog that nobody has named. Throws CliError where nothing gives one. */
function idOf(from: string, document: unknown): string {
  const url = isAddress(from) && URL.canParse(from) ? new URL(from) : null;
  const path = url === null ? from : url.pathname;
  const host = url !== null && HOST.test(url.hostname) ? hostId(url.hostname) : "";
  const own = isDiscovery(document) ? slug(textIn(document, "name") ?? "") : "";
  const found = own || (from === "-" ? "" : fileId(path)) || host || titleId(document);
  if (found !== "") return found;
  throw usageError(
    `${from}: neither its name nor its title gives an id: add --id, as in --id shop.`,
  );
}

const textIn = (value: unknown, key: string): string | undefined => {
  const found = isJsonObject(value) ? value[key] : undefined;
  return typeof found === "string" ? found : undefined;
};

/**
 * The address that a relative server of a fetched document stands for: OpenAPI takes it from where the document is.
 * Undefined where the document names its server, or was not fetched.
 */
function serverBeside(document: unknown, url: string | null): string | undefined {
  if (url === null || !isJsonObject(document) || isDiscovery(document)) return undefined;
  const given = ((): string | undefined => {
    if (document["swagger"] !== undefined)
      return textIn(document, "host") === undefined
        ? (textIn(document, "basePath") ?? "/")
        : undefined;
    const servers = document["servers"];
    const [first] = Array.isArray(servers) ? (servers as readonly unknown[]) : [];
    return first === undefined ? "/" : textIn(first, "url");
  })();
  if (given === undefined || /^[a-z][a-z0-9+.-]*:|[{}]/i.test(given)) return undefined;
  if (!URL.canParse(given, url)) return undefined;
  const { origin, pathname } = new URL(given, url);
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, "")}`;
}

/** The address of an endpoint without what belongs to one request. */
function endpointOf(url: string | null): string | undefined {
  if (url === null) return undefined;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** A catalog with what a person says about it. Throws CliError. */
export async function corrected(
  made: MadeCatalog,
  overlay: OverlayText | undefined,
): Promise<MadeCatalog> {
  if (overlay === undefined) return made;
  const files = applyImportOverlay(made, overlay);
  await demandLoads(made.entryId, files, overlay);
  return { ...made, ...files };
}

/** Throws CliError where an overlay makes of a catalog what does not load, or not all of it. */
async function demandLoads(
  entryId: string,
  { domain, mappings }: ImportedFiles,
  { name }: OverlayText,
): Promise<void> {
  const { openCatalogTexts } = await import("@plasm/runtime");
  const { catalog, diagnostics } = await openCatalogTexts({ entryId, domain, mappings });
  const [fault] = diagnostics.filter(({ severity }) => severity === "error");
  const [dropped] = catalog?.dropped ?? [];
  if (fault === undefined && dropped === undefined) return;
  const what =
    dropped === undefined
      ? `${fault?.code} ${fault?.keyPath}: ${fault?.message}`
      : `${dropped.part}: ${dropped.why}`;
  throw usageError(`${name}: with it, not all of the catalog loads: ${what}`);
}

/** What a document is, by its text, which nothing holds any more once this has returned. */
function openDocument(
  source: SourceDocument,
  { isGraphql, parseOpenApi }: Pick<typeof Importers, "isGraphql" | "parseOpenApi">,
): { readonly schema: string } | { readonly document: unknown } {
  const text = source.text.take();
  return isGraphql(text) ? { schema: text } : { document: parseOpenApi(text) };
}

/** Makes a catalog of a document, whose text is taken. Throws CliError, which names the document as `from`. */
export async function makeCatalog(
  from: string,
  source: SourceDocument,
  { id, only, server, overlay, unread = false }: ImportOptions,
): Promise<MadeCatalog> {
  // Loaded on demand: most commands read no documents of APIs.
  const importers = await import("@plasm/importers");
  const { url, isEndpoint } = source;
  const options = (entryId: string, beside: string | undefined) => {
    const address = server ?? beside;
    const form = unread && overlay === undefined ? ("json" as const) : ("yaml" as const);
    return { entryId, only, form, ...(address === undefined ? {} : { server: address }) };
  };
  try {
    const opened = openDocument(source, importers);
    if ("schema" in opened) {
      const entryId = id ?? idOf(from, null);
      const endpoint = isEndpoint === true ? endpointOf(url) : undefined;
      const made = await importers.catalogFromGraphql(opened.schema, options(entryId, endpoint));
      return await corrected({ entryId, ...made }, overlay);
    }
    const { document } = opened;
    const entryId = id ?? idOf(from, document);
    const made = await importers.catalogFromOpenApi(document, {
      ...options(entryId, serverBeside(document, url)),
      consume: true,
    });
    return await corrected({ entryId, ...made }, overlay);
  } catch (thrown) {
    throw thrown instanceof importers.OpenApiError
      ? usageError(`${from}: ${thrown.message}`)
      : thrown;
  }
}
