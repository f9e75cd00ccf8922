import type { CatalogTexts } from "@plasm/runtime";
import {
  type Catalog,
  type CatalogDiagnostic,
  formatCatalogDiagnostic,
  type OpenedCatalog,
} from "@plasm/core";
import { noteAudit } from "../audit/audit-log.ts";
import { fail } from "../errors/problem.ts";
import { named, refuseNoText, refuseUnknown } from "../errors/arguments.ts";
import { tenantOfScope } from "../identity/tenant-scope.ts";
import type { AuditKind } from "../records/audit.ts";
import type { CatalogOrigin } from "../records/sessions.ts";
import type { Store, StoreOps } from "../store-port.ts";
import type { ImportedCatalog } from "../records/sessions.ts";
import { catalogOrigin } from "./catalog-origin.ts";
import { importKey, type LiveRegistry, NO_SCOPE, readImport } from "./live-registry.ts";

/** A catalog that was imported, and the warnings of its files. */
export interface Import {
  readonly record: ImportedCatalog;
  readonly warnings: readonly CatalogDiagnostic[];
}

/** By whom, and by which request, as the audit log of the administrator's tenant tells it (OPS-40). */
export interface Administrator {
  readonly tenant: string;
  readonly subject: string;
  readonly requestId?: string | undefined;
}

/** What administrators do; no engine has it, so that nothing that serves a model does (SURF-16). */
export interface CatalogAdmin {
  /**
   * Imports a catalog from the text of its files, `{entry_id, domain, mappings?, origin?}`: it is on offer in new
   * sessions of every process on the store. Throws plasm-bad-request with every fault, and plasm-busy.
   */
  import(by: Administrator, value: Readonly<Record<string, unknown>>): Promise<Import>;
  /**
   * Withdraws what was imported of an entry id, and with it the sessions that have it, unless they keep it
   * (SESS-12). Throws plasm-unknown-catalog and plasm-busy.
   */
  withdraw(by: Administrator, entryId: string, sessions: SessionsThen): Promise<Withdrawn>;
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
    told: ["entry_id", "domain", "mappings", "origin"],
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

/** What a catalog was made of, as its import says. Throws plasm-bad-request. */
function originIn({
  origin: given = null,
}: Readonly<Record<string, unknown>>): CatalogOrigin | undefined {
  if (given === null) return undefined;
  const origin = catalogOrigin(given);
  if (origin !== null) return origin;
  throw fail(
    "plasm-bad-request",
    "origin is what import.json has beside a catalog: source, digest and read as text, operations and reached as numbers, left as a list of lines.",
  );
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
  const key = importKey(entryId, digest);
  if (!(await tx.insert("importedCatalog", NO_SCOPE, key, record)) && record.origin !== undefined) {
    const known = await tx.get("importedCatalog", NO_SCOPE, key);
    const { origin } = record;
    if (known !== null)
      await tx.cas("importedCatalog", NO_SCOPE, key, known.version, { ...known.value, origin });
  }
  const next = { entryId, digest };
  const found = await tx.get("offer", NO_SCOPE, entryId);
  if (found === null) return tx.insert("offer", NO_SCOPE, entryId, next);
  if (found.value.digest === digest) return true;
  return tx.cas("offer", NO_SCOPE, entryId, found.version, next);
}

/** Notes what became of an import in the log of who did it. */
const noteCatalog = (
  tx: StoreOps,
  kind: AuditKind,
  { tenant, subject, requestId }: Administrator,
  { entryId, version, digest }: ImportedCatalog,
): Promise<void> =>
  noteAudit(tx, tenantOfScope(tenant), {
    kind,
    subject,
    entry_id: entryId,
    request_id: requestId ?? null,
    detail: `version ${version}, ${digest}`,
  });

async function importCatalog(
  deps: CatalogAdminDeps,
  by: Administrator,
  value: Readonly<Record<string, unknown>>,
): Promise<Import> {
  const { store, registry, open } = deps;
  const texts = textsOf(value);
  const origin = originIn(value);
  const opened = await open(texts);
  const { catalog } = opened;
  if (catalog === null) throw faulty(texts, opened);
  await registry.refresh();
  const refused = deps.refusal?.(catalog) ?? null;
  if (refused !== null) throw fail("plasm-bad-request", refused);
  const { digest } = catalog;
  const { version } = catalog.cgs;
  refuseOlder(deps, texts.entryId, version, digest);
  const made = { ...texts, ...(origin === undefined ? {} : { origin }) };
  const record: ImportedCatalog = { ...made, digest, version, by: by.subject, at: store.now() };
  const kept = await store.transaction(async (tx) => {
    if (!(await offer(tx, record))) return false;
    await noteCatalog(tx, "catalog_imported", by, record);
    return true;
  });
  if (!kept) throw fail("plasm-busy", "Another import came first. Send the same call again.");
  await registry.refresh();
  return { record, warnings: opened.diagnostics };
}

/** What administrators can do with catalogs, on the store that engines share. */
export const catalogAdmin = (deps: CatalogAdminDeps): CatalogAdmin => ({
  import: (by, value) => importCatalog(deps, by, value),
  withdraw: (by, entryId, sessions) => withdrawCatalog(deps, by, entryId, sessions),
});

/** What becomes of the sessions that have a catalog when it is withdrawn (SESS-12). */
export const SESSIONS_THEN = ["lose", "keep"] as const;
/** What becomes of sessions that pin a catalog which is withdrawn. */
export type SessionsThen = (typeof SESSIONS_THEN)[number];

/** A catalog that is on offer no more. */
export interface Withdrawn {
  /** the import that was on offer */
  readonly record: ImportedCatalog;
  readonly sessions: SessionsThen;
  /** what this process has on offer of the entry id now: that of a directory, if one has it */
  readonly remains: { readonly version: number; readonly digest: string } | null;
  readonly at: number;
}

interface WithdrawDeps {
  readonly store: Store;
  readonly registry: LiveRegistry;
}

interface Imports {
  readonly offered: ImportedCatalog;
  /** every import of the entry id that is kept, the one on offer among them */
  readonly all: readonly ImportedCatalog[];
}

/** Takes the offer and every import of an entry id away; null where none of them is on offer. */
async function takeAway(tx: StoreOps, entryId: string): Promise<Imports | null> {
  const offer = await tx.get("offer", NO_SCOPE, entryId);
  if (offer === null) return null;
  const all = (await tx.list("importedCatalog", NO_SCOPE, ""))
    .map(({ value }) => value)
    .filter((one) => one.entryId === entryId);
  const offered = await readImport(tx, entryId, offer.value.digest);
  if (offered === null) throw new Error(`The content of an offer of ${entryId} is missing`);
  if (!(await tx.remove("offer", NO_SCOPE, entryId, offer.version))) {
    throw fail("plasm-busy", "An import came first. Send the same call again.");
  }
  for (const { digest } of all) {
    await tx.delete("importedCatalog", NO_SCOPE, importKey(entryId, digest));
    const old = await tx.get("importedCatalog", NO_SCOPE, digest);
    if (old?.value.entryId === entryId) await tx.delete("importedCatalog", NO_SCOPE, digest);
  }
  return { offered, all };
}

/** Sessions pin content by the digest of what they call, backend and overlay included: it is told by its text. */
async function loseSessions(store: StoreOps, entryId: string, all: Imports["all"]): Promise<void> {
  const textOf = ({ domain, mappings }: Pick<ImportedCatalog, "domain" | "mappings">): string =>
    JSON.stringify([domain, mappings]);
  const gone = new Set(all.map(textOf));
  for (const pinned of await store.pinnedCatalogs(entryId)) {
    if (gone.has(textOf(pinned))) await store.withdrawCatalog(pinned.digest);
  }
}

/**
 * Withdraws what was imported of an entry id, every version of it: new sessions of every process on the store
 * have it no more, and those that have it are lost with the reason `catalog_gone`, or keep it (SESS-12). Throws
 * plasm-unknown-catalog where no import is on offer, and plasm-busy.
 */
async function withdrawCatalog(
  { store, registry }: WithdrawDeps,
  by: Administrator,
  entryId: string,
  sessions: SessionsThen,
): Promise<Withdrawn> {
  const imports = await store.transaction(async (tx) => {
    const taken = await takeAway(tx, entryId);
    if (taken !== null && sessions === "lose") await loseSessions(tx, entryId, taken.all);
    if (taken !== null) await noteCatalog(tx, "catalog_withdrawn", by, taken.offered);
    return taken;
  });
  if (imports === null) {
    throw fail(
      "plasm-unknown-catalog",
      `No import of ${named(entryId)} is on offer. A catalog of a directory is withdrawn by starting the server without it.`,
    );
  }
  await registry.refresh();
  const catalog = registry.get(entryId)?.catalog;
  const remains =
    catalog === undefined ? null : { version: catalog.cgs.version, digest: catalog.digest };
  return { record: imports.offered, sessions, remains, at: store.now() };
}
