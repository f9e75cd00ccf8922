import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import type { FunctionTable } from "../ports.ts";
import { catalogOf, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";
import { openRecording, type Recording } from "./open-recording.ts";
import { recordingFile } from "./recording-file.ts";
import type { RecordingMode } from "./recording-transport.ts";

const TOKEN = "h4ll/t0ken (of) today!";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values: { text: { type: string, string_semantics: short } }
entities:
  Box: { id_field: id, fields: { id: { value_ref: text } } }
  Door: { id_field: id, fields: { id: { value_ref: text }, key: { value_ref: text } } }
capabilities:
  box_query: { kind: query, entity: Box }
  box_sign:
    kind: create
    entity: Box
    parameters: [{ name: note, value_ref: text, required: true }]
    output: { type: side_effect, description: it is signed }
  door_query: { kind: query, entity: Door }
  door_open: { kind: create, entity: Door, parameters: [{ name: code, value_ref: text, required: true }], output: { type: side_effect, description: it is open } }
`;

const HOOK = "response: { response_preprocess: { kind: open_door, sets: [hall] } }";
const HALL = "{ type: var, name: hall }";
const MAPPINGS = `
box_query: { method: GET, path: [${HALL}, { type: literal, value: boxes }], query: { type: object, fields: [[h, { type: array, elements: [{ type: const, value: m }, ${HALL}] }]] } }
box_sign: { method: POST, path: [{ type: literal, value: signs }], body: { type: object, fields: [[h, ${HALL}], [n, { type: var, name: note }]] } }
door_query: { method: GET, path: [{ type: literal, value: doors }], ${HOOK} }
door_open: { method: POST, path: [{ type: literal, value: doors }], body: { type: object, fields: [[code, { type: var, name: code }]] }, ${HOOK} }
`;

const functions: FunctionTable = new Map([
  [
    "open_door",
    (_context, [body]) => {
      const { key, rows } = body as { key: string; rows: [] };
      return { value: { variables: { hall: key }, response: { results: rows } } };
    },
  ],
]);

let server: TestServer;
let directory: string;

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), "plasm-variables-")), "first");
  server = await startServer(({ path, method }) => {
    if (path === "/doors") return { json: { key: TOKEN, rows: [{ id: "d1", key: `=${TOKEN}` }] } };
    return { json: method === "POST" ? { id: "s1" } : { results: [{ id: "b1" }] } };
  });
});
afterEach(async () => {
  await server.close();
  // Lines that no answer waits for may still be written.
  await rm(join(directory, ".."), { recursive: true, force: true, maxRetries: 5 });
});

const opened = (mode: RecordingMode) => openRecording({ directory, mode, allowEffects: true });

async function runs(program: string, recording: Recording) {
  const setting: Setting = {
    catalogs: [catalogOf("boxes", DOMAIN, MAPPINGS, ["open_door"])],
    backends: { boxes: server.url },
    functions,
    recording,
  };
  const { nodes, returns } = planProgram(program, setting.catalogs);
  const { status, results, nodes: done } = await run(setting, nodes, returns);
  return { status, rows: results.map(({ rows }) => rows), errors: done.map(({ error }) => error) };
}

const EFFECTS = 'Door.open(code="1")\nBox\nBox.sign(note="n")';

describe("RUN-162: what response hooks set", () => {
  test.each([
    ["effects", EFFECTS],
    ["reads", "d = Door\nd => Door.open(code=_.id)\nBox"],
  ])("is in no line of a recording, and later requests replay: %s", async (_what, program) => {
    const first = await runs(program, await opened("record"));
    expect(first.status).toBe("succeeded");
    const text = await readFile(recordingFile(directory), "utf8");
    for (const part of [TOKEN, "h4ll"]) expect(text).not.toContain(part);
    const asked = server.log.length;
    expect(server.log.some(({ url }) => url.includes("h4ll%2Ft0ken"))).toBe(true);
    expect(await runs(program, await opened("replay"))).toEqual(first);
    expect(server.log).toHaveLength(asked);
  });

  test("is in no line of a hybrid one either", async () => {
    const first = await runs(EFFECTS, await opened("hybrid"));
    expect(await readFile(recordingFile(directory), "utf8")).not.toContain("h4ll");
    expect(await runs(EFFECTS, await opened("hybrid"))).toEqual(first);
  });
});

test("RUN-142 rows of the answer that a variable came with do not show it", async () => {
  const { rows } = await runs("Door", await opened("record"));
  expect(rows[0]?.[0]?.values).toMatchObject({ id: "d1", key: "=[redacted]" });
});

test("RUN-015 an answer that repeats a variable which is set already leaves it as it is", async () => {
  const program = 'Door.open(code="1")\nDoor.open(code="2")\nBox';
  expect((await runs(program, await opened("record"))).status).toBe("succeeded");
  expect(server.log.at(-1)?.url).toContain("/h4ll%2Ft0ken%20%28of%29%20today%21/boxes");
});
