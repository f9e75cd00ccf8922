import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeBoats, startQuay, startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, fixture, run, type Setting } from "../testing/fixture-run.ts";
import { boat, boats } from "../testing/nodes.ts";

let quay: TestServer;
let setting: Setting;

beforeAll(async () => {
  quay = await startQuay(makeBoats(3));
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterAll(() => quay.close());

describe("gets", () => {
  test("C-005 a get gives the whole row", async () => {
    const { results } = await run(setting, [boat("b1")]);
    expect(results[0]).toMatchObject({
      entity: { entryId: "quay", entity: "Boat" },
      columns: [
        ["id", "str"],
        ["built", "date"],
        ["flags", "[str]"],
        ["length", "num"],
        ["meta", "json"],
        ["name", "str"],
        ["note", "markdown"],
        ["owner", "Person(str)"],
        ["papers.id", "str"],
        ["state", "moored|sailing|lost"],
      ],
      notLoaded: [],
      presented: [],
      cursor: null,
    });
    expect(results[0]?.rows[0]?.values).toMatchObject({ "papers.id": "p-b1", flags: ["b1"] });
  });

  test("RUN-031 404 is not_found, naming entity and identity", async () => {
    const { nodes, status } = await run(setting, [boat("b9")]);
    expect(status).toBe("failed");
    expect(nodes[0]?.error).toMatchObject({ code: "not_found", retryable: false });
    expect(nodes[0]?.error?.message).toContain("Boat:b9");
  });

  test("C-072 a key as a condition gives no row instead", async () => {
    const { results, status } = await run(setting, [boat("b9", { missing: "empty" })]);
    expect(status).toBe("succeeded");
    expect(results[0]?.rows).toEqual([]);
  });

  test("PLAN-071 reads that do not depend on a failure are returned", async () => {
    const { nodes, results, status } = await run(
      setting,
      [boat("b9"), boats({ id: "n2" })],
      [
        { label: "gone", node: "n1", page_size: null },
        { label: "rest", node: "n2", page_size: null },
      ],
    );
    expect(status).toBe("failed");
    expect(nodes.map(({ status: s }) => s)).toEqual(["failed", "done"]);
    expect(results.map(({ label }) => label)).toEqual(["rest"]);
  });
});

describe("MAP-012: keys in paths", () => {
  test.each([
    ["a/b", "/boats/a%2Fb"],
    ["a;;b", "/boats/a%3B%3Bb"],
    ["a b?c#d", "/boats/a%20b%3Fc%23d"],
    ["ä", "/boats/%C3%A4"],
    ["http://evil.example/x", "/boats/http%3A%2F%2Fevil.example%2Fx"],
  ])("%s is one segment", async (key, path) => {
    quay.log.splice(0);
    await run(setting, [boat(key, { missing: "empty" })]);
    expect(quay.log.map(({ url }) => url)).toEqual([path]);
  });

  test.each(["..", "."])("%s is refused before any request", async (key) => {
    quay.log.splice(0);
    const { nodes } = await run(setting, [boat(key)]);
    expect(nodes[0]?.error?.code).toBe("argument_invalid");
    expect(quay.log).toEqual([]);
  });
});

const DOMAIN = (backend: string): string => `
version: 1
http_backend: ${backend}
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  free: { type: json }
entities:
  Crate:
    id_field: id
    fields:
      id: { value_ref: text }
      size: { value_ref: count }
      rest: { value_ref: free }
capabilities:
  crate_get: { kind: get, entity: Crate }
`;

const crateGet = boat("c1", {
  catalog: { entry_id: "depot", digest: "d", entity: "Crate" },
  capability: "crate_get",
  result: { card: "one", entity: "Crate", columns: null },
});

const mapping = (response: string): string => `
crate_get:
  method: GET
  path: [{ type: literal, value: crates }, { type: var, name: id }]
  response: ${response}
`;

describe("RUN-031: where the one row is", () => {
  const cases: readonly (readonly [string, string, unknown, unknown])[] = [
    ["the body", "single", { id: "c1", size: 1 }, { id: "c1", size: 1 }],
    ["under items", "{items: data, single: true}", { data: { id: "c1" } }, { id: "c1" }],
    ["under items without single", "{items: data}", { data: { id: "c1" } }, { id: "c1" }],
    ["the body, items being absent", "{items: data}", { id: "c1", size: 2 }, { id: "c1", size: 2 }],
    ["the only element", "{items_path: [a, b]}", { a: { b: [{ id: "c1" }] } }, { id: "c1" }],
    [
      "the element with the requested identity",
      "{items: data}",
      { data: [{ id: "c0" }, { id: "c1", size: 7 }] },
      { id: "c1", size: 7 },
    ],
  ];
  test.each(cases)("%s", async (_name, response, json, expected) => {
    const server = await startServer(() => ({ json }));
    const catalog = catalogOf("depot", DOMAIN(server.url), mapping(response));
    const { results } = await run({ catalogs: [catalog], backends: {} }, [crateGet]);
    expect(results[0]?.rows[0]?.values).toEqual(expected);
    await server.close();
  });

  test.each([
    ["none", { data: [] }, "not_found"],
    ["null", { data: null }, "not_found"],
    ["several others", { data: [{ id: "x" }, { id: "y" }] }, "decode"],
  ])("%s", async (_name, json, code) => {
    const server = await startServer(() => ({ json }));
    const catalog = catalogOf("depot", DOMAIN(server.url), mapping("{items: data, single: true}"));
    const { nodes } = await run({ catalogs: [catalog], backends: {} }, [crateGet]);
    expect(nodes[0]?.error?.code).toBe(code);
    await server.close();
  });
});

describe("RUN-031: an answer that has nothing of the row", () => {
  const lacking = async (response: string, json: unknown, provides = "") => {
    const server = await startServer(() => ({ json }));
    const domain = DOMAIN(server.url).replace("entity: Crate }", `entity: Crate${provides} }`);
    const catalog = catalogOf("depot", domain, mapping(response));
    const { results, nodes } = await run({ catalogs: [catalog], backends: {} }, [crateGet]);
    await server.close();
    const told = results[0]?.diagnostics.map(({ code, detail }) => `${code}: ${detail}`);
    return { told, partial: nodes[0]?.partial, values: results[0]?.rows[0]?.values };
  };
  const cases: readonly (readonly [string, string, unknown, string])[] = [
    ["an envelope that is not declared", "single", { data: { id: "c1", size: 3 } }, "data"],
    ["a list that is none of its own", "single", { items: [], total: 0 }, "items, total"],
    ["an empty object", "single", {}, "no keys"],
    ["an envelope with something else", "{items: data}", { data: { of: 1 } }, "of"],
  ];
  test.each(cases)("%s", async (_name, response, json, has) => {
    for (const provides of ["", ", provides: [id, size, rest]"]) {
      const { told, partial, values } = await lacking(response, json, provides);
      expect(told).toContain(`row_unfit: nothing of Crate is in the answer, which has ${has}`);
      expect([partial, values?.["id"]]).toEqual(["row_unfit", "c1"]);
    }
  });

  test.each([
    ["its key", { id: "c1" }],
    ["a field that is null", { size: null }],
    ["another field", { rest: [] }],
  ])("none with %s", async (_name, json) => {
    for (const provides of ["", ", provides: [id, size, rest]"]) {
      expect(await lacking("single", json, provides)).toMatchObject({ told: [], partial: null });
    }
  });
});

describe("RUN-041: a 2xx that is a failure", () => {
  const judge = async (response: string, json: unknown) => {
    const server = await startServer(() => ({ json }));
    const catalog = catalogOf("depot", DOMAIN(server.url), mapping(response));
    const { nodes } = await run({ catalogs: [catalog], backends: {} }, [crateGet]);
    await server.close();
    return nodes[0]?.error ?? null;
  };

  test.each([
    ["ok: false", "single", { ok: false, error: "no_such_crate" }, "no_such_crate"],
    ["success: false", "single", { success: false, message: "locked" }, "locked"],
    ["errors without any mapped key", "single", { Errors: ["bad key"] }, "bad key"],
    [
      "error_when",
      "{single: true, error_when: [{path: [code], eq: 7}], message_path: [why]}",
      { code: 7, why: "shut", id: "c1" },
      "shut",
    ],
  ])("%s", async (_name, response, json, text) => {
    const error = await judge(response, json);
    expect(error?.code).toBe("upstream_error");
    expect(error?.message).toContain(text);
  });

  test.each([
    ["errors beside mapped keys", "single", { id: "c1", errors: ["odd"] }],
    [
      "error_when that does not match",
      "{single: true, error_when: [{path: [code], eq: 7}]}",
      { id: "c1", ok: false },
    ],
    ["detection switched off", "{single: true, error_when: []}", { id: "c1", success: false }],
  ])("%s is a row", async (_name, response, json) => {
    expect(await judge(response, json)).toBeNull();
  });
});
