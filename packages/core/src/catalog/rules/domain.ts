import type { AuthDoc, FurtherKeyDoc } from "../format/auth-shape.ts";
import type { PartView } from "./part-view.ts";
import type { Rule } from "./rule.ts";
import { backendSetting } from "../../model/lookups.ts";

type Path = readonly (string | number)[];

const HOSTED = "plasm:outbound:";

/** CAT-110: every secret has its source; CAT-111: hosted keys have their prefix; CAT-112; CAT-114: further keys. */
export const authRule: Rule = ({ domain, inDomain }) => {
  if (inDomain.faulty(["auth"])) return;
  const { auth } = domain;
  checkSources(auth, inDomain);
  checkSecretNames(auth, ["auth"], inDomain);
  if (auth.scheme !== "none") {
    for (const [at, key] of (auth.also ?? []).entries()) {
      const path = ["auth", "also", at];
      checkSecretNames(key, path, inDomain);
      if (key.env === undefined && key.hosted_kv === undefined) {
        inDomain.atValue([...path, "scheme"], "CAT110", "none", { scheme: key.scheme });
      }
    }
    checkKeys(auth, inDomain);
  }
  if (auth.scheme === "none" && domain.oauth !== undefined) {
    inDomain.atKey(["oauth"], "CAT112", "none", {});
  }
};

function checkSources(auth: AuthDoc, inDomain: PartView): void {
  switch (auth.scheme) {
    case "none":
      return;
    case "oauth2_client_credentials":
      exactlyOne(auth, "client id", ["client_id_env", "client_id_hosted_kv"], inDomain);
      exactlyOne(auth, "client secret", ["client_secret_env", "client_secret_hosted_kv"], inDomain);
      return;
    default:
      if (auth.env === undefined && auth.hosted_kv === undefined) {
        inDomain.atValue(["auth", "scheme"], "CAT110", "none", { scheme: auth.scheme });
      }
  }
}

const VARIABLE = /^[A-Za-z_]\w*$/;

/** The names of variables and of hosted keys. */
export function checkSecretNames(keys: object, path: Path, inDomain: PartView): void {
  for (const [key, name] of Object.entries(keys)) {
    if (typeof name !== "string") continue;
    if (key.endsWith("hosted_kv") && !name.startsWith(HOSTED))
      inDomain.atValue([...path, key], "CAT111", "prefix", { found: name });
    // What is no variable's name may be a secret that was pasted there: it is not said again.
    if (/(?:^|_)env$/.test(key) && !VARIABLE.test(name))
      inDomain.atKey([...path, key], "CAT110", "name", { key });
  }
}

const KEY_NAME = /^[a-z][a-z0-9_]{0,31}$/;
/** What the parts of the scheme's own credential are called where they are stored. */
const OWN_PARTS = new Set(["secret", "client_id", "client_secret"]);

/** What carries a key, such that no other key may have the same. */
const carrierOf = (auth: Exclude<AuthDoc, { scheme: "none" }> | FurtherKeyDoc) => {
  switch (auth.scheme) {
    case "api_key_header":
      return { key: "header", found: auth.header, same: `header ${auth.header.toLowerCase()}` };
    case "api_key_query":
      return { key: "param", found: auth.param, same: `param ${auth.param}` };
    default:
      return { key: "scheme", found: "Authorization", same: "header authorization" };
  }
};

/** CAT-114: each further key has a name and a place in requests of its own. */
function checkKeys(auth: Exclude<AuthDoc, { scheme: "none" }>, inDomain: PartView): void {
  const names = new Set<string>();
  const carriers = new Set([carrierOf(auth).same]);
  for (const [at, further] of (auth.also ?? []).entries()) {
    const path = ["auth", "also", at];
    const { name } = further;
    if (!KEY_NAME.test(name) || OWN_PARTS.has(name))
      inDomain.atValue([...path, "name"], "CAT114", "name", { found: name });
    else if (names.has(name))
      inDomain.atValue([...path, "name"], "CAT114", "twice", { what: "name", found: name });
    names.add(name);
    const { key, found, same } = carrierOf(further);
    if (carriers.has(same))
      inDomain.atValue([...path, key], "CAT114", "twice", { what: key, found });
    carriers.add(same);
  }
}

function exactlyOne(
  auth: Readonly<Record<string, unknown>>,
  part: string,
  keys: readonly string[],
  inDomain: PartView,
): void {
  const given = keys.filter((key) => auth[key] !== undefined);
  if (given.length === 1) return;
  const path = ["auth", given[1] ?? "scheme"];
  const found = given.length === 0 ? "no source" : given.join(" and ");
  inDomain.atKey(path, "CAT110", "one", { part, found, allowed: keys.join(", ") });
}

/** CAT-020: the backend is an absolute URL without user, query, fragment; CAT-021: not a placeholder. */
export const backendRule: Rule = ({ domain, entryId, inDomain }) => {
  const path = ["http_backend"];
  if (inDomain.faulty(path)) return;
  const url = parseHttpUrl(domain.http_backend);
  if (url === null) {
    inDomain.atValue(path, "CAT020", "form", { found: inDomain.found(path) });
    return;
  }
  if (url.host.split(".").some((label) => /^your[-_]/i.test(label))) {
    inDomain.atValue(path, "CAT021", "placeholder", {
      found: url.host,
      setting: backendSetting(entryId),
    });
  }
};

/** CAT-023: registry aliases are not blank, unique ignoring case, and not the entry id. */
export const aliasesRule: Rule = ({ domain, entryId, inDomain }) => {
  const seen = new Map<string, string>();
  if (inDomain.faulty(["registry_aliases"])) return;
  domain.registry_aliases.forEach((alias, at) => {
    const path = ["registry_aliases", at];
    const folded = alias.trim().toLowerCase();
    const first = seen.get(folded);
    if (folded === "") inDomain.atValue(path, "CAT023", "blank", {});
    else if (folded === entryId.toLowerCase()) {
      inDomain.atValue(path, "CAT023", "own", { found: alias, entry: entryId });
    } else if (first !== undefined) {
      inDomain.atValue(path, "CAT023", "again", { found: JSON.stringify(alias), first });
    }
    if (first === undefined) seen.set(folded, inDomain.position(path));
  });
};

/** CAT-024: further origins are bare, and https unless the backend itself is http. */
export const allowOriginsRule: Rule = ({ domain, inDomain }) => {
  if (inDomain.faulty(["allow_origins"])) return;
  const plainBackend = parseHttpUrl(domain.http_backend)?.scheme === "http";
  domain.allow_origins.forEach(({ origin }, at) => {
    const item = ["allow_origins", at];
    const path = inDomain.has([...item, "origin"]) ? [...item, "origin"] : item;
    const url = parseHttpUrl(origin);
    if (url === null || url.path !== "") {
      inDomain.atValue(path, "CAT024", "form", { found: origin });
    } else if (url.scheme === "http" && !plainBackend) {
      inDomain.atValue(path, "CAT024", "insecure", { found: origin });
    }
  });
};

/** CAT-022: version 0 cannot be published. */
export const versionRule: Rule = ({ domain, inDomain }) => {
  if (domain.version !== 0 || inDomain.faulty(["version"])) return;
  inDomain.atValue(["version"], "CAT022", "zero", {});
};

/** The parts of an absolute http(s) URL that rules look at. */
interface HttpUrl {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly path: string;
}

const FORM =
  /^(https?):\/\/([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?(\/[^?#\s\p{Cc}\\]*)?$/iu;

/** An absolute http(s) URL without user, query and fragment, or null (CAT-020). */
export function parseHttpUrl(text: string): HttpUrl | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  const [, scheme = "", host = "", port = "0", path = ""] = match;
  if (Number(port) > 65_535) return null;
  return { scheme: scheme.toLowerCase() === "https" ? "https" : "http", host, path };
}
