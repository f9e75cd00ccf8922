import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, run } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values: { text: { type: string, string_semantics: short }, count: { type: integer } }
entities:
  Crate:
    id_field: id
    fields: { id: { value_ref: text }, size: { value_ref: count }, label: { value_ref: text } }
  Box:
    id_field: id
    fields: { id: { value_ref: text }, size: { value_ref: count } }
capabilities:
  crate_query: { kind: query, entity: Crate }
  box_query: { kind: query, entity: Box, parameters: [{ name: filter, value_ref: text }] }
  crate_seal: { kind: action, entity: Crate, output: { type: side_effect, description: it is sealed } }
`;

const v = (name: string): string => `{ type: var, name: ${name} }`;

const MAPPINGS = `
crate_query:
  method: GET
  path: [{ type: literal, value: crates }]
  query:
    type: object
    fields: [[where, ${v("filter")}], [fields, { type: join, sep: ",", expr: ${v("projection")} }], [s, ${v("plasm_execute_session_id")}]]
box_query:
  method: GET
  path: [{ type: literal, value: boxes }]
  query: { type: object, fields: [[mine, ${v("filter")}], [engines, ${v("plasm.filter")}]] }
crate_seal:
  method: POST
  path: [{ type: literal, value: crates }, { type: var, name: id }]
  headers: { type: object, fields: [[x-prompt, ${v("plasm_execute_prompt_hash")}]] }
`;

const crates = catalogOf("crates", DOMAIN, MAPPINGS);
const session = { promptHash: "1".repeat(64), sessionId: "2".repeat(32) };

let server: TestServer;

beforeAll(async () => {
  server = await startServer(() => ({ json: { results: [{ id: "a", size: 3, label: "x" }] } }));
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

async function asked(program: string, own: typeof session | undefined = session) {
  const { nodes, returns } = planProgram(program, [crates]);
  const more = own === undefined ? {} : { session: own };
  const outcome = await run(
    { catalogs: [crates], backends: { crates: server.url }, ...more },
    nodes,
    returns,
  );
  expect(outcome.nodes.map(({ error }) => error)).toEqual(nodes.map(() => null));
  const [request] = server.log;
  return { query: Object.fromEntries(request?.query ?? []), headers: request?.headers };
}

describe("RUN-014: names of the engine", () => {
  test("what is tested after a list, what is wanted of it, and the session", async () => {
    const { query } = await asked("Crate{size>2}[id, label]");
    expect(JSON.parse(query["where"] ?? "")).toEqual({
      op: ">",
      path: ["size"],
      value: { lit: 2 },
    });
    expect(query).toMatchObject({ fields: "id,label,size", s: session.sessionId });
  });

  test("what there is not is nothing", async () => {
    const { query } = await asked("Crate[id]");
    expect(query).toEqual({ fields: "id", s: session.sessionId });
  });

  test("a capability that declares such a name never sees the engine's; plasm.filter is always there", async () => {
    const { query } = await asked("Box{size>2}[id]");
    expect(Object.keys(query)).toEqual(["engines"]);
    server.log.splice(0);
    expect((await asked("Box{filter=big}[id]")).query).toEqual({ mine: "big" });
  });

  test("effects know the session, too", async () => {
    const { headers } = await asked('Crate("a").seal()');
    expect(headers?.["x-prompt"]).toBe(session.promptHash);
  });
});
