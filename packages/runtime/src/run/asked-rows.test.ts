import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf } from "../testing/fixture-run.ts";
import { runText } from "../testing/run-text.ts";

/** Users with these gets, and a list of them where `list` says so. */
const users = (gets: Readonly<Record<string, string>>, entity = "id_field: id", extra = "") =>
  catalogOf(
    "users",
    `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  user: { type: entity_ref, target: User }
entities:
  User:
    ${entity}
    fields:
      id: { value_ref: text }
      name: { value_ref: text }
      bio: { value_ref: text }
      boss: { value_ref: user }
    relations:
      lead:
        target: User
        cardinality: one
        materialize: { kind: get_scoped_bindings, capability: user_lead, bindings: { id: id } }
capabilities:
  user_query: { kind: query, entity: User, provides: [id, name, boss] }
  user_lead: { kind: get, entity: User }
${extra}
${Object.keys(gets)
  .map((name) => `  ${name}: { kind: get, entity: User }`)
  .join("\n")}
`,
    `
user_query: { method: GET, path: [{ type: literal, value: users }], response: { items: rows } }
user_lead:
  method: GET
  path: [{ type: literal, value: users }, { type: var, name: id }, { type: literal, value: lead }]
  response: single
${Object.entries(gets)
  .map(([name, mapping]) => `${name}: ${mapping}`)
  .join("\n")}
`,
  );

const BY_KEY =
  "{ method: GET, path: [{ type: literal, value: users }, { type: var, name: id }], response: single }";
const VIEWER = "{ method: GET, path: [{ type: literal, value: me }], response: single }";
const BY_QUERY =
  "{ method: GET, path: [{ type: literal, value: user }], query: { type: object, fields: [[id, { type: var, name: id }]] }, response: single }";
const OF_ALL = "{ method: GET, path: [{ type: literal, value: all }], response: { items: rows } }";
const GRAPHQL_VIEWER =
  "{ transport: graphql, method: POST, path: [{ type: literal, value: graphql }], body: { type: object, fields: [[query, { type: const, value: '{ viewer { id name } }' }]] }, response: { items_path: [data, viewer] } }";

const ANN = { id: "ann", name: "Ann" };
const BOB = { id: "bob", name: "Bob" };

let answers: Readonly<Record<string, Reply>> = {};
let server: TestServer;
beforeAll(async () => {
  server = await startServer(({ path }) => answers[path] ?? { status: 404, json: {} });
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

const running = (catalog: ReturnType<typeof users>, text: string) =>
  runText({ catalogs: [catalog], backends: { users: server.url } }, text);
const asked = (): readonly string[] => server.log.splice(0).map(({ url }) => url);
/** The gets of a catalog without the one that `lead` is bound to, which is by key, too. */
const only = (gets: Readonly<Record<string, string>>) => {
  const catalog = users(gets);
  const capabilities = new Map(
    [...catalog.cgs.capabilities].filter(([name]) => name !== "user_lead"),
  );
  return { ...catalog, cgs: { ...catalog.cgs, capabilities } };
};

describe("17.2 RUN-042: a get without variables is a singleton", () => {
  test.each([
    ["its path has none", VIEWER],
    ["its operation has none", GRAPHQL_VIEWER],
  ])("%s: called by its label, never by a key", async (_name, mapping) => {
    answers = {
      "/me": { json: BOB },
      "/graphql": { json: { data: { viewer: BOB } } },
    };
    const catalog = only({ user_viewer: mapping });
    const { results } = await running(catalog, "User.viewer()");
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(["User:bob"]);
    expect(asked()).toHaveLength(1);
    await expect(running(catalog, 'User("ann")')).rejects.toThrow("User.viewer()");
    await expect(running(catalog, 'User("ann").viewer()')).rejects.toThrow();
    expect(asked()).toEqual([]);
  });

  test("it does not complete rows: fields that it alone gives stay unknown", async () => {
    answers = { "/users": { json: { rows: [ANN] } }, "/me": { json: { ...BOB, bio: "Bob's" } } };
    const { results } = await running(only({ user_get: VIEWER }), "User[id, bio]");
    expect(results[0]?.notLoaded).toEqual(["bio"]);
    expect(asked()).toEqual(["/users"]);
  });

  test("beside a get by key the key goes there, whatever their names", async () => {
    answers = { "/users/ann": { json: ANN }, "/me": { json: BOB } };
    const { results } = await running(only({ user_get: VIEWER, user_one: BY_KEY }), 'User("ann")');
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(["User:ann"]);
    expect(asked()).toEqual(["/users/ann"]);
  });

  test("RUN-031: one that lists all rows is a get, of which the key picks its row", async () => {
    answers = { "/all": { json: { rows: [BOB, ANN] } } };
    const catalog = only({ user_get: OF_ALL });
    const { results } = await running(catalog, 'User("ann")');
    expect(results[0]?.rows[0]?.values).toMatchObject(ANN);
    for (const rows of [[BOB], [BOB, { id: "cy" }], [{ name: "x" }]]) {
      answers = { "/all": { json: { rows } } };
      const { nodes } = await running(catalog, 'User("ann")');
      expect(nodes[0]?.error?.code).toBe("not_found");
    }
  });
});

describe("17.2 RUN-043, RUN-046: a get that answers with another row is an error", () => {
  const catalog = only({ user_get: BY_KEY });

  test.each<[string, string, object]>([
    ["another word", "ann", BOB],
    ["another number", "7", { id: 8, manager: 7, number: 7 }],
    ["a longer one", "ann", { id: "anna" }],
    ["a reference to it", "ann", { id: "bob", boss: "ann" }],
    ["another hash", "a1b2c3d4", { id: "b1b2c3d4e5f6" }],
    ["a word for a number", "7", BOB],
  ])("%s", async (_name, key, row) => {
    answers = { [`/users/${key}`]: { json: row } };
    const { nodes, results } = await running(catalog, `User("${key}")`);
    expect(results).toEqual([]);
    const error = nodes[0]?.error;
    expect(error?.code).toBe("decode");
    expect(error?.message).toContain(`User:${key} was asked for`);
  });

  test.each<[string, string, { id?: string | number; name?: string }]>([
    ["letters of another case", "ANN", ANN],
    ["zeros before it", "007", { id: 7 }],
    ["a name of resources", "ann", { id: "users/ann" }],
    [
      "a uuid without dashes",
      "2f1c9d1e3b4a4c5d8e9f0a1b2c3d4e5f",
      { id: "2F1C9D1E-3B4A-4C5D-8E9F-0A1B2C3D4E5F" },
    ],
    ["an instant", "2026-01-05", { id: "2026-01-05T00:00:00Z" }],
    ["a login for a number", "ann", { id: 42 }],
    ["a name that the row has", "Ann Lee", { id: "u-1", name: "Ann Lee" }],
    ["the token's owner", "me", BOB],
    ["the beginning of a hash", "a1b2c3d", { id: "a1b2c3d4e5f60718" }],
    ["no key at all", "ann", { name: "Ann" }],
  ])("but one of another writing is that row: %s", async (_name, key, row) => {
    answers = { [`/users/${encodeURIComponent(key)}`]: { json: row } };
    const { results } = await running(catalog, `User("${key}")`);
    const id = row.id ?? key;
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual([`User:${id}`]);
  });

  test("a redirect says where the row is now", async () => {
    answers = {
      "/users/ann": { status: 301, headers: { location: "/users/anne" }, json: {} },
      "/users/anne": { json: { id: "anne" } },
    };
    const { results } = await running(catalog, 'User("ann")');
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(["User:anne"]);
  });

  test("a key that the API ignores", async () => {
    answers = { "/user": { json: BOB } };
    const { nodes } = await running(only({ user_get: BY_QUERY }), 'User("ann")');
    expect(asked()).toEqual(["/user?id=ann"]);
    expect(nodes[0]?.error?.message).toContain("answered with User:bob");
  });

  test("RUN-058: it completes no row, and that is told", async () => {
    answers = {
      "/users": { json: { rows: [ANN] } },
      "/users/ann": { json: { ...BOB, bio: "Bob's" } },
    };
    const { results } = await running(catalog, "User[id, bio]");
    expect(results[0]?.rows.map(({ values }) => values)).toEqual([{ id: "ann", bio: null }]);
    expect(results[0]?.partial).toBe("hydration_failed");
  });

  test("RUN-054: it is no related row either", async () => {
    answers = {
      "/users": { json: { rows: [{ ...ANN, boss: "cy" }] } },
      "/users/cy": { json: BOB },
    };
    const { nodes } = await running(catalog, "User.boss");
    expect(nodes.at(-1)?.error?.message).toContain("User:cy was asked for");
  });

  test("RUN-050: a get that a relation is bound to answers with the row it leads to", async () => {
    answers = { "/users/ann/lead": { json: BOB } };
    const own = users({ user_get: BY_KEY });
    const { results } = await running(own, 'User("ann").lead');
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(["User:bob"]);
  });
});
