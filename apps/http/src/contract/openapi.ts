import { type ProblemCode, PROBLEMS } from "@plasm/agent-core";
import { AUDIT_KINDS } from "@plasm/agent-core/internal";
import type { JsonObject } from "@plasm/core";
import { VERSION } from "@plasm/host";
import { z } from "zod";
import type { Route } from "../routes/route.ts";
import { type Answered, type Content, type OperationDoc, OPERATIONS } from "./operations.ts";
import { type SchemaName, SCHEMAS } from "./schemas.ts";

type Described = Pick<Route, "method" | "path" | "access" | "query">;

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** What a schema says that stands in a file of its own. */
const OF_A_FILE: readonly string[] = ["$schema", "$id"];

/** The named schemas as JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. */
function componentSchemas(): JsonObject {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) named.add(schema, { id });
  const { schemas } = z.toJSONSchema(named, {
    io: "input",
    uri: (id) => `#/components/schemas/${id}`,
  });
  const own = ([name]: readonly [string, unknown]): boolean => !OF_A_FILE.includes(name);
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const members = Object.entries(schema).filter(own);
      return [id, Object.fromEntries(members) as JsonObject];
    }),
  );
}

const schemaOf = (name: SchemaName | "text"): JsonObject =>
  name === "text" ? { type: "string" } : refTo(name);

const contentOf = (content: Content): JsonObject =>
  Object.fromEntries(
    Object.entries(content).map(([type, name]) => [type, { schema: schemaOf(name) }]),
  );

const answerOf = ({ says, content, headers = [] }: Answered): JsonObject => ({
  description: says,
  headers: Object.fromEntries(
    ["X-Request-Id", ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
  content: contentOf(content),
});

/** Who may call, as requirements of which one has to be met. */
function securityOf({ access = "agent" }: Described): readonly JsonObject[] {
  const proved = [{ apiKey: [] }, { bearer: [] }];
  switch (access) {
    case "public":
      return [];
    case "own":
      return proved;
    case "known":
    case "overseen":
    case "agent":
      return [{}, ...proved];
  }
}

const COMMON: readonly ProblemCode[] = [
  "plasm-bad-request",
  "plasm-policy-denied",
  "plasm-rate-limited",
  "plasm-internal",
  "plasm-store-unavailable",
];

/** Every problem that a route may answer with. */
export function problemsOf(route: Described, doc: OperationDoc): readonly ProblemCode[] {
  const { access, path } = route;
  return [
    ...COMMON,
    ...(access === "public"
      ? []
      : (["plasm-unauthenticated", "plasm-insufficient-scope"] as const)),
    ...(doc.body === undefined ? [] : (["plasm-too-large", "plasm-unsupported-media"] as const)),
    ...(path.startsWith("/execute/")
      ? (["plasm-unknown-session", "plasm-session-lost"] as const)
      : []),
    ...(doc.problems ?? []),
  ];
}

function problemAnswers(route: Described, doc: OperationDoc): JsonObject {
  const byStatus = new Map<number, Set<string>>();
  for (const code of problemsOf(route, doc)) {
    const [status] = PROBLEMS[code];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  const answers = [...byStatus].map(([status, codes]) => {
    const description = [...codes].toSorted().join(", ");
    const content = { "application/problem+json": { schema: refTo("Problem") } };
    return [String(status), { description, content }] as const;
  });
  return Object.fromEntries(answers);
}

const inBraces = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

function parametersOf({ path, query = [] }: Described): readonly JsonObject[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = query.map((name) => ({ name, in: "query", schema: PARAMETERS[name] ?? {} }));
  const requestId = { $ref: "#/components/parameters/X-Request-Id" };
  return [...inPath, ...inQuery, requestId];
}

function operationOf(route: Described, doc: OperationDoc): JsonObject {
  const { id, summary, body, optional = false, answers } = doc;
  const required = !optional;
  const requestBody = body && { requestBody: { required, content: contentOf(body) } };
  const responses = Object.entries(answers).map(
    ([status, one]) => [status, answerOf(one)] as const,
  );
  return {
    operationId: id,
    summary,
    security: [...securityOf(route)],
    parameters: [...parametersOf(route)],
    ...requestBody,
    responses: { ...Object.fromEntries(responses), ...problemAnswers(route, doc) },
  };
}

function pathsOf(routes: readonly Described[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const doc = OPERATIONS[`${route.method} ${route.path}`];
    if (doc === undefined) continue;
    const path = inBraces(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, doc) };
  }
  return paths;
}

/** The OpenAPI 3.1 document of routes, from the schemas that their bodies are read by (SURF-16). */
export const openApiDocument = (routes: readonly Described[]): JsonObject => ({
  openapi: "3.1.1",
  info: {
    title: "Plasm",
    version: VERSION,
    description: "Small programs against APIs. Every error is application/problem+json.",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  servers: [{ url: "/" }],
  paths: pathsOf(routes),
  components: {
    schemas: componentSchemas(),
    headers: HEADERS,
    parameters: {
      "X-Request-Id": {
        name: "X-Request-Id",
        in: "header",
        description: "echoed in the answer; made by the server without one",
        schema: { type: "string", pattern: "^[\\w.:=-]{1,128}$" },
      },
    },
    securitySchemes: {
      apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
      bearer: { type: "http", scheme: "bearer" },
    },
  },
});

const text = (description: string): JsonObject => ({ description, schema: { type: "string" } });

/** Headers of answers (SURF-16, SURF-17). */
const HEADERS: JsonObject = Object.freeze({
  Location: text("where what was made is"),
  "Retry-After": text("seconds to wait before the next try"),
  "X-Plasm-Next-Page": text("handles of next pages, with commas between"),
  "X-Plasm-Partial": text("what cut results short, with commas between"),
  "X-Plasm-Run-Id": text("ids of runs, with commas between"),
  "X-Plasm-Session": text("the path of the session that a saved program runs in"),
  "X-Request-Id": text("the one sent, or the server's own"),
});

const truth: JsonObject = { type: "boolean" };

/** Query parameters by name (OPS-34). */
const PARAMETERS: Readonly<Record<string, JsonObject>> = Object.freeze({
  mode: { enum: ["plan", "explain", "run"] },
  wait: truth,
  force: truth,
  plan_commit_ref: { type: "string" },
  sessions: { enum: ["lose", "keep"] },
  before: { type: "string" },
  after: { type: "string" },
  caller: { type: "string" },
  since: { type: "string" },
  until: { type: "string" },
  kind: { enum: [...AUDIT_KINDS] },
  subject: { type: "string" },
  entry_id: { type: "string" },
  limit: { type: "integer", minimum: 1, maximum: 1000 },
  order: { enum: ["asc", "desc"] },
});
