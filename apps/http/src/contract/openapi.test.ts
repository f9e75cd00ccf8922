import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { ROUTES } from "../routes/all-routes.ts";
import { send } from "../testing/app-for.ts";
import { contractOf, type OpenApi } from "../testing/contract.ts";
import { openApiDocument } from "./openapi.ts";
import { OPERATIONS } from "./operations.ts";

const document = (await (await send({}, "/v1/openapi.json")).json()) as OpenApi;
const contract = contractOf(document);
const inBraces = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

describe("GET /v1/openapi.json (SURF-16)", () => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect([valid, errors, validator.version]).toEqual([true, undefined, "3.1"]);
  });

  it("a document that is not valid is found to be none", async () => {
    const broken = { ...structuredClone(document), paths: { "/x": { get: { responses: 7 } } } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it("describes every route, and no other", () => {
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = ROUTES.map(({ method, path }) => `${method} ${inBraces(path)}`);
    expect(told.toSorted()).toEqual([...routes, "GET /v1/openapi.json"].toSorted());
  });

  it("has a name for each operation, and each of its references leads somewhere", () => {
    const ids = Object.values(OPERATIONS).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(50);
    for (const [, pointer = ""] of references) {
      const found = pointer
        .split("/")
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      expect([pointer, typeof found]).toEqual([pointer, "object"]);
    }
  });

  it("is told to anybody, and shows no catalog", async () => {
    const response = await send({}, "/v1/openapi.json", { headers: { accept: "*/*" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/json",
    ]);
    expect(await contract.answerFaults("GET /v1/openapi.json", response)).toEqual([]);
  });

  it("is a measure: what it does not tell of is found", async () => {
    expect(contract.faultsOf("Health", { status: "ok" })).toEqual([]);
    for (const wrong of [{ status: "ill" }, {}, { status: "ok", more: 1 }]) {
      expect(contract.faultsOf("Health", wrong)).not.toEqual([]);
    }
    const nested = { alive: true, expires_at: "tomorrow" };
    expect(contract.faultsOf("Status", nested)).not.toEqual([]);
    const run = { results: [], text: "", _meta: { plasm: { stepz: [] } } };
    expect(contract.faultsOf("ProgramAnswer", run)).not.toEqual([]);
    const teapot = new Response("{}", { status: 418 });
    expect(await contract.answerFaults("GET /v1/health", teapot)).not.toEqual([]);
  });

  it("says of a route that is not public that a credential may be needed (SURF-23)", () => {
    const routes = [
      { method: "GET", path: "/v1/health", access: "public" },
      { method: "GET", path: "/v1/approvals", access: "own" },
      { method: "GET", path: "/v1/registry" },
    ] as const;
    const { paths } = openApiDocument(routes) as unknown as OpenApi;
    const required = Object.values(paths).map(({ get }) => [
      JSON.stringify(get?.["security"]),
      "401" in (get?.responses ?? {}),
    ]);
    const proved = '{"apiKey":[]},{"bearer":[]}';
    expect(required).toEqual([
      ["[]", false],
      [`[${proved}]`, true],
      [`[{},${proved}]`, true],
    ]);
  });
});
