import type { Engine } from "@plasm/agent-core";
import { createAuthenticator, fail, type KeyRing } from "@plasm/agent-core/internal";
import type { JsonObject } from "@plasm/core";
import { describe, expect, it } from "vitest";
import { createHttpApp } from "../create-http-app.ts";
import { ROUTES } from "../routes/all-routes.ts";
import type { Route } from "../routes/route.ts";
import { problemIn } from "../testing/app-for.ts";
import { contractOf, type OpenApi } from "../testing/contract.ts";
import { engineWith } from "../testing/engine-with.ts";
import { openApiDocument, problemsOf } from "./openapi.ts";
import { OPERATIONS, type OperationDoc } from "./operations.ts";

const contract = contractOf(openApiDocument(ROUTES) as unknown as OpenApi);
const inBraces = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");
const docOf = ({ method, path }: Route): OperationDoc =>
  OPERATIONS[`${method} ${path}`] as OperationDoc;

/** Keys are known by the name of their role. */
const keys: Pick<KeyRing, "recordOf"> = {
  recordOf: async (key: string) => {
    const role = (["agent", "operator", "admin", "monitor"] as const).find((one) => one === key);
    if (role === undefined) return null;
    return { id: "1", hash: "", tenant: "acme", subject: "ann", role, createdAt: 0 };
  },
};

const absent = async (): Promise<never> => {
  throw new Error("No test of this file gets here");
};

/** An app whose callers have to say who they are, on an engine that does this for whatever it is asked. */
function appOf(each: () => Promise<never>) {
  const whatever = new Proxy({}, { get: () => each });
  const { problemOf } = engineWith();
  const engine = new Proxy(engineWith(), {
    get: (_, name) =>
      name === "problemOf"
        ? problemOf
        : name === "programs" || name === "schedules"
          ? whatever
          : each,
  }) as Engine;
  const auth = createAuthenticator({ mode: "required", keys });
  const mcp = { fetch: absent, close: async () => undefined };
  const operators = {
    keys,
    approvals: whatever as never,
    setAside: whatever as never,
    audit: whatever as never,
    settings: whatever as never,
  };
  const administrators = {
    keys,
    policies: whatever as never,
    catalogs: whatever as never,
    metrics: each,
  };
  const accounts = whatever as never;
  return createHttpApp({ engine, auth, mcp, operators, administrators, accounts });
}

const roleFor = ({ path }: Route): string =>
  path === "/metrics"
    ? "monitor"
    : path.startsWith("/v1/admin")
      ? "admin"
      : path.startsWith("/v1/approvals") ||
          path === "/v1/audit" ||
          path.startsWith("/v1/settings") ||
          path.startsWith("/v1/operations/set-aside")
        ? "operator"
        : "agent";

/** A body that a route reads without complaint. */
const GOOD: Readonly<Record<string, JsonObject>> = {
  ScheduleBody: { program: "lost_boats", cron: "0 7 * * 1" },
  DiscoverBody: { intent: "x" },
  OpenBody: { seeds: [{ api: "quay", entity: "Boat" }] },
  ContextBody: { seeds: [{ api: "quay", entity: "Boat" }] },
  ProgramBody: { program: "Boat" },
  AccountBody: { entry_id: "quay" },
  SaveBody: { session: "s0", plan_commit_ref: "pc0", name: "weekly" },
  ShareBody: { entry_id: "quay", account: "work", users: [] },
};

interface Wrong {
  readonly what: string;
  readonly status: number;
  readonly code: string;
  /** whether a route can be wrong in this way */
  readonly of: (doc: OperationDoc, route: Route) => boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly query?: string;
  readonly method?: string;
}

const JSON_TYPE = { "content-type": "application/json" };
const takesJson = ({ body }: OperationDoc): boolean => body?.["application/json"] !== undefined;
const negotiates = ({ problems = [] }: OperationDoc): boolean =>
  problems.includes("plasm-not-acceptable");
const anyRoute = (): boolean => true;
const notPublic = (_: OperationDoc, { access }: Route): boolean => access !== "public";

const WRONG: readonly Wrong[] = [
  {
    what: "a foreign Host",
    status: 403,
    code: "plasm-policy-denied",
    of: anyRoute,
    headers: { host: "evil.example" },
  },
  {
    what: "a foreign Origin",
    status: 403,
    code: "plasm-policy-denied",
    of: anyRoute,
    headers: { origin: "https://evil.example" },
  },
  {
    what: "no credential",
    status: 401,
    code: "plasm-unauthenticated",
    of: notPublic,
    headers: { "x-api-key": "" },
  },
  {
    what: "an unknown credential",
    status: 401,
    code: "plasm-unauthenticated",
    of: notPublic,
    headers: { "x-api-key": "nobody" },
  },
  {
    what: "an unknown query",
    status: 400,
    code: "plasm-bad-request",
    of: anyRoute,
    query: "?colour=red",
  },
  {
    what: "another method",
    status: 405,
    code: "plasm-method-not-allowed",
    of: anyRoute,
    method: "PATCH",
  },
  {
    what: "JSON that is none",
    status: 400,
    code: "plasm-bad-request",
    of: takesJson,
    body: "{",
    headers: JSON_TYPE,
  },
  {
    what: "an unknown member",
    status: 400,
    code: "plasm-bad-request",
    of: (doc) =>
      takesJson(doc) &&
      doc.body?.["application/json"] !== "PolicyBody" &&
      doc.body?.["application/json"] !== "CatalogBody",
    body: '{"colour":1}',
    headers: JSON_TYPE,
  },
  {
    what: "JSON sent as text (G21)",
    status: 415,
    code: "plasm-unsupported-media",
    of: takesJson,
    body: "{}",
    headers: { "content-type": "text/plain" },
  },
  {
    what: "a form",
    status: 415,
    code: "plasm-unsupported-media",
    of: takesJson,
    body: "a=b",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  },
  {
    what: "too much",
    status: 413,
    code: "plasm-too-large",
    of: takesJson,
    body: "{}",
    headers: { ...JSON_TYPE, "content-length": "4194305" },
  },
  {
    what: "an Accept that is not met",
    status: 406,
    code: "plasm-not-acceptable",
    of: negotiates,
    headers: { accept: "image/png, text/html;q=0.5" },
  },
];

async function sendTo(app: ReturnType<typeof appOf>, route: Route, wrong: Partial<Wrong>) {
  const path = route.path.replaceAll(/:\w+/g, "1");
  const { method = route.method, query = "" } = wrong;
  const name = docOf(route).body?.["application/json"] ?? "text";
  const body =
    route.method === "GET" ? {} : { body: wrong.body ?? JSON.stringify(GOOD[name] ?? {}) };
  const type = route.method === "GET" ? {} : JSON_TYPE;
  const headers = { "x-api-key": roleFor(route), "x-request-id": "r1", ...type, ...wrong.headers };
  const request = new Request(`http://127.0.0.1${path}${query}`, { method, headers, ...body });
  return app.fetch(request);
}

describe.each(WRONG)("SURF-18 $what is $status $code", (wrong) => {
  const routes = ROUTES.filter((route) => wrong.of(docOf(route), route));

  it.each(routes)("$method $path", async (route) => {
    const response = await sendTo(appOf(absent), route, wrong);
    expect(await problemIn(response.clone())).toMatchObject(
      wrong.status === 405 ? { code: wrong.code } : { status: wrong.status, code: wrong.code },
    );
    expect(contract.faultsOf("Problem", await response.clone().json())).toEqual([]);
    expect(response.headers.get("x-request-id")).toBe("r1");
    if (wrong.status === 405) return;
    const operation = `${route.method} ${inBraces(route.path)}`;
    expect(await contract.answerFaults(operation, response)).toEqual([]);
  });
});

describe("SURF-18 whatever the engine refuses is a problem that the document tells of", () => {
  const served = ROUTES.filter(({ access, path }) => access !== "public" && path !== "/v1/whoami");

  it.each(served)("$method $path", async (route) => {
    for (const code of problemsOf(route, docOf(route))) {
      const refuse = async (): Promise<never> => {
        throw fail(code, "refused");
      };
      const response = await sendTo(appOf(refuse), route, {});
      expect(await problemIn(response.clone())).toMatchObject({ code, detail: "refused" });
      const operation = `${route.method} ${inBraces(route.path)}`;
      expect(await contract.answerFaults(operation, response)).toEqual([]);
    }
  });
});
