import {
  formatCatalogDiagnostic,
  type Catalog,
  type CatalogDiagnostic,
  type OpenedCatalog,
} from "@plasm/core";
import { fail } from "../errors/failure.ts";
import { refuseNoText } from "../errors/refuse-type.ts";
import { refuseUnknown } from "../errors/refuse-unknown.ts";
import type { Store, StoreOps } from "../ports.ts";
import type { ImportedCatalog } from "../records/catalog-record.ts";
import { NO_SCOPE, type CatalogTexts, type LiveRegistry } from "./live-registry.ts";
import { withdrawCatalog, type SessionsThen, type Withdrawn } from "./withdraw-catalog.ts";

/** A catalog that was imported, and the warnings of its files. */
export interface Import {
  readonly record: ImportedCatalog;
  readonly warnings: readonly CatalogDiagnostic[];
}

/** What administrators do; no engine has it, so that nothing that serves a model does (SURF-16). */
export interface CatalogAdmin {
  /**
   * Imports a catalog from the text of its files, `{entry_id, domain, mappings?}`: it is on offer in new
   * sessions of every process on the store. Throws plasm-bad-request with every fault, and plasm-busy.
   */
  import(by: string, value: Readonly<Record<string, unknown>>): Promise<Import>;
  /**
   * Withdraws what was imported of an entry id, and with it the sessions that have it, unless they keep it
   * (SESS-12). Throws plasm-unknown-catalog and plasm-busy.
   */
  withdraw(entryId: string, sessions: SessionsThen): Promise<Withdrawn>;
}

/** What changing catalogs needs: the store, what is on offer, and a way to open texts. */
export interface CatalogAdminDeps {
  readonly store: Store;
  readonly registry: LiveRegistry;
  readonly open: (texts: CatalogTexts) => Promise<OpenedCatalog>;
  /** why the deployment does not take a catalog that is valid; null where it does. Without it all are taken */
  readonly refusal?: (catalog: Catalog) => string | null;
}

const ENTRY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const MOST_FAULTS = 10;

function textsOf(value: Readonly<Record<string, unknown>>): CatalogTexts {
  refuseUnknown(Object.keys(value), {
    of: "POST /v1/admin/catalogs",
    told: ["entry_id", "domain", "mappings"],
  });
  const { entry_id: entryId, domain, mappings } = value;
  if (typeof entryId !== "string" || !ENTRY_ID.test(entryId)) {
    throw fail(
      "plasm-bad-request",
      "entry_id is the id of a catalog: letters, digits and . _ - after the first, at most 100.",
    );
  }
  if (typeof domain !== "string") throw refuseNoText("domain", domain, "the text of domain.yaml");
  if (mappings !== undefined && mappings !== null && typeof mappings !== "string") {
    throw refuseNoText("mappings", mappings, "the text of mappings.yaml");
  }
  return { entryId, domain, mappings: mappings ?? null };
}

/** Every fault with its place, as `plasm catalog validate` shows it. */
function faulty({ entryId, domain, mappings }: CatalogTexts, opened: OpenedCatalog) {
  const faults = opened.diagnostics.filter(({ severity }) => severity === "error");
  const shown = faults
    .slice(0, MOST_FAULTS)
    .map((one) =>
      formatCatalogDiagnostic(one, (one.file === "domain.yaml" ? domain : mappings) ?? undefined),
    );
  const more = faults.length + opened.omitted - shown.length;
  const rest = more > 0 ? [`and ${more} more`] : [];
  return fail("plasm-bad-request", [`${entryId} is not valid.`, ...shown, ...rest].join("\n\n"));
}

/** An import replaces what is on offer by a higher version alone; equal ones are one (RUN-181). */
function refuseOlder(
  { registry }: CatalogAdminDeps,
  entryId: string,
  version: number,
  digest: string,
) {
  const current = registry.get(entryId)?.catalog;
  if (current === undefined || current.digest === digest) return;
  const { version: offered } = current.cgs;
  if (offered < version) return;
  const found = offered === version ? "with other content" : "";
  throw fail(
    "plasm-bad-request",
    `${entryId} is on offer with version ${offered} ${found}`.trimEnd() +
      `; this one has version ${version}. Raise its version above ${offered}.`,
  );
}

async function offer(tx: StoreOps, record: ImportedCatalog): Promise<boolean> {
  const { digest, entryId } = record;
  await tx.insert("importedCatalog", NO_SCOPE, digest, record);
  const next = { entryId, digest };
  const found = await tx.get("offer", NO_SCOPE, entryId);
  if (found === null) return tx.insert("offer", NO_SCOPE, entryId, next);
  if (found.value.digest === digest) return true;
  return tx.cas("offer", NO_SCOPE, entryId, found.version, next);
}

async function importCatalog(
  deps: CatalogAdminDeps,
  by: string,
  value: Readonly<Record<string, unknown>>,
): Promise<Import> {
  const { store, registry, open } = deps;
  const texts = textsOf(value);
  const opened = await open(texts);
  const { catalog } = opened;
  if (catalog === null) throw faulty(texts, opened);
  const refused = deps.refusal?.(catalog) ?? null;
  if (refused !== null) throw fail("plasm-bad-request", refused);
  await registry.refresh();
  const { digest } = catalog;
  const { version } = catalog.cgs;
  refuseOlder(deps, texts.entryId, version, digest);
  const record: ImportedCatalog = { ...texts, digest, version, by, at: store.now() };
  const kept = await store.transaction((tx) => offer(tx, record));
  if (!kept) throw fail("plasm-busy", "Another import came first. Send the same call again.");
  await registry.refresh();
  return { record, warnings: opened.diagnostics };
}

/** What administrators can do with catalogs, on the store that engines share. */
export const catalogAdmin = (deps: CatalogAdminDeps): CatalogAdmin => ({
  import: (by, value) => importCatalog(deps, by, value),
  withdraw: (entryId, sessions) => withdrawCatalog(deps, entryId, sessions),
});
