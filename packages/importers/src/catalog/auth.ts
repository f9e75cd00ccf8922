import {
  isDocumentObject,
  type DocumentObject,
  listOf,
  memberOf,
  sortedEntries,
  textOf,
} from "../json.ts";
import { wordsOf } from "../names/words.ts";
import type { SaidKey } from "../document/said-keys.ts";

/** The `auth` of a catalog, and what of it a person has to know or decide. */
export interface AuthDraft {
  readonly auth: Readonly<Record<string, unknown>>;
  /** how people sign in, where the document says so (RUN-127) */
  readonly oauth: Readonly<Record<string, unknown>> | null;
  readonly remark: string | null;
  readonly left: readonly string[];
}

const HEADER = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

/** `my-api` as the beginning of a name of the environment. */
const variable = (entryId: string, what: string): string =>
  `${entryId.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}_${what}`.replace(/^(?=[0-9])/, "API_");

type Made = Pick<AuthDraft, "auth" | "remark"> & Partial<Pick<AuthDraft, "oauth">>;

/** A label of a host that names a region. */
const REGION = /^[a-z]{2}(?:-[a-z]+){1,3}-\d{1,2}$/;

/** Requests are signed: for which service and region, the host says, `queue.eu-west-3.example.com`. */
function sigV4(entryId: string, host: string): Made {
  const labels = host.split(".");
  const at = labels.findIndex((label) => REGION.test(label));
  const env = variable(entryId, "KEYS");
  const service = labels[Math.max(0, at - 1)] ?? "";
  const region = labels[at] ?? "us-east-1";
  return {
    auth: { scheme: "sigv4", service, region, env },
    remark: `${env} holds ACCESS_KEY_ID:SECRET_ACCESS_KEY, and :SESSION_TOKEN behind it if there is one. The service is the host's first word: correct it where signatures are of another.`,
  };
}

function apiKey(scheme: DocumentObject, entryId: string, host: string): Made | null {
  const name = textOf(memberOf(scheme, "name")) ?? "";
  const env = variable(entryId, "KEY");
  const signed = textOf(memberOf(scheme, "x-amazon-apigateway-authtype")) ?? "";
  if (/^aws(?:Sigv4|S3)$/i.test(signed)) return sigV4(entryId, host);
  // A signature of another kind is no key that could be sent.
  if (/^awsSig/i.test(signed)) return null;
  switch (memberOf(scheme, "in")) {
    case "header":
      return HEADER.test(name)
        ? { auth: { scheme: "api_key_header", header: name, env }, remark: null }
        : null;
    case "query":
      return name === ""
        ? null
        : { auth: { scheme: "api_key_query", param: name, env }, remark: null };
    default:
      return null;
  }
}

const bearer = (entryId: string, scheme: string): Made => ({
  auth: { scheme, env: variable(entryId, "TOKEN") },
  remark: null,
});

function httpScheme(scheme: DocumentObject, entryId: string): Made | null {
  switch ((textOf(memberOf(scheme, "scheme")) ?? "").toLowerCase()) {
    case "bearer":
      return bearer(entryId, "bearer_token");
    case "basic": {
      const env = variable(entryId, "BASIC");
      return {
        auth: { scheme: "api_key_header", header: "Authorization", prefix: "Basic ", env },
        remark: `${env} holds user:password in base64.`,
      };
    }
    default:
      return null;
  }
}

const isHttps = (text: string | undefined): text is string => {
  if (text === undefined || !URL.canParse(text)) return false;
  const { protocol, username } = new URL(text);
  return protocol === "https:" && username === "";
};

/** More scopes than a person would look through: they ask for those that they need by `--scope`. */
const MOST_SCOPES = 100;
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/;
const MOST_LABEL = 120;

/** The scopes of a flow, with what the document says of each. */
function scopesOf(flow: unknown): Readonly<Record<string, object>> {
  const named = sortedEntries(memberOf(flow, "scopes")).filter(([name]) => SCOPE.test(name));
  return Object.fromEntries(
    named.slice(0, MOST_SCOPES).map(([name, said]) => {
      const label = (textOf(said) ?? "").replaceAll(/\s+/g, " ").trim();
      const isShown = label !== "" && label.length <= MOST_LABEL;
      return [name, isShown ? { label } : {}];
    }),
  );
}

/** How people sign in by a flow with consent; null where its addresses are not such that a catalog can have them. */
function signInOf(flow: unknown, entryId: string): Pick<AuthDraft, "oauth" | "remark"> | null {
  const authorize = textOf(memberOf(flow, "authorizationUrl"));
  const token = textOf(memberOf(flow, "tokenUrl"));
  if (!isHttps(authorize) || !isHttps(token)) return null;
  if (new URL(authorize).hash !== "" || new URL(token).hash !== "") return null;
  const { origin } = new URL(authorize);
  return {
    oauth: {
      provider: entryId,
      issuer: origin,
      authorize_url: authorize,
      token_url: token,
      scopes: scopesOf(flow),
    },
    remark: `People sign in at ${origin}: register an application there, and set PLASM_OAUTH_${variable(entryId, "CLIENT_ID")}. What "iss" of its answers is, the document does not say: change issuer if it is another. All scopes are asked for: take out those that are not needed.`,
  };
}

const CONFIGURATION = "/.well-known/openid-configuration";

/** How people sign in at a provider that publishes its configuration. */
function openIdConnect(scheme: DocumentObject, entryId: string): Made {
  const made = bearer(entryId, "oauth_bearer");
  const url = textOf(memberOf(scheme, "openIdConnectUrl"));
  if (!isHttps(url) || !url.endsWith(CONFIGURATION)) return made;
  const issuer = url.slice(0, -CONFIGURATION.length);
  const { hash, search } = new URL(url);
  if (hash !== "" || search !== "") return made;
  return { ...made, oauth: { provider: entryId, issuer, scopes: {} } };
}

function oauth2(scheme: DocumentObject, entryId: string): Made {
  const flows = sortedEntries(memberOf(scheme, "flows")).filter(([, flow]) =>
    isDocumentObject(flow),
  );
  const [only, second] = flows;
  const url = textOf(memberOf(only?.[1], "tokenUrl"));
  if (only?.[0] !== "clientCredentials" || second !== undefined || !isHttps(url)) {
    const made = bearer(entryId, "oauth_bearer");
    const { env } = made.auth;
    const signIn = signInOf(memberOf(memberOf(scheme, "flows"), "authorizationCode"), entryId);
    if (signIn !== null) return { ...made, ...signIn };
    return {
      ...made,
      remark: `${String(env)} holds an access token: a person's consent is asked for elsewhere.`,
    };
  }
  const scopes = sortedEntries(memberOf(only[1], "scopes")).map(([name]) => name);
  const auth = {
    scheme: "oauth2_client_credentials",
    token_url: url,
    client_id_env: variable(entryId, "CLIENT_ID"),
    client_secret_env: variable(entryId, "CLIENT_SECRET"),
    ...(scopes.length === 0 ? {} : { scopes }),
  };
  return { auth, remark: scopes.length === 0 ? null : "Take out the scopes that are not needed." };
}

function made(scheme: unknown, entryId: string, host: string): Made | null {
  if (!isDocumentObject(scheme)) return null;
  switch (memberOf(scheme, "type")) {
    case "http":
      return httpScheme(scheme, entryId);
    case "apiKey":
      return apiKey(scheme, entryId, host);
    case "oauth2":
      return oauth2(scheme, entryId);
    case "openIdConnect":
      return openIdConnect(scheme, entryId);
    default:
      return null;
  }
}

/** The names of schemes that go together, alternatives in the order given. */
const alternativesOf = (security: unknown): readonly (readonly string[])[] =>
  listOf(security)
    .map((one) => sortedEntries(one).map(([name]) => name))
    .filter((names) => names.length > 0);

/** What requests of a document have to show: what the document says of all, then what most operations say. */
function requirements(root: DocumentObject): readonly (readonly string[])[] {
  const counts = new Map<string, { names: readonly string[]; count: number }>();
  for (const [, item] of sortedEntries(memberOf(root, "paths")))
    for (const [, operation] of sortedEntries(item))
      for (const names of alternativesOf(memberOf(operation, "security"))) {
        const key = JSON.stringify(names);
        counts.set(key, { names, count: (counts.get(key)?.count ?? 0) + 1 });
      }
  const every = [...counts.values()].toSorted((a, b) => b.count - a.count);
  return [...alternativesOf(memberOf(root, "security")), ...every.map(({ names }) => names)];
}

interface Named {
  readonly name: string;
  readonly found: Made;
}

const isKey = ({ found: { auth } }: Named): boolean =>
  auth["scheme"] === "api_key_header" || auth["scheme"] === "api_key_query";

/** Where in a request a secret stands. */
function placeOf({ found: { auth } }: Named): string {
  if (auth["scheme"] === "api_key_query") return `query ${String(auth["param"])}`;
  return `header ${(textOf(auth["header"]) ?? "Authorization").toLowerCase()}`;
}

/** What a further key is called: the words of its scheme. */
function keyName(scheme: string, taken: ReadonlySet<string>): string {
  const words = wordsOf(scheme)
    .join("_")
    .replaceAll(/[^a-z0-9_]/g, "")
    .replace(/_auth$/, "");
  const plain = (/^[a-z]/.test(words) ? words : `key_${words}`).slice(0, 28);
  const wanted = ["secret", "client_id", "client_secret"].includes(plain) ? `${plain}_key` : plain;
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}_${count}`;
    if (!taken.has(name)) return name;
  }
}

/** Schemes as one `auth`: the first that is no key, else the first; the keys beside it go along. */
function together(all: readonly Named[], entryId: string) {
  const main = all.find((one) => !isKey(one)) ?? all[0];
  if (main === undefined) return null;
  const places = new Set([placeOf(main)]);
  const taken = new Set<string>();
  const also: Readonly<Record<string, unknown>>[] = [];
  const unfit: string[] = [];
  const remarks = [main.found.remark ?? []].flat();
  for (const one of all) {
    if (one === main) continue;
    if (!isKey(one) || places.has(placeOf(one))) {
      unfit.push(one.name);
      continue;
    }
    places.add(placeOf(one));
    const name = keyName(one.name, taken);
    taken.add(name);
    const env = variable(entryId, name.toUpperCase());
    const { env: own, ...auth } = one.found.auth;
    also.push({ name, ...auth, env });
    if (one.found.remark !== null) remarks.push(one.found.remark.replace(String(own), env));
  }
  const auth: AuthDraft["auth"] = {
    ...main.found.auth,
    ...(also.length === 0 ? {} : { also }),
  };
  return { main, auth, unfit, remark: remarks.length === 0 ? null : remarks.join(" ") };
}

/** A credential that the document says as a parameter, as if it were a scheme of that name. */
function saidScheme({ in: place, name }: SaidKey, entryId: string): readonly Named[] {
  const found = apiKey({ in: place, name }, entryId, "");
  if (found === null) return [];
  const isWhole = name.toLowerCase() === "authorization";
  const remark = `${String(found.auth["env"])} holds the whole header, with the word of its scheme, such as Bearer.`;
  return [{ name, found: isWhole ? { ...found, remark } : found }];
}

/**
 * Credentials said as parameters, beside the schemes of one alternative: those that calls need and that stand where no
 * scheme does. Without a scheme, the one to take where none is needed.
 */
function saidBeside(
  schemes: readonly Named[],
  keys: readonly SaidKey[],
  entryId: string,
): readonly Named[] {
  const needed = keys.filter(({ required }) => required);
  const any = schemes.length > 0 || needed.length > 0 ? needed : keys.slice(0, 1);
  const places = new Set(schemes.map(placeOf));
  return any.flatMap((key) => saidScheme(key, entryId)).filter((one) => !places.has(placeOf(one)));
}

/**
 * How requests prove who asks: the first alternative of the document that a catalog can have whole, with the credentials
 * that are said as parameters.
 */
export function authOf(
  root: DocumentObject,
  entryId: string,
  host = "",
  keys: readonly SaidKey[] = [],
): AuthDraft {
  const schemes = memberOf(memberOf(root, "components"), "securitySchemes");
  const asked = requirements(root);
  const none: AuthDraft = { auth: { scheme: "none" }, oauth: null, remark: null, left: [] };
  const all = asked.map((names) => {
    const found = names.flatMap((name): readonly Named[] => {
      const one = made(memberOf(schemes, name), entryId, host);
      return one === null ? [] : [{ name, found: one }];
    });
    const besides = saidBeside(found, keys, entryId);
    const of = together([...found, ...besides], entryId);
    return { names, of, whole: found.length === names.length };
  });
  const chosen = all.find(({ of, whole }) => whole && of?.unfit.length === 0) ?? all[0];
  if (chosen === undefined) {
    const said = together(saidBeside([], keys, entryId), entryId);
    if (said === null) return none;
    const optional = keys.some(({ required }) => required) ? {} : { optional_env: true };
    return { ...none, auth: { ...said.auth, ...optional }, remark: said.remark };
  }
  const called = chosen.names.join(" and ");
  if (chosen.of === null) {
    return {
      ...none,
      left: [`security ${called}: a catalog has no such scheme; requests show nothing`],
    };
  }
  const { main, auth: whole, unfit, remark } = chosen.of;
  const missing = chosen.names.filter(
    (name) => made(memberOf(schemes, name), entryId, host) === null,
  );
  const others = [...unfit, ...missing].join(" and ");
  const left =
    others === ""
      ? []
      : [
          `security ${called}: a request cannot have ${others} beside ${main.name}; it has ${main.name} alone`,
        ];
  const global = listOf(memberOf(root, "security"));
  const isOptional = global.some((one) => isDocumentObject(one) && Object.keys(one).length === 0);
  const isBearer = ["bearer_token", "oauth_bearer"].includes(String(whole["scheme"]));
  const mayBeFree = isBearer ? isOptional || global.length === 0 : isKey(main) && isOptional;
  const auth = mayBeFree ? { ...whole, optional_env: true } : whole;
  return { auth, oauth: main.found.oauth ?? null, remark, left };
}
