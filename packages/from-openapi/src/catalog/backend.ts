import { isObject, type JsonObject, listOf, memberOf, sortedEntries, textOf } from "../json.ts";

/** The address of an API, and what a person has to decide about it. */
export interface Backend {
  readonly url: string;
  readonly remark: string | null;
}

/** A host that no request goes to (CAT-021). */
const PLACEHOLDER = "https://your-api.example";

/** An address with the default of each of its variables. */
function filled(server: JsonObject): string {
  const variables = memberOf(server, "variables");
  const url = textOf(memberOf(server, "url")) ?? "";
  return url.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const value = memberOf(memberOf(variables, name), "default");
    return typeof value === "string" || typeof value === "number" ? String(value) : whole;
  });
}

const hasVariables = (server: JsonObject): boolean =>
  sortedEntries(memberOf(server, "variables")).length > 0;

/**
 * The address that a caller gives, else the document's first server (CAT-020), else a placeholder that has to be
 * set. A server that the document writes as a path stands behind the address that is given.
 */
export function backendOf(root: JsonObject, server: string | null = null): Backend {
  const own = backendIn(root);
  if (server === null) return own;
  const isPlaceholder = own.url.startsWith(PLACEHOLDER);
  const path = isPlaceholder ? own.url.slice(PLACEHOLDER.length) : "";
  const given = server.replace(/\/+$/, "");
  const stands = path === "" || given.endsWith(path) || new URL(given).pathname !== "/";
  return { url: stands ? given : `${given}${path}`, remark: null };
}

function backendIn(root: JsonObject): Backend {
  const servers = listOf(memberOf(root, "servers")).filter(isObject);
  const [first] = servers;
  const text = first === undefined ? "" : filled(first).trim();
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
  const path = url.pathname.replace(/\/+$/, "");
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
