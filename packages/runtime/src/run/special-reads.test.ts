import { describe, expect, test } from "vitest";
import { type Received, type Reply, startServer } from "@plasm/testkit/servers";
import { catalogOf, run } from "../testing/fixture-run.ts";
import { boat, compute, relation } from "../testing/nodes.ts";

const top = (backend: string): string => `
version: 1
http_backend: ${backend}
values:
  text: { type: string, string_semantics: short }
  free: { type: json }
  owner: { type: entity_ref, target: Owner }
`;

/** Starts a server, loads a catalog that calls it, runs the nodes, and gives what both saw. */
async function withServer(
  parts: { readonly domain: string; readonly mappings: string },
  nodes: Parameters<typeof run>[1],
  reply: (request: Received, origin: string) => Reply,
) {
  let origin = "";
  const server = await startServer((request) => reply(request, origin));
  origin = server.url;
  const catalog = catalogOf("depot", top(`${origin}/v1`) + parts.domain, parts.mappings);
  const outcome = await run({ catalogs: [catalog], backends: {} }, nodes);
  await server.close();
  return { outcome, origin, urls: server.log.map(({ url }) => url) };
}

const crateNode = (id: string) =>
  boat(id, {
    catalog: { entry_id: "depot", digest: "d", entity: "Crate" },
    capability: "crate_get",
    result: { card: "one", entity: "Crate", columns: null },
  });

describe("RUN-021: an identity that is an address", () => {
  const parts = {
    domain: `
entities:
  Crate: { id_field: url, fields: { url: { value_ref: text }, name: { value_ref: text } } }
capabilities:
  crate_get: { kind: get, entity: Crate }
`,
    mappings: `
crate_get:
  method: GET
  path: [{ type: literal, value: crates }, { type: var, name: url }, { type: literal, value: full }]
  response: single
`,
  };
  test("it replaces the path up to its segment; later segments are appended", async () => {
    let origin = "";
    const server = await startServer(() => ({ json: { name: "n" } }));
    origin = server.url;
    const catalog = catalogOf("depot", top(origin) + parts.domain, parts.mappings);
    const get = (key: string) => ({ ...crateNode(""), key: { url: { lit: key } } });
    const own = await run({ catalogs: [catalog], backends: {} }, [get(`${origin}/x/y?z=1`)]);
    expect(own.results[0]?.rows[0]?.ref).toBe(`Crate:${origin}/x/y?z=1`);
    await run({ catalogs: [catalog], backends: {} }, [get("c1")]);
    expect(server.log.map(({ url }) => url)).toEqual(["/x/y/full?z=1", "/crates/c1/full"]);
    const other = await run({ catalogs: [catalog], backends: {} }, [get("http://10.0.0.1/x")]);
    expect(other.nodes[0]?.error).toMatchObject({ code: "origin_refused" });
    expect(other.nodes[0]?.error?.message).toContain("http://10.0.0.1");
    expect(other.nodes[0]?.error?.correction).toContain(origin);
    await server.close();
  });

  test("MAP-012 an empty key is refused before any request", async () => {
    const get = { ...crateNode(""), key: { url: { lit: "" } } };
    const { outcome, urls } = await withServer(parts, [get], () => ({ json: {} }));
    expect([outcome.nodes[0]?.error?.code, urls]).toEqual(["argument_invalid", []]);
  });
});

describe("MAP-032: the second read of a get", () => {
  const parts = {
    domain: `
entities:
  Crate: { id_field: id, fields: { id: { value_ref: text }, weights: { value_ref: free } } }
capabilities:
  crate_get: { kind: get, entity: Crate }
`,
    mappings: `
crate_get:
  method: GET
  path: [{ type: literal, value: crates }, { type: var, name: id }]
  response:
    single: true
    auxiliary_merge: { method: GET, path: [{ type: literal, value: weights }, { type: var, name: id }], from_path: [w], into_key: weights }
`,
  };

  test("its value is merged into the row", async () => {
    const { outcome, urls } = await withServer(parts, [crateNode("c1")], ({ path }) => ({
      json: path.includes("weights") ? { w: [1, 2] } : { id: "c1" },
    }));
    expect(urls).toEqual(["/v1/crates/c1", "/v1/weights/c1"]);
    expect(outcome.results[0]?.rows[0]?.values).toEqual({ id: "c1", weights: [1, 2] });
  });

  test("a failure leaves the key out, with a diagnostic", async () => {
    const { outcome } = await withServer(parts, [crateNode("c1")], ({ path }) =>
      path.includes("weights") ? { status: 500, text: "" } : { json: { id: "c1" } },
    );
    expect(outcome.status).toBe("succeeded");
    expect(outcome.results[0]?.rows[0]?.values).toEqual({ id: "c1" });
    expect(outcome.results[0]?.partial).toBe("merge_failed");
  });
});

describe("RUN-050, RUN-052: bindings", () => {
  const parts = {
    domain: `
entities:
  Crate:
    id_field: id
    fields: { id: { value_ref: text }, twin: { value_ref: text }, lot: { value_ref: text }, owner: { value_ref: owner } }
    relations:
      same: { target: Crate, cardinality: one, materialize: { kind: get_scoped_bindings, capability: crate_get, bindings: { id: twin } } }
      mates: { target: Crate, cardinality: many, materialize: { kind: query_scoped_bindings, capability: crate_query, bindings: { lot: lot } } }
  Owner: { id_field: login, fields: { login: { value_ref: text }, name: { value_ref: text }, city: { value_ref: text } } }
capabilities:
  crate_get: { kind: get, entity: Crate, parameters: [{ name: id, value_ref: text }] }
  crate_query: { kind: query, entity: Crate, provides: [id], parameters: [{ name: lot, value_ref: text, required: true, role: scope }] }
  owner_get: { kind: get, entity: Owner }
`,
    mappings: `
crate_get: { method: GET, path: [{ type: literal, value: crates }, { type: var, name: id }], response: single }
crate_query:
  method: GET
  path: [{ type: literal, value: lots }, { type: var, name: lot }]
  response: bare_list
owner_get: { method: GET, path: [{ type: literal, value: owners }, { type: var, name: login }], response: single }
`,
  };
  const rows: Record<string, unknown> = {
    c1: { id: "c1", twin: "c2", lot: "l/1", owner: { login: "ann", name: "Ann" } },
    c2: { id: "c2", twin: null, lot: null },
  };
  const reply = ({ path }: Received): Reply => {
    const [, , kind, id = ""] = path.split("/");
    if (kind === "crates") return { json: rows[id] };
    if (kind === "owners") return { json: { login: id, name: "Ann", city: "Kiel" } };
    return { json: [{ id: "c1" }, { id: "c2" }] };
  };
  const to = (
    name: string,
    via: "get_scoped_bindings" | "query_scoped_bindings" | "ref",
    over = {},
  ) =>
    relation(name, via, "Crate", {
      source: "n1",
      owner: "Crate",
      catalog: { entry_id: "depot", digest: "d", entity: "Crate" },
      ...over,
    });

  test("C-037 a bound get; null gives no row", async () => {
    const twin = to("same", "get_scoped_bindings", { capability: "crate_get" });
    const one = await withServer(parts, [crateNode("c1"), twin], reply);
    expect(one.urls).toEqual(["/v1/crates/c1", "/v1/crates/c2"]);
    expect(one.outcome.results[0]?.rows.map(({ ref }) => ref)).toEqual(["Crate:c2"]);
    const none = await withServer(parts, [crateNode("c2"), twin], reply);
    expect([none.outcome.status, none.outcome.results[0]?.rows]).toEqual(["succeeded", []]);
  });

  test("a bound list; null is a row error", async () => {
    const mates = to("mates", "query_scoped_bindings", { capability: "crate_query" });
    const { outcome, urls } = await withServer(parts, [crateNode("c1"), mates], reply);
    expect(urls).toEqual(["/v1/crates/c1", "/v1/lots/l%2F1"]);
    expect(outcome.results[0]?.rows.map(({ ref }) => ref)).toEqual(["Crate:c1", "Crate:c2"]);
    const none = await withServer(parts, [crateNode("c2"), mates], reply);
    expect(none.outcome.nodes[1]?.error?.code).toBe("null_value");
  });

  test("an unknown parent field is hydrated first", async () => {
    const list = {
      ...crateNode(""),
      kind: "query" as const,
      capability: "crate_query",
      args: { lot: { lit: "l" } },
      filter: null,
      limit: 1,
    };
    const { key: _key, missing: _missing, ...query } = list;
    const twin = to("same", "get_scoped_bindings", { capability: "crate_get" });
    const { urls } = await withServer(parts, [query, twin], reply);
    expect(urls).toEqual(["/v1/lots/l", "/v1/crates/c1", "/v1/crates/c2"]);
  });

  test("PLAN-062 no get when what is wanted came with the reference", async () => {
    const owner = (wanted: string[]) => [
      crateNode("c1"),
      relation("owner", "ref", "Owner", {
        source: "n1",
        owner: "Crate",
        capability: "owner_get",
        catalog: { entry_id: "depot", digest: "d", entity: "Owner" },
        wanted,
      }),
      compute(
        "n3",
        "n2",
        { project: wanted.map((name) => [name]) },
        {
          result: {
            card: "opt",
            entity: "Owner",
            columns: wanted.map((name) => [name, "str"] as const),
          },
        },
      ),
    ];
    const cheap = await withServer(parts, owner(["login", "name"]), reply);
    expect(cheap.urls).toEqual(["/v1/crates/c1"]);
    expect(cheap.outcome.results[0]?.rows[0]?.values).toEqual({ login: "ann", name: "Ann" });
    const dear = await withServer(parts, owner(["city"]), reply);
    expect(dear.urls).toEqual(["/v1/crates/c1", "/v1/owners/ann"]);
    expect(dear.outcome.results[0]?.rows[0]?.values).toEqual({ city: "Kiel" });
  });
});
