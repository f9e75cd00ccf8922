import type { Json } from "@plasm/core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import type { FunctionTable, RegisteredFunction } from "../ports.ts";
import { catalogOf, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

const FUNCTIONS = ["seal", "open_door"];

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values: { text: { type: string, string_semantics: short } }
entities:
  Box: { id_field: id, fields: { id: { value_ref: text }, weight: { value_ref: text } } }
  Door: { id_field: id, fields: { id: { value_ref: text } } }
capabilities:
  box_query: { kind: query, entity: Box }
  box_get: { kind: get, entity: Box }
  box_seal:
    kind: action
    entity: Box
    parameters: [{ name: with, value_ref: text }, { name: note, value_ref: text }]
    preflight:
      - { kind: hydrate_invoke_target, get: box_get, prefix: old }
      - { kind: seal, when: with, params: [with], merge: { mark: text, sealedAt: at } }
    output: { type: side_effect, description: it is sealed }
  door_query: { kind: query, entity: Door }
  door_get: { kind: get, entity: Door }
  door_open: { kind: create, entity: Door, parameters: [{ name: code, value_ref: text, required: true }], output: { type: side_effect, description: it is open } }
`;

const MAPPINGS = `
box_query: { method: GET, path: [{ type: var, name: hall }, { type: literal, value: boxes }] }
box_get: { method: GET, path: [{ type: literal, value: boxes }, { type: var, name: id }], response: single }
box_seal:
  method: POST
  path: [{ type: literal, value: boxes }, { type: var, name: id }]
  body: { type: object, fields: [[in, { type: var, name: input }], [mark, { type: var, name: mark }], [at, { type: var, name: sealedAt }]] }
door_query:
  method: GET
  path: [{ type: literal, value: doors }]
  response: { response_preprocess: { kind: open_door, sets: [hall] } }
door_get: { method: GET, path: [{ type: literal, value: of }, { type: var, name: hall }], response: single }
door_open:
  method: POST
  path: [{ type: literal, value: doors }]
  body: { type: object, fields: [[code, { type: var, name: code }]] }
  response: { response_preprocess: { kind: open_door, sets: [hall] } }
`;

let server: TestServer;
let kept: [string, Readonly<Record<string, string>>][] = [];
let door: RegisteredFunction;

const seal: RegisteredFunction = ({ environment, now }, [wax]) => {
  if (wax === "none") return { error: "there is no such wax" };
  if (wax === "odd") return { value: "odd" };
  const { old_weight: weight, "plasm.preflight": read } = environment;
  const { old } = read as { old: { extra: string } };
  const text = `${wax as string} on ${weight as string}, ${old.extra}`;
  return { value: { text, at: now === 0 ? null : 7 } };
};

const functions: FunctionTable = new Map([
  ["seal", seal],
  ["open_door", (context, args) => door(context, args)],
]);

beforeAll(async () => {
  server = await startServer(({ path, method }) => {
    if (path === "/doors") return { json: { key: "h4ll-t0ken", rows: [{ id: "d1" }] } };
    return method === "POST"
      ? { status: 204, text: "" }
      : {
          json: path.endsWith("boxes") ? { results: [] } : { id: "b1", weight: "2 kg", extra: "x" },
        };
  });
});
afterEach(() => {
  server.log.splice(0);
  kept = [];
});
afterAll(() => server.close());

async function runs(program: string, hall?: string) {
  const setting: Setting = {
    catalogs: [catalogOf("boxes", DOMAIN, MAPPINGS, FUNCTIONS)],
    backends: { boxes: server.url },
    functions,
    keepVariables: (entryId, values) => void kept.push([entryId, values]),
    ...(hall === undefined ? {} : { sessionVariables: new Map([["boxes", { hall }]]) }),
  };
  const { nodes, returns } = planProgram(program, setting.catalogs);
  const outcome = await run(setting, nodes, returns);
  const sent = server.log.map(({ method, url, body }) => [
    `${method} ${url}`,
    ...(body === "" ? [] : [JSON.parse(body) as Json]),
  ]);
  const failed = outcome.nodes.find(({ status }) => status === "failed")?.error;
  return { outcome, sent, failed };
}

describe("RUN-105: a registered function as a preflight kind", () => {
  test("is given its params, sees what steps before it bound and read, and merges members", async () => {
    const { sent } = await runs('Box("b1").seal(with="red", note="n")');
    expect(sent).toEqual([
      ["GET /boxes/b1"],
      ["POST /boxes/b1", { in: { note: "n" }, mark: "red on 2 kg, x", at: 7 }],
    ]);
  });

  test("is not called where its `when` argument is absent; nothing is merged", async () => {
    const { sent } = await runs('Box("b1").seal(note="n")');
    expect(sent.at(-1)).toEqual(["POST /boxes/b1", { in: { note: "n" } }]);
  });

  test.each([
    ["none", "there is no such wax"],
    ["odd", "it gave text, no object"],
  ])("that fails stops the effect: %s", async (wax, why) => {
    const { failed, sent } = await runs(`Box("b1").seal(with="${wax}")`);
    expect(failed?.code).toBe("argument_invalid");
    expect(failed?.message).toBe(`seal was not sent: preflight step 2, seal: seal: ${why}.`);
    expect(sent.map(([line]) => line)).toEqual(["GET /boxes/b1"]);
  });
});

describe("RUN-105: a registered function as a response hook", () => {
  const opens: RegisteredFunction = (_context, [body]) => {
    const { key, rows } = body as { key: string; rows: Json };
    return { value: { variables: { hall: key }, response: { results: rows } } };
  };

  test("sets variables that later requests of the run read, and the host keeps; none is told", async () => {
    door = opens;
    const { outcome, sent } = await runs('Door.open(code="1")\nBox');
    expect(sent.map(([line]) => line)).toEqual(["POST /doors", "GET /h4ll-t0ken/boxes"]);
    expect(kept).toEqual([["boxes", { hall: "h4ll-t0ken" }]]);
    expect(JSON.stringify(outcome)).not.toContain("h4ll");
  });

  test("binds its variable in a path that has no other one, too (RUN-011)", async () => {
    door = opens;
    const { sent } = await runs('Door.open(code="1")\nDoor("d1")[id]');
    expect(sent.map(([line]) => line)).toEqual(["POST /doors", "GET /of/h4ll-t0ken"]);
  });

  test("gives the body that rows are decoded from, of reads too", async () => {
    door = opens;
    const { outcome } = await runs("Door");
    expect(outcome.results[0]?.rows.map(({ ref }) => ref)).toEqual(["Door:d1"]);
  });

  test("that gives nothing leaves all as it is", async () => {
    door = () => ({ value: undefined });
    const { outcome } = await runs("Door");
    expect(outcome.results[0]?.rows).toEqual([]);
    expect(kept).toEqual([]);
  });

  test("variables of before serve until it sets others (RUN-015)", async () => {
    expect((await runs("Box", "old-hall")).sent).toEqual([["GET /old-hall/boxes"]]);
    expect((await runs("Box")).failed?.code).toBe("argument_missing");
  });

  test.each<[string, RegisteredFunction, string]>([
    ["a name it does not declare", () => ({ value: { variables: { lane: "x" } } }), "sets lane"],
    ["what is no text", () => ({ value: { variables: { hall: 1 } } }), "hall is a number, no text"],
    ["no object", () => ({ value: 7 }), "it gave a number, no object"],
    ["an error", () => ({ error: "no key in it" }), "no key in it"],
  ])("that gives %s is a failure that says so", async (_what, hook, why) => {
    door = hook;
    const { failed } = await runs("Door");
    expect(failed?.code).toBe("decode");
    expect(failed?.message).toContain(`open_door, a response hook: `);
    expect(failed?.message).toContain(why);
    expect(kept).toEqual([]);
  });
});
