import { isObject, type JsonObject, listOf, memberOf, sortedEntries, textOf } from "../json.ts";

/** The `auth` of a catalog, and what of it a person has to know or decide. */
export interface AuthDraft {
  readonly auth: Readonly<Record<string, unknown>>;
  readonly remark: string | null;
  readonly left: readonly string[];
}

const HEADER = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

/** `my-api` as the beginning of a name of the environment. */
const variable = (entryId: string, what: string): string =>
  `${entryId.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}_${what}`.replace(/^(?=[0-9])/, "API_");

type Made = Pick<AuthDraft, "auth" | "remark">;

function apiKey(scheme: JsonObject, entryId: string): Made | null {
  const name = textOf(memberOf(scheme, "name")) ?? "";
  const env = variable(entryId, "KEY");
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

function httpScheme(scheme: JsonObject, entryId: string): Made | null {
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

function oauth2(scheme: JsonObject, entryId: string): Made {
  const flows = sortedEntries(memberOf(scheme, "flows")).filter(([, flow]) => isObject(flow));
  const [only, second] = flows;
  const url = textOf(memberOf(only?.[1], "tokenUrl"));
  if (only?.[0] !== "clientCredentials" || second !== undefined || !isHttps(url)) {
    const made = bearer(entryId, "oauth_bearer");
    const { env } = made.auth;
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

function made(scheme: unknown, entryId: string): Made | null {
  if (!isObject(scheme)) return null;
  switch (memberOf(scheme, "type")) {
    case "http":
      return httpScheme(scheme, entryId);
    case "apiKey":
      return apiKey(scheme, entryId);
    case "oauth2":
      return oauth2(scheme, entryId);
    case "openIdConnect":
      return bearer(entryId, "oauth_bearer");
    default:
      return null;
  }
}

/** What requests of a document have to show: names of schemes, alternatives in the document's order. */
function requirements(root: JsonObject): readonly (readonly string[])[] {
  const every = sortedEntries(memberOf(root, "paths")).flatMap(([, item]) =>
    sortedEntries(item).flatMap(([, operation]) => listOf(memberOf(operation, "security"))),
  );
  return [...listOf(memberOf(root, "security")), ...every].map((one) =>
    sortedEntries(one).map(([name]) => name),
  );
}

/** How requests prove who asks: the first scheme that the document asks for and a catalog can have. */
export function authOf(root: JsonObject, entryId: string): AuthDraft {
  const schemes = memberOf(memberOf(root, "components"), "securitySchemes");
  const asked = requirements(root);
  const none: AuthDraft = { auth: { scheme: "none" }, remark: null, left: [] };
  const single = asked.find((names) => {
    const [name, second] = names;
    return name !== undefined && second === undefined && made(memberOf(schemes, name), entryId);
  });
  const names = single ?? asked.find((all) => all.length > 0) ?? [];
  if (names.length === 0) return none;
  const found = names.flatMap((name) => made(memberOf(schemes, name), entryId) ?? []);
  const [first] = found;
  const called = names.join(" and ");
  if (first === undefined) {
    return {
      ...none,
      left: [`security ${called}: a catalog has no such scheme; requests show nothing`],
    };
  }
  const left =
    names.length > 1
      ? [`security ${called}: a catalog has one scheme; ${String(first.auth["scheme"])} is it`]
      : [];
  const global = listOf(memberOf(root, "security"));
  const free =
    global.some((one) => isObject(one) && Object.keys(one).length === 0) || global.length === 0;
  const isBearer = ["bearer_token", "oauth_bearer"].includes(String(first.auth["scheme"]));
  const auth = free && isBearer ? { ...first.auth, optional_env: true } : first.auth;
  return { auth, remark: first.remark, left };
}
