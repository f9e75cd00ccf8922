import type { FromTextOptions, MadeCatalog } from "@plasm/importers";
import { usageError } from "../cli-error.ts";
import type { ImportedFiles } from "./catalog-editing.ts";
import { applyImportOverlay, type OverlayText } from "./overlay.ts";
import type { SourceDocument } from "./document-files.ts";

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

/** Characters of a document that is read in a thread of its own: below, the thread takes more time than it spares memory. */
const LARGE = 4_000_000;

/** Makes a catalog of a document, whose text is taken. Throws CliError, which names the document as `from`. */
export async function makeCatalog(
  from: string,
  source: SourceDocument,
  { id, only, server, overlay, unread = false }: ImportOptions,
): Promise<MadeCatalog> {
  // Loaded on demand: most commands read no documents of APIs.
  const { catalogFromText, OpenApiError } = await import("@plasm/importers");
  const { text, url, isEndpoint = false } = source;
  const options: FromTextOptions = {
    ...(id === undefined ? {} : { entryId: id }),
    from,
    url,
    isEndpoint,
    only,
    ...(server === undefined ? {} : { server }),
    form: unread && overlay === undefined ? "json" : "yaml",
  };
  try {
    const make =
      text.length > LARGE
        ? (await import("./import-in-thread.ts")).catalogFromThread
        : catalogFromText;
    return await corrected(await make(text, options), overlay);
  } catch (thrown) {
    throw thrown instanceof OpenApiError ? usageError(`${from}: ${thrown.message}`) : thrown;
  }
}
