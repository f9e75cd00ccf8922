import type { JsonObject } from "@plasm/core";
import type { HttpTemplate } from "@plasm/core/internal";
import { describe, expect, test } from "vitest";
import { RunFailure } from "../base/run-failure.ts";
import { catalogOf } from "../testing/fixture-run.ts";
import { addressRequest } from "./address-request.ts";
import { describeRequest } from "./build-request.ts";
import { effectiveBackend, rewriteToBackend } from "./effective-backend.ts";
import { type CapabilityCall, readCallEnvironment } from "./environment.ts";
import { mergeHeaders } from "./wire-request.ts";

const domain = (backend: string, more = ""): string => `
version: 1
http_backend: ${backend}
${more}
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  repo: { type: entity_ref, target: Repo }
  crate: { type: entity_ref, target: Crate }
entities:
  Repo: { key_vars: [owner, name], id_field: name, fields: { owner: { value_ref: text }, name: { value_ref: text } } }
  Crate: { id_field: id, fields: { id: { value_ref: text }, size: { value_ref: count } } }
capabilities:
  repo_get: { kind: get, entity: Repo }
  crate_get: { kind: get, entity: Crate, parameters: [{ name: id, value_ref: text }, { name: view, value_ref: text }] }
  crate_query:
    kind: query
    entity: Crate
    parameters:
      - { name: repo, value_ref: repo, role: scope }
      - { name: like, value_ref: crate }
      - { name: size, value_ref: count }
`;

const mappings = `
repo_get: { method: GET, path: [{ type: literal, value: repos }, { type: var, name: owner }, { type: var, name: name }], response: single }
crate_get:
  method: GET
  path: [{ type: literal, value: crates }, { type: var, name: crate_id, suffix: ":full" }]
  query: { type: object, fields: [[view, { type: var, name: view }]] }
  headers: { type: object, fields: [[Accept, { type: const, value: text/json }]] }
  response: single
crate_query:
  method: GET
  path: [{ type: literal, value: repos }, { type: var, name: owner }, { type: var, name: name }, { type: literal, value: crates }]
  query: { type: object, fields: [[size, { type: var, name: size }], [like, { type: var, name: like }], [tags, { type: const, value: [a, "b c"] }]] }
  response: items_list
`;

const catalog = catalogOf("depot", domain("https://api.depot.example/v2/"), mappings);

function called(name: string, over: Partial<CapabilityCall>) {
  const capability = catalog.cgs.capabilities.get(name);
  const template = catalog.cml.get(name) as HttpTemplate;
  if (capability === undefined) throw new Error(name);
  const call: CapabilityCall = {
    catalog,
    capability,
    template,
    args: {},
    identity: null,
    anchor: {},
    ambient: {},
    ...over,
  };
  const environment = readCallEnvironment(call);
  const request = describeRequest(template, environment, new Map());
  return { environment, request };
}

const urlOf = (
  name: string,
  over: Partial<CapabilityCall>,
  overrides: Record<string, string> = {},
): string => {
  const backend = effectiveBackend(catalog, new Map(Object.entries(overrides)));
  return addressRequest(called(name, over).request, backend, 1_000).url;
};

const crate = (id: string) => ({ key: { id }, id });

describe("RUN-010 to RUN-012, RUN-020: names and addresses", () => {
  test.each<[string, string, Partial<CapabilityCall>, string]>([
    [
      "the identity under another name",
      "crate_get",
      { identity: crate("c/1") },
      "crates/c%2F1:full",
    ],
    [
      "an argument beside it",
      "crate_get",
      { identity: crate("c"), args: { view: "a b&c" } },
      "crates/c:full?view=a%20b%26c",
    ],
    [
      "key parts",
      "repo_get",
      { identity: { key: { owner: "o", name: "n" }, id: "owner=o,name=n" } },
      "repos/o/n",
    ],
    [
      "a compound reference as object",
      "crate_query",
      { args: { repo: { owner: "o", name: "n" } } },
      "repos/o/n/crates?tags=a&tags=b%20c",
    ],
    ["as text", "crate_query", { args: { repo: "o/n" } }, "repos/o/n/crates?tags=a&tags=b%20c"],
    [
      "by full_name",
      "crate_query",
      { args: { repo: { full_name: "o/n" } } },
      "repos/o/n/crates?tags=a&tags=b%20c",
    ],
    [
      "as anchor",
      "crate_query",
      { anchor: { repo: { owner: "o", name: "n" } } },
      "repos/o/n/crates?tags=a&tags=b%20c",
    ],
    [
      "from ambient",
      "crate_query",
      { ambient: { owner: "o", name: "n" } },
      "repos/o/n/crates?tags=a&tags=b%20c",
    ],
    [
      "a row where a one-part key goes",
      "crate_query",
      { args: { repo: "o/n", like: { id: "c1" } } },
      "repos/o/n/crates?like=c1&tags=a&tags=b%20c",
    ],
  ])("%s", (_name, capability, over, path) => {
    expect(urlOf(capability, over)).toBe(`https://api.depot.example/v2/${path}`);
  });

  test("an argument for the identity's slot must equal it", () => {
    expect(() => called("crate_get", { identity: crate("c"), args: { id: "c" } })).not.toThrow();
  });

  test("RUN-044 rows carry scope arguments, anchor and path variables", () => {
    const ambient = (over: Partial<CapabilityCall>): JsonObject =>
      called("crate_query", over).environment.ambient;
    expect(ambient({ args: { repo: "o/n", size: 3 }, ambient: { tenant: "t" } })).toEqual({
      tenant: "t",
      repo: "o/n",
      owner: "o",
      name: "n",
    });
  });

  test("a variable that nothing binds is argument_missing, naming it", () => {
    const missing = (): unknown => called("crate_query", { args: { size: 1 } });
    expect(missing).toThrow(RunFailure);
    expect(missing).toThrow(/owner/);
  });
});

describe("RUN-004: the effective backend", () => {
  test("an override takes the catalog's place, base path and all", () => {
    const url = urlOf(
      "crate_get",
      { identity: crate("c") },
      { depot: "http://127.0.0.1:8080/base/" },
    );
    expect(url).toBe("http://127.0.0.1:8080/base/crates/c:full");
  });

  test.each([
    ["the catalog's own", {}, "/v2/crates/{crate_id}:full"],
    [
      "the same of another host",
      { depot: "http://127.0.0.1:8080/v2" },
      "/v2/crates/{crate_id}:full",
    ],
    ["one that may hold a key", { depot: "http://127.0.0.1:8080/k3y" }, "/crates/{crate_id}:full"],
  ])("RUN-142 errors name the base path: %s", (_name, overrides, path) => {
    const backend = effectiveBackend(catalog, new Map(Object.entries(overrides)));
    const { request } = called("crate_get", { identity: crate("c") });
    const wire = addressRequest(request, backend, 1_000);
    expect(wire.askedPath ?? wire.pathTemplate).toBe(path);
  });

  test("is read once for an address, and anew for another one", () => {
    const at = (port: number) => new Map([["depot", `http://127.0.0.1:${port}/base`]]);
    const first = effectiveBackend(catalog, at(8080));
    expect(effectiveBackend(catalog, at(8080))).toBe(first);
    expect(effectiveBackend(catalog, at(8081)).base).toBe("http://127.0.0.1:8081/base");
    expect(effectiveBackend(catalog, new Map()).base).toBe("https://api.depot.example/v2");
    expect(effectiveBackend(catalog, at(8080))).toEqual(first);
  });

  test.each([
    ["https://api.depot.example/v2/x?y=1", "http://127.0.0.1:8080/base/x?y=1"],
    ["https://api.depot.example/other", "http://127.0.0.1:8080/other"],
    ["https://api.depot.example/v22/x", "http://127.0.0.1:8080/v22/x"],
    ["https://elsewhere.example/v2/x", "https://elsewhere.example/v2/x"],
  ])("%s is rewritten to %s", (from, to) => {
    const backend = effectiveBackend(catalog, new Map([["depot", "http://127.0.0.1:8080/base"]]));
    expect(rewriteToBackend(new URL(from), backend).href).toBe(to);
  });

  test.each([
    "https://your-host.example",
    "https://YOUR_SITE.example",
    "not a url",
    "ftp://x.example",
  ])("%s refuses to run, naming the setting", (backend) => {
    const load = (): unknown => effectiveBackend(catalog, new Map([["depot", backend]]));
    const correction = expect.stringContaining("PLASM_BACKEND_DEPOT") as unknown;
    expect(load).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({ code: "origin_refused", correction }) as unknown,
      }) as Error,
    );
  });

  test("callable origins: the backend's, allow_origins, and those of literal URLs (MAP-011)", () => {
    const own = catalogOf(
      "depot",
      domain(
        "https://a.example",
        "allow_origins: [https://b.example, {origin: https://c.example, send_auth: true}]",
      ),
      mappings.replace(
        "{ type: literal, value: repos }, { type: var, name: owner }, { type: var, name: name }], response: single",
        "{ type: literal, value: https://d.example/r }, { type: var, name: owner }, { type: var, name: name }], response: single",
      ),
    );
    const { callable } = effectiveBackend(own, new Map());
    expect([...callable].toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
      ["https://a.example", { sendAuth: true }],
      ["https://b.example", { sendAuth: false }],
      ["https://c.example", { sendAuth: true }],
      ["https://d.example", { sendAuth: false }],
    ]);
  });
});

test("MAP-014 a template header replaces engine and credential headers, and none is sent twice", () => {
  const engine = [
    ["Accept", "application/json"],
    ["User-Agent", "plasm"],
  ] as const;
  expect(
    mergeHeaders(
      engine,
      [
        ["Authorization", "Bearer k"],
        ["X-Key", "k2"],
      ],
      [
        ["authorization", "x"],
        ["ACCEPT", "y"],
      ],
    ),
  ).toEqual([
    ["User-Agent", "plasm"],
    ["X-Key", "k2"],
    ["authorization", "x"],
    ["ACCEPT", "y"],
  ]);
});
