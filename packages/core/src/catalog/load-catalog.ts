import type { Catalog, Cml, DroppedPart } from "../mapping/template.ts";
import { withSingletons } from "../mapping/anchors.ts";
import type { Cgs } from "../model/model.ts";
import { buildDomain } from "./build/build-domain.ts";
import { buildTemplate } from "./build/build-template.ts";
import { mapValues } from "./build/build-capability.ts";
import {
  type CatalogFile,
  type CatalogPart,
  locateNode,
  nodeAt,
  type ParsedFile,
  parseFile,
  readContext,
  rootPlace,
} from "./catalog-file.ts";
import { type CatalogDiagnostic, nearestText, sortDiagnostics } from "./reporter.ts";
import { catalogDigest } from "./digest.ts";
import { domain, type DomainDoc } from "./format/domain-shape.ts";
import { template, type TemplateDoc } from "./format/template-shape.ts";
import { entryOf, reportDuplicateKeys } from "./shape/object.ts";
import { wrongType } from "./shape/shape.ts";

const ENTRY_ID = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

/** The text of a catalog: both files, or one domain file with a top-level `mappings` (CAT-010). */
export interface CatalogSource {
  readonly entryId: string;
  readonly domain: CatalogFile;
  readonly mappings?: CatalogFile;
  /** Names of the registered functions (RUN-105); none unless given. */
  readonly functions?: readonly string[];
}

/** What was read, as complete as the faults allow: what the rules work on. */
export interface CatalogReading {
  readonly entryId: string;
  readonly functions: readonly string[];
  readonly domain: DomainDoc;
  readonly mappings: ReadonlyMap<string, TemplateDoc>;
  readonly cgs: Cgs;
  readonly cml: Cml;
  readonly parts: { readonly domain: CatalogPart; readonly mappings: CatalogPart };
}

export interface LoadedCatalog {
  /** Null if anything found so far is an error. */
  readonly catalog: Catalog | null;
  readonly diagnostics: readonly CatalogDiagnostic[];
  /** Null if a file is no YAML map. */
  readonly draft: CatalogReading | null;
}

/** The files of a catalog, parsed but not read. */
export interface CatalogFiles {
  readonly entryId: string;
  readonly functions: readonly string[];
  readonly domain: ParsedFile;
  /** null where there are none, which is reported */
  readonly mappings: CatalogPart | null;
}

/** Parses the text of a catalog; what is wrong with it as a whole is reported (CAT-010 to CAT-013, CAT-016). */
export function parseCatalog(source: CatalogSource): CatalogFiles {
  const domainFile = parseFile(source.domain);
  checkEntryId(source.entryId, domainFile);
  const mappings = mappingsPart(source, domainFile);
  const { entryId, functions = [] } = source;
  return { entryId, functions, domain: domainFile, mappings };
}

/**
 * Reads the text of a catalog into frozen data with its digest (RUN-170), and reports every key,
 * word and type the formats do not allow (CAT-001 to CAT-004, CAT-010 to CAT-017 and what else
 * concerns one place alone). What the parts must be to each other is checked when a catalog is
 * opened; use this alone only for catalogs known to be good.
 */
export const loadCatalog = (source: CatalogSource): LoadedCatalog =>
  readCatalog(parseCatalog(source));

/** Reads parsed files, as {@link loadCatalog} does. */
export function readCatalog(parsed: CatalogFiles): LoadedCatalog {
  const { entryId, functions, domain: domainFile, mappings } = parsed;
  const files = mappings === null ? [domainFile] : [domainFile, mappings.parsed];
  const doc = readDomain(domainFile, functions);
  const templates =
    mappings === null || doc === null
      ? null
      : readMappings(mappings, capabilityNames(domainFile), functions);
  const diagnostics = sortDiagnostics([...new Set(files)].map((file) => file.reporter.diagnostics));
  if (doc === null || templates === null || mappings === null) {
    return { catalog: null, diagnostics, draft: null };
  }
  const cml = mapValues(templates, (template) => buildTemplate(template, doc.response_defaults));
  const cgs = withSingletons(buildDomain(doc), cml);
  const draft: CatalogReading = {
    entryId,
    functions,
    domain: doc,
    mappings: templates,
    cgs,
    cml,
    parts: { domain: { parsed: domainFile, prefix: [] }, mappings },
  };
  const faulty = diagnostics.some((each) => each.severity === "error");
  return { catalog: faulty ? null : draftCatalog(draft), diagnostics, draft };
}

/**
 * The catalog of a draft without errors. `dropped` are the parts that the files have and the draft has not: their
 * names are part of the digest, so that equal digests have equal content.
 */
export function draftCatalog(draft: CatalogReading, dropped: readonly DroppedPart[] = []): Catalog {
  const { entryId, cgs, cml } = draft;
  const digest = catalogDigest(
    draft.domain,
    draft.mappings,
    dropped.map(({ part }) => part),
  );
  const left = dropped.length === 0 ? {} : { dropped };
  return Object.freeze({ entryId, digest, cgs, cml, ...left });
}

function checkEntryId(entryId: string, file: ParsedFile): void {
  if (ENTRY_ID.test(entryId)) return;
  const found = JSON.stringify(entryId);
  file.reporter.report({ at: rootPlace.keyAt, path: [] }, "CAT016", "form", { found });
}

/** Where the mappings stand, or null after reporting that they are missing or doubled (CAT-010). */
function mappingsPart(source: CatalogSource, domainFile: ParsedFile): CatalogPart | null {
  const inside = domainFile.root === null ? undefined : entryOf(domainFile.root, "mappings");
  if (source.mappings !== undefined) {
    if (inside !== undefined) {
      const place = { at: inside.keyAt, path: ["mappings"] };
      domainFile.reporter.report(place, "CAT010", "both", {});
    }
    return { parsed: parseFile(source.mappings), prefix: [] };
  }
  if (inside !== undefined) return { parsed: domainFile, prefix: ["mappings"] };
  if (domainFile.root !== null) {
    domainFile.reporter.report({ at: rootPlace.keyAt, path: [] }, "CAT010", "missing", {});
  }
  return null;
}

function readDomain(file: ParsedFile, functions: readonly string[]): DomainDoc | null {
  if (file.root === null) return null;
  return domain.read(file.root, rootPlace, readContext(file, functions)) ?? null;
}

/** Null if the file has no such map. */
function capabilityNames(file: ParsedFile): readonly string[] | null {
  const node = file.root === null ? undefined : entryOf(file.root, "capabilities")?.value;
  return node?.kind === "map" ? [...node.entries.keys()] : null;
}

/**
 * The templates of the capabilities, by name. Other entries are reported and not read (MAP-001),
 * keys starting `x-` silently, and all of them where the capabilities cannot be read. Null if the part
 * is no map.
 */
function readMappings(
  part: CatalogPart,
  capabilities: readonly string[] | null,
  functions: readonly string[],
): ReadonlyMap<string, TemplateDoc> | null {
  const { parsed, prefix } = part;
  const node = nodeAt(parsed.root, prefix);
  if (node === null) return null;
  const context = readContext(parsed, functions);
  const place = { path: prefix, keyAt: locateNode(parsed.root, prefix).key };
  if (node.kind !== "map") return wrongType(node, place, context, "a map of templates") ?? null;
  reportDuplicateKeys(node, place, context);
  const known = new Set(capabilities);
  const templates = new Map<string, TemplateDoc>();
  for (const entry of node.entries.values()) {
    const path = [...prefix, entry.key];
    if (capabilities === null || entry.key.startsWith("x-")) continue;
    if (!known.has(entry.key)) {
      const nearest = nearestText(entry.key, capabilities);
      context.report({ at: entry.keyAt, path }, "MAP001", "orphan", { found: entry.key, nearest });
      continue;
    }
    const read = template.read(entry.value, { path, keyAt: entry.keyAt }, context);
    if (read !== undefined) templates.set(entry.key, read);
  }
  return templates;
}
