import type { Catalog } from "@plasm/core";
import { backendSetting } from "@plasm/core/internal";
import { failure, RunFailure } from "../base/run-failure.ts";

/** Where the requests of one catalog go (RUN-004). */
export interface Backend {
  readonly entryId: string;
  readonly origin: string;
  /** whether the deployment set it, so that its host may be a name of an inner network */
  readonly isSet: boolean;
  /** origin and base path, without a final slash */
  readonly base: string;
  /** the catalog's own backend, in the same form; its URLs are rewritten to `base` */
  readonly declaredBase: string;
  readonly declaredOrigin: string;
  /** callable origin → whether credentials go there (RUN-141) */
  readonly callable: ReadonlyMap<string, { readonly sendAuth: boolean }>;
}

const PLACEHOLDER = /(^|[.-])your[-_]/i;

/**
 * The deployment's backend overrides, by entry id, read from `PLASM_BACKEND_<ENTRY_ID>` variables.
 * The caller passes the entry ids it has, since names lose their punctuation in a variable.
 */
export function effectiveBackends(
  entryIds: Iterable<string>,
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entryId of entryIds) {
    const url = env[backendSetting(entryId)]?.trim();
    if (url !== undefined && url !== "") found.set(entryId, url);
  }
  return found;
}

const withoutSlash = (url: URL): string => url.origin + url.pathname.replace(/(?<!\/)\/+$/, "");

/** The origins that MAP-011 declares callable: absolute URLs that begin a template's path. */
function literalOrigins(catalog: Catalog): string[] {
  const origins: string[] = [];
  for (const template of catalog.cml.values()) {
    if (template.transport !== "http" && template.transport !== "graphql") continue;
    const first = template.path[0];
    if (first?.type !== "literal" || !/^https?:\/\//i.test(first.value)) continue;
    if (URL.canParse(first.value)) origins.push(new URL(first.value).origin);
  }
  return origins;
}

function parseBackend(entryId: string, text: string): URL {
  const usable = URL.canParse(text) ? new URL(text) : null;
  if (usable !== null && /^https?:$/.test(usable.protocol) && !PLACEHOLDER.test(usable.hostname)) {
    return usable;
  }
  const what = usable === null ? "is no http(s) URL" : "is a placeholder";
  throw new RunFailure(
    failure(
      "origin_refused",
      `The backend of ${entryId} ${what}.`,
      `set ${backendSetting(entryId)} to the address of this API`,
    ),
  );
}

function readBackend(catalog: Catalog, address: string, isSet: boolean): Backend {
  const { entryId, cgs } = catalog;
  const url = parseBackend(entryId, address);
  const declared = URL.canParse(cgs.httpBackend) ? new URL(cgs.httpBackend) : url;
  const callable = new Map<string, { readonly sendAuth: boolean }>();
  for (const origin of literalOrigins(catalog)) callable.set(origin, { sendAuth: false });
  for (const { origin, sendAuth } of cgs.allowOrigins) {
    if (URL.canParse(origin)) callable.set(new URL(origin).origin, { sendAuth });
  }
  callable.set(url.origin, { sendAuth: true });
  return Object.freeze({
    entryId,
    origin: url.origin,
    isSet,
    base: withoutSlash(url),
    declaredBase: withoutSlash(declared),
    declaredOrigin: declared.origin,
    callable,
  });
}

/** What was read of a catalog, and of which address. */
interface Read {
  readonly address: string;
  readonly isSet: boolean;
  readonly backend: Backend;
}

/** A catalog is frozen: only the address may be another one the next time. */
const reads = new WeakMap<Catalog, Read>();

/** The effective backend of a catalog; a placeholder refuses to run (RUN-004, CAT-021). */
export function effectiveBackend(
  catalog: Catalog,
  overrides: ReadonlyMap<string, string>,
): Backend {
  const set = overrides.get(catalog.entryId);
  const isSet = set !== undefined;
  const address = set ?? catalog.cgs.httpBackend;
  const known = reads.get(catalog);
  if (known?.address === address && known.isSet === isSet) return known.backend;
  const backend = readBackend(catalog, address, isSet);
  reads.set(catalog, { address, isSet, backend });
  return backend;
}

/** Whether a request to an origin may reach a private address: the backend's own may, by name where it was set (RUN-140). */
export const privateAccess = ({ origin, isSet }: Backend, to: string): boolean | "named" =>
  to === origin && (isSet ? "named" : true);

/** An absolute URL with the declared backend's place taken by the effective one's (RUN-004). */
export function rewriteToBackend(url: URL, backend: Backend): URL {
  if (backend.base === backend.declaredBase || url.origin !== backend.declaredOrigin) return url;
  const rest = url.pathname + url.search;
  const basePath = backend.declaredBase.slice(backend.declaredOrigin.length);
  const under = rest === basePath || /^[/?]/.test(rest.slice(basePath.length));
  return rest.startsWith(basePath) && under
    ? new URL(backend.base + rest.slice(basePath.length))
    : new URL(backend.origin + rest);
}

/** Throws `origin_refused` unless the catalog may call this origin; names those it may (RUN-150). */
export function requireCallable(url: URL, backend: Backend, what: string): void {
  if (/^https?:$/.test(url.protocol) && backend.callable.has(url.origin)) return;
  const allowed = [...backend.callable.keys()].join(", ");
  throw new RunFailure(
    failure(
      "origin_refused",
      `${what} leads to ${url.origin}, which this catalog may not call.`,
      `allowed origins: ${allowed}; the catalog's allow_origins may add more`,
    ),
  );
}
