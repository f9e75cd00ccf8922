import { createHash } from "node:crypto";
import { openCatalog } from "@plasm/core";
import { createHttpTransport, systemClock, systemIds, type Transport } from "@plasm/runtime";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentOf, type Agent } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import { createEngine } from "../../create-engine.ts";
import type { Engine } from "../../engine.ts";
import { LOCAL } from "../../identity/caller.ts";
import type { RegisteredCatalog } from "../../ports.ts";

const FILMS = `
version: 1
http_backend: http://127.0.0.1:1
values: { text: { type: string, string_semantics: short }, file: { type: blob } }
entities:
  Film:
    id_field: id
    implicit_request_identity: true
    fields: { id: { value_ref: text }, content: { value_ref: file, path: [] } }
capabilities:
  film_get: { kind: get, entity: Film }
`;

const FILM_MAPPINGS = `
film_get: { method: GET, path: [{ type: literal, value: films }, { type: var, name: id }], response: single }
`;

const SHELVES = `
version: 1
http_backend: http://127.0.0.1:1
values: { text: { type: string, string_semantics: short }, file: { type: blob } }
entities:
  Shelf:
    id_field: id
    implicit_request_identity: true
    fields: { id: { value_ref: text } }
capabilities:
  shelf_get: { kind: get, entity: Shelf }
  shelf_put: { kind: action, entity: Shelf, parameters: [{ name: file, value_ref: file, required: true }], output: { type: side_effect, description: it is there } }
`;

const SHELF_MAPPINGS = `
shelf_get: { method: GET, path: [{ type: literal, value: shelves }, { type: var, name: id }], response: single }
shelf_put:
  method: POST
  path: [{ type: literal, value: shelves }, { type: var, name: id }]
  body_format: multipart
  multipart: { parts: [{ name: film, content: { type: var, name: file } }] }
`;

function entryOf(entryId: string, domain: string, mappings: string): RegisteredCatalog {
  const opened = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (opened.catalog === null) throw new Error(JSON.stringify(opened.diagnostics));
  return { catalog: opened.catalog, domain, mappings, credentials: true };
}

const ENTRIES = [
  entryOf("films", FILMS, FILM_MAPPINGS),
  entryOf("shelves", SHELVES, SHELF_MAPPINGS),
];

/** Text, so that the server's log of bodies has it as it is. */
const FILM = "a film, over and over. ".repeat(60_000);
const SHA256 = createHash("sha256").update(FILM).digest("hex");

let server: TestServer;
let transport: Transport;
let engine: Engine;
const SEEDS = [
  { api: "films", entity: "Film" },
  { api: "shelves", entity: "Shelf" },
];
const agentFor = (caller = LOCAL): Promise<Agent> => agentOf(engine, SEEDS, "films", caller);

beforeAll(async () => {
  server = await startServer(({ path }) => {
    if (path.startsWith("/shelves")) return { status: 204, text: "" };
    const headers = {
      "content-type": "video/mp4",
      "content-disposition": 'attachment; filename="talk.mp4"',
    };
    return { text: FILM, headers };
  });
  transport = createHttpTransport();
});
afterAll(() => Promise.all([server.close(), transport.close()]));
beforeEach(() => {
  server.log.splice(0);
  engine = createEngine({
    store: testStore(),
    registry: {
      list: () => ENTRIES,
      get: (id) => ENTRIES.find(({ catalog }) => catalog.entryId === id),
    },
    backends: new Map([
      ["films", server.url],
      ["shelves", server.url],
    ]),
    ports: {
      transport,
      secrets: { env: () => undefined, hosted: async () => undefined },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
});
afterEach(() => engine.close());

/** Plans an effect, which a person would look at, and runs it. */
async function perform(agent: Agent, program: string) {
  const planned = await agent.plan(program);
  const ref = planned.meta["plan_commit_ref"] ?? /\bs\d+_pc\d+\b/.exec(planned.text)?.[0];
  if (typeof ref !== "string") throw new Error(planned.text);
  return agent.runPlanned(ref);
}

const uploaded = (): string => server.log.find(({ method }) => method === "POST")?.body ?? "";

describe("a file of one API in a request to another", () => {
  it("VAL-04: is one line for the model, which says how to pass it on", async () => {
    const agent = await agentFor();
    const { text } = await agent.run('Film("f1")');
    expect(text).toContain(`<video/mp4 1380 kB talk.mp4 plasm://session/s0/a/${SHA256}>`);
    expect(text).toContain("to pass on: kept(s0_r1, content)");
    expect(text.length).toBeLessThan(600);
  });

  it("VAL-02: goes there whole within a program, and its name with it", async () => {
    const agent = await agentFor();
    const { text } = await perform(
      agent,
      'f = Film("f1")[id, content]\nShelf("x").put(file=f.content)',
    );
    expect(text).not.toContain("error");
    expect(uploaded()).toContain('name="film"; filename="talk.mp4"');
    expect(uploaded()).toContain(FILM);
  });

  it("VAL-02: and from an earlier answer, without another read", async () => {
    const agent = await agentFor();
    await agent.run('Film("f1")');
    await perform(agent, 'Shelf("x").put(file=kept(s0_r1, content))');
    expect(uploaded()).toContain(FILM);
    expect(server.log.filter(({ method }) => method === "GET")).toHaveLength(1);
  });

  it("VAL-04, SESS-38: not for somebody else, to whom it is as if it never was", async () => {
    const agent = await agentFor();
    await agent.run('Film("f1")');
    const other = await agentFor({ ...LOCAL, subject: "bea" });
    const program = (uri: string): string =>
      `Shelf("x").put(file={__plasm_attachment: {uri: "${uri}", mime_type: "video/mp4"}})`;
    const never = await perform(other, program(`plasm://session/s0/a/${"0".repeat(64)}`));
    const foreign = await perform(other, program(`plasm://session/s0/a/${SHA256}`));
    const message = (text: string): string | undefined => /^film names .*$/m.exec(text)?.[0];
    expect(message(foreign.text)?.replace(SHA256, "0".repeat(64))).toBe(message(never.text));
    expect(never.text).toContain("no file of this session");
    expect(uploaded()).toBe("");
  });
});
