import { serverAddress } from "../document/server-address.ts";
import { calledOf, type Operation } from "../document/operation.ts";
import {
  compareText,
  isDocumentObject,
  type DocumentObject,
  listOf,
  memberOf,
  sortedEntries,
} from "../json.ts";

/** The address of an API, and what a person has to decide about it. */
export interface BackendGuess {
  readonly url: string;
  readonly remark: string | null;
}

/** A host that no request goes to (CAT-021). */
const PLACEHOLDER = "https://your-api.example";

const hasVariables = (server: DocumentObject): boolean =>
  sortedEntries(memberOf(server, "variables")).length > 0;

/**
 * The address that a caller gives, else the document's first server (CAT-020), else a placeholder that has to be
 * set. A server that the document writes as a path stands behind the address that is given.
 */
export function backendOf(root: DocumentObject, server: string | null = null): BackendGuess {
  const own = backendIn(root);
  if (server === null) return own;
  const isPlaceholder = own.url.startsWith(PLACEHOLDER);
  const path = isPlaceholder ? own.url.slice(PLACEHOLDER.length) : "";
  const given = server.replace(/(?<!\/)\/+$/, "");
  const stands = path === "" || given.endsWith(path) || new URL(given).pathname !== "/";
  return { url: stands ? given : `${given}${path}`, remark: null };
}

/** Hosts of one owner, as far as their names tell: `uploads.example.com` and `api.example.com`. */
const siteOf = ({ hostname }: URL): string =>
  /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split(".").slice(-2).join(".");

/** Operations with the address of their own only where that is another one, and what the catalog says of such origins. */
export interface PlacedOperations {
  readonly operations: readonly Operation[];
  readonly origins: readonly { readonly origin: string; readonly send_auth?: true }[];
  readonly left: readonly string[];
}

/**
 * Finds the operations that have an address of their own. Credentials go there if it is of the same site; where a caller
 * gives the address of the API, operations at the document's own origin follow it.
 */
export function placeOperations(
  root: DocumentObject,
  operations: readonly Operation[],
  backend: BackendGuess,
): PlacedOperations {
  const base = new URL(backend.url);
  const own = new URL(backendIn(root).url);
  const origins = new Map<string, boolean>();
  const left: string[] = [];
  const placed = operations.flatMap((operation): readonly Operation[] => {
    const { server } = operation;
    if (server === null) return [operation];
    const url = new URL(server, base);
    const origin = url.origin === own.origin ? base.origin : url.origin;
    const address = `${origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}`;
    if (address === backend.url) return [{ ...operation, server: null }];
    if (origin === base.origin) return [{ ...operation, server: address }];
    if (url.protocol === "http:" && base.protocol === "https:") {
      left.push(`${calledOf(operation)}: its server is ${url.origin}, which is not https`);
      return [];
    }
    origins.set(origin, siteOf(url) === siteOf(base));
    return [{ ...operation, server: address }];
  });
  return {
    operations: placed,
    origins: [...origins]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([origin, sends]) => (sends ? { origin, send_auth: true } : { origin })),
    left,
  };
}

function backendIn(root: DocumentObject): BackendGuess {
  const servers = listOf(memberOf(root, "servers")).filter(isDocumentObject);
  const addresses = servers.filter((one) => URL.canParse(serverAddress(one)));
  const [written = servers[0]] = addresses;
  // What is served by both is asked by https.
  const secure = addresses.find(
    (one) =>
      written !== undefined &&
      serverAddress(one) === serverAddress(written).replace(/^http:/, "https:"),
  );
  const first = secure ?? written;
  const text = first === undefined ? "" : serverAddress(first);
  const relative = text === "" || text.startsWith("/");
  const address = relative ? `${PLACEHOLDER}${text}` : text;
  if (/[{}]/.test(address) || !URL.canParse(address)) {
    return {
      url: PLACEHOLDER,
      remark: `The document's server is ${visible(text)}: set the address.`,
    };
  }
  const url = new URL(address);
  const bare = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!/^https?:$/.test(url.protocol) || !bare) {
    return {
      url: PLACEHOLDER,
      remark: `The document's server is ${visible(text)}: set the address.`,
    };
  }
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  if (relative) {
    return {
      url: `${url.origin}${path}`,
      remark: "The document names no host: set the address, or PLASM_BACKEND_… where Plasm runs.",
    };
  }
  const others = servers.length > 1 || (first !== undefined && hasVariables(first));
  const remark = others ? "The document names further servers, or variables of this one." : null;
  return { url: `${url.origin}${path}`, remark };
}

const visible = (text: string): string => JSON.stringify(text.slice(0, 100));
