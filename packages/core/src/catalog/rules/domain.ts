import { nameList } from "../../diagnostics/nearest-name.ts";
import { backendSetting } from "../../model/lookups.ts";
import type {
  AuthDoc,
  FurtherKeyDoc,
  OAuthDoc,
  ScopeRuleDoc,
  WebhookDoc,
} from "../format/auth-shape.ts";
import type { KeyPath } from "../key-path.ts";
import { nearestText } from "../reporter.ts";
import { type PartView, choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

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
function checkSecretNames(keys: object, path: Path, inDomain: PartView): void {
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

/** CAT-113: provider and requirements of `oauth`; CAT-115: its addresses; CAT-005 for scopes of its scope sets. */
export const oauthRule: Rule = (context) => {
  const { domain, inDomain } = context;
  const { oauth } = domain;
  if (oauth === undefined) return;
  if (oauth.provider.trim() === "") {
    inDomain.atValue(["oauth", "provider"], "CAT113", "provider", {});
  }
  checkAddresses(oauth, inDomain);
  const scopes = [...oauth.scopes.keys()];
  for (const [name, set] of oauth.default_scope_sets) {
    set.scopes.forEach((scope, at) => {
      if (scopes.includes(scope) || inDomain.faulty(["oauth", "scopes"])) return;
      const path = ["oauth", "default_scope_sets", name, "scopes", at];
      inDomain.unknown(path, "OAuth scope", scope, scopes);
    });
  }
  checkNames(context, scopes);
  const { capabilities, relations } = oauth.requirements;
  for (const [part, rules] of Object.entries({ capabilities, relations })) {
    for (const [name, rule] of rules) {
      checkRule(rule, ["oauth", "requirements", part, name], scopes, inDomain);
    }
  }
};

const ADDRESSES = ["issuer", "authorize_url", "token_url", "device_url", "revoke_url"] as const;

const isHttps = (text: string): boolean => /^https:\/\/[^\s/?#@]+(?:\/[^\s#]*)?$/.test(text);

/** CAT-115: addresses that people and tokens are sent to are https, and sign-in has all that it needs. */
function checkAddresses(oauth: OAuthDoc, inDomain: PartView): void {
  for (const key of ADDRESSES) {
    const found = oauth[key];
    if (found === undefined || isHttps(found)) continue;
    inDomain.atValue(["oauth", key], "CAT115", "address", { key, found });
  }
  if (oauth.issuer !== undefined) return;
  // Which server an answer comes from is told by the name that it gives itself (RFC 9207), which no address says.
  if (oauth.authorize_url !== undefined)
    inDomain.atKey(["oauth", "authorize_url"], "CAT115", "nameless", {});
  if (oauth.device_url !== undefined && oauth.token_url === undefined)
    inDomain.atKey(["oauth", "device_url"], "CAT115", "alone", { key: "device_url" });
}

function checkNames({ domain, inDomain }: RuleContext, scopes: readonly string[]): void {
  const { requirements } = domain.oauth ?? {};
  const declared = nameList(scopes, "") || "none";
  const relations = [...domain.entities].flatMap(([entity, doc]) =>
    [...doc.relations.keys()].map((relation) => `${entity}.${relation}`),
  );
  for (const found of requirements?.capabilities.keys() ?? []) {
    const path = ["oauth", "requirements", "capabilities", found];
    if (domain.capabilities.has(found) || inDomain.has(["capabilities", found])) continue;
    const params = { found, ...choice(found, domain.capabilities.keys()), scopes: declared };
    inDomain.atKey(path, "CAT113", "capability", params);
  }
  for (const found of requirements?.relations.keys() ?? []) {
    const path = ["oauth", "requirements", "relations", found];
    const [entity = "", relation = ""] = found.split(".");
    if (relations.includes(found)) continue;
    if (inDomain.has(["entities", entity, "relations", relation])) continue;
    const params = { found, ...choice(found, relations), scopes: declared };
    inDomain.atKey(path, "CAT113", "relation", params);
  }
}

function checkRule(
  rule: ScopeRuleDoc,
  path: KeyPath,
  scopes: readonly string[],
  inDomain: PartView,
): void {
  if (inDomain.faulty(path) || inDomain.faulty(["oauth", "scopes"])) return;
  const declared = nameList(scopes, "") || "none";
  const given = (["any_of", "all_of"] as const).filter((key) => rule[key] !== undefined);
  const [key] = given;
  if (key === undefined || given.length > 1) {
    const found = given.length === 0 ? "neither any_of nor all_of" : "any_of and all_of";
    inDomain.atKey(path, "CAT113", "one", { found, scopes: declared });
    return;
  }
  const items = rule[key] ?? [];
  if (items.length === 0) {
    inDomain.atValue([...path, key], "CAT113", "empty", { found: key, scopes: declared });
  }
  items.forEach((item, at) => {
    const inner = [...path, key, at];
    if (typeof item !== "string") checkRule(item, inner, scopes, inDomain);
    else if (!scopes.includes(item)) {
      const nearest = nearestText(item, scopes);
      inDomain.atValue(inner, "CAT113", "scope", { found: item, nearest, scopes: declared });
    }
  });
}

const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/u;
const SIGNED = "{{ body }}";
const PLACES = ["body", "timestamp", "id"] as const;

/** CAT-160: a webhook has its secret, headers that can be sent, and signs its body with what it says where to find. */
export const webhooksRule: Rule = ({ domain, inDomain }) => {
  for (const [name, doc] of domain.webhooks) {
    const path = ["webhooks", name];
    if (inDomain.faulty(path)) continue;
    checkSecretNames(doc, path, inDomain);
    if (doc.env === undefined && doc.hosted_kv === undefined)
      inDomain.atKey(path, "CAT160", "secret", { name });
    for (const key of ["header", "timestamp_header", "id_header"] as const) {
      const found = doc[key];
      if (found !== undefined && !HEADER.test(found))
        inDomain.atValue([...path, key], "CAT160", "header", { found });
    }
    for (const [kind, params] of signedFaults(doc)) {
      // What is signed unless it is said stands nowhere.
      const at = doc.signed === SIGNED ? "scheme" : "signed";
      inDomain.atValue([...path, at], "CAT160", kind, params);
    }
  }
};

type SignedFault = readonly [
  "place" | "body" | "where" | "unsigned",
  { readonly found: string; readonly allowed: string },
];

/** What is signed, and what is not: a time that is read without being signed proves nothing. */
function signedFaults(doc: WebhookDoc): readonly SignedFault[] {
  if (doc.scheme === "token") return [];
  const faults: SignedFault[] = [];
  const names = [...doc.signed.matchAll(/\{\{([^{}]*)\}\}/gu)].map(([, name = ""]) => name.trim());
  const note = (kind: SignedFault[0], found: string, allowed: string): void => {
    faults.push([kind, { found, allowed }]);
  };
  for (const name of names) {
    if (!PLACES.some((one) => one === name))
      note("place", name, "body, timestamp and id, each in double braces");
  }
  if (!names.includes("body"))
    note(
      "body",
      names.join(", "),
      "a text in which body stands in double braces, alone or with timestamp and id",
    );
  const timed = doc.timestamp_header !== undefined || doc.timestamp_prefix !== undefined;
  if (names.includes("timestamp") && !timed)
    note("where", "timestamp", "timestamp_header, or timestamp_prefix");
  if (names.includes("id") && doc.id_header === undefined) note("where", "id", "id_header");
  if (timed && !names.includes("timestamp")) note("unsigned", "timestamp", "no time at all");
  return faults;
}
