import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCatalog } from "@plasm/core";
import {
  createHttpTransport,
  type FileRules,
  systemClock,
  systemIds,
  type Transport,
} from "@plasm/runtime";
import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentOf, type Agent } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import { createEngine } from "../../create-engine.ts";
import type { Engine } from "../../engine.ts";
import { LOCAL } from "../../identity/caller.ts";

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
  shelf_fill: { kind: action, entity: Shelf, parameters: [{ name: file, value_ref: file, required: true }], output: { type: side_effect, description: it is there } }
  shelf_note: { kind: action, entity: Shelf, parameters: [{ name: note, value_ref: text, required: true }], output: { type: side_effect, description: it is there } }
`;

const PLACE = "[{ type: literal, value: shelves }, { type: var, name: id }]";
const MAPPINGS = `
shelf_get: { method: GET, path: ${PLACE}, response: single }
shelf_put:
  method: POST
  path: ${PLACE}
  body_format: multipart
  multipart: { parts: [{ name: film, content: { type: var, name: file } }] }
shelf_fill: { method: PUT, path: ${PLACE}, body_format: binary, body: { type: var, name: file } }
shelf_note: { method: POST, path: ${PLACE}, body: { type: object, fields: [[note, { type: var, name: note }]] } }
`;

const opened = openCatalog({
  entryId: "shelves",
  domain: { file: "domain.yaml", text: SHELVES },
  mappings: { file: "mappings.yaml", text: MAPPINGS },
});

/** Text, so that the server's log of bodies has it as it is; more than stays in a row. */
const REPORT = "a report, line by line. ".repeat(8_000);
const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

let server: TestServer;
let files: TestServer;
let transport: Transport;
let engine: Engine;
let home: string;
let allowed: string;
let fileReply: (request: Received) => Reply;
let onEffect: () => void;

beforeAll(async () => {
  server = await startServer(() => {
    onEffect();
    return { status: 204, text: "" };
  });
  files = await startServer((request) => fileReply(request));
  transport = createHttpTransport();
  home = await realpath(await mkdtemp(join(tmpdir(), "plasm-named-")));
  allowed = join(home, "exports");
  await mkdir(join(allowed, "deep"), { recursive: true });
  await writeFile(join(home, "secret.txt"), "nobody's");
});
afterAll(async () => {
  await Promise.all([server.close(), files.close(), transport.close()]);
  await rm(home, { recursive: true, force: true });
});
beforeEach(async () => {
  server.log.splice(0);
  files.log.splice(0);
  onEffect = () => undefined;
  fileReply = () => ({ text: REPORT, headers: { "content-type": "text/plain" } });
  await writeFile(join(allowed, "report.txt"), REPORT);
});
afterEach(() => engine.close());

function agentWith(rules?: Partial<FileRules>): Promise<Agent> {
  const { catalog } = opened;
  if (catalog === null) throw new Error(JSON.stringify(opened.diagnostics));
  const entry = { catalog, domain: SHELVES, mappings: MAPPINGS, credentials: true };
  engine = createEngine({
    store: testStore(),
    registry: { list: () => [entry], get: (id) => (id === "shelves" ? entry : undefined) },
    backends: new Map([["shelves", server.url]]),
    ...(rules === undefined ? {} : { files: { maxBytes: 1024 * 1024, ...rules } }),
    ports: {
      transport,
      secrets: { env: () => undefined, hosted: async () => undefined },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
  return agentOf(engine, [{ api: "shelves", entity: "Shelf" }], "shelves", LOCAL);
}

const put = (name: string): string => `Shelf("x").put(file=file(${JSON.stringify(name)}))`;

/** The ref of a plan, which a person would look at. */
function refOf({ text }: { readonly text: string }): string {
  const ref = /\bpc\d+\b/.exec(text)?.[0];
  if (ref === undefined) throw new Error(text);
  return ref;
}

/** What planning answers, be it a refusal. */
const planned = async (agent: Agent, program: string): Promise<string> =>
  (await agent.plan(program)).text;

const uploaded = (): string => server.log.find(({ method }) => method !== "GET")?.body ?? "";

describe("a file of the machine that a program names", () => {
  it("VAL-07: is sent by an effect, with its name and type, from an allowed directory", async () => {
    const agent = await agentWith({ directories: [allowed] });
    const plan = await agent.plan(put(join(allowed, "report.txt")));
    const { text } = await agent.runPlanned(refOf(plan));
    expect(text).toContain("done put");
    expect(uploaded()).toContain('name="film"; filename="report.txt"\r\nContent-Type: text/plain');
    expect(uploaded()).toContain(REPORT);
  });

  it("VAL-08: is in the dry run with its size and SHA-256, before anything is sent", async () => {
    const agent = await agentWith({ directories: [allowed] });
    const { text } = await agent.plan(put(join(allowed, "report.txt")));
    const size = REPORT.length.toLocaleString("en-US");
    expect(text).toContain(
      `sends "${join(allowed, "report.txt")}": ${size} bytes, sha256 ${sha256Of(REPORT)}`,
    );
    expect(server.log).toEqual([]);
  });

  it("VAL-07: is off by default, and the refusal names the setting", async () => {
    const agent = await agentWith();
    const text = await planned(agent, put(join(allowed, "report.txt")));
    expect(text).toContain("no directory is allowed");
    expect(text).toContain("PLASM_FILE_DIRECTORIES");
  });

  it.each([
    ["another directory", () => join(home, "secret.txt")],
    ["a path that climbs out", () => `${allowed}/../secret.txt`],
    ["what is not there", () => join(home, "never.txt")],
    ["a directory that begins like an allowed one", () => `${allowed}-more/a.txt`],
  ])("VAL-07: %s is refused, be it there or not", async (_, path) => {
    const agent = await agentWith({ directories: [allowed] });
    const text = await planned(agent, put(path()));
    expect(text).toContain("in none of the allowed directories");
    expect(text).toContain("PLASM_FILE_DIRECTORIES");
    expect(text).toContain(allowed);
  });

  it("VAL-07: a link that leads out is refused, of a file and of a directory; one that stays is followed", async () => {
    await symlink(join(home, "secret.txt"), join(allowed, "link.txt"));
    await symlink(home, join(allowed, "up"));
    await symlink(join(allowed, "report.txt"), join(allowed, "deep", "latest.txt"));
    const agent = await agentWith({ directories: [allowed] });
    for (const name of ["link.txt", "up/secret.txt"]) {
      expect(await planned(agent, put(join(allowed, name)))).toContain("leads out of them");
    }
    expect(await planned(agent, put(join(allowed, "deep", "latest.txt")))).toContain(
      sha256Of(REPORT),
    );
  });

  it("VAL-07: what is no regular file, is not there or is too large is told", async () => {
    await writeFile(join(allowed, "large.bin"), Buffer.alloc(1024 * 1024 + 1));
    const agent = await agentWith({ directories: [allowed] });
    expect(await planned(agent, put(join(allowed, "deep")))).toContain("no regular file");
    expect(await planned(agent, put(join(allowed, "gone.txt")))).toContain("There is no file");
    const large = await planned(agent, put(join(allowed, "large.bin")));
    expect(large).toContain("1048577 bytes; a file has at most 1048576");
    expect(large).toContain("PLASM_FILE_BYTES");
  });

  it("VAL-08: one that has changed since it was reviewed is not sent, by its ref alone or with its program", async () => {
    const agent = await agentWith({ directories: [allowed] });
    const program = put(join(allowed, "report.txt"));
    const ref = refOf(await agent.plan(program));
    await writeFile(join(allowed, "report.txt"), `${REPORT}!`);
    const changed = `has changed since ${ref} was planned`;
    expect((await agent.runPlanned(ref)).text).toContain(changed);
    expect((await agent.run(program, { planCommitRef: ref })).text).toContain(changed);
    expect(server.log).toEqual([]);
    await writeFile(join(allowed, "report.txt"), REPORT);
    expect((await agent.runPlanned(ref)).text).toContain("done put");
  });

  it("VAL-08: one that changes while the run is under way is not sent either", async () => {
    const agent = await agentWith({ directories: [allowed] });
    const program = `Shelf("y").fill(file="first")\n${put(join(allowed, "report.txt"))}`;
    const ref = refOf(await agent.plan(program));
    onEffect = () => writeFileSync(join(allowed, "report.txt"), "another");
    const { text } = await agent.runPlanned(ref);
    expect(text).toContain("precondition_failed");
    expect(text).toContain("has changed since it was planned");
    expect(server.log.map(({ body }) => body)).toEqual(["first"]);
  });

  it("VAL-07: nothing is made of it but what an effect sends", async () => {
    const agent = await agentWith({ directories: [allowed] });
    const name = JSON.stringify(join(allowed, "report.txt"));
    for (const program of [
      `x = Shelf("x")\nx => {a: text(file(${name}))}`,
      `Shelf("x").note(note=upper(file(${name})))`,
      `x = file(${name})\nShelf("x").put(file=x)`,
    ]) {
      expect(await planned(agent, program)).toContain("is what an effect sends");
    }
    expect(await planned(agent, 'Shelf("x").put(file=file("report.txt"))')).toContain(
      "an absolute path or an address in quotes",
    );
    expect(await planned(agent, 'Shelf("x").put(file=file(Shelf("y").id))')).toContain("file");
  });

  it("VAL-07: its path as text is told, with the form that sends the file", async () => {
    const agent = await agentWith({ directories: [allowed] });
    const path = join(allowed, "report.txt");
    const text = await planned(agent, `Shelf("x").put(file=${JSON.stringify(path)})`);
    expect(text).toContain("takes a file, and a path in quotes would be its content");
    expect(text).toContain(`file("${path}")`);
    expect(await planned(agent, 'Shelf("x").put(file="a/b.txt is where it is")')).toContain("pc0");
  });

  it("OPS-38: an explanation says what would be sent, and sends nothing", async () => {
    const agent = await agentWith({ directories: [allowed] });
    const program = put(join(allowed, "report.txt"));
    await agent.plan(program);
    const at = { kind: "ref", ref: "s0" } as const;
    const { text } = await engine.explain(LOCAL, at, { program });
    expect(text).toContain("put");
    expect(text).not.toContain("error");
    expect(server.log).toEqual([]);
  });

  it("VAL-07: and nobody reads it as a resource", async () => {
    const agent = await agentWith({ directories: [allowed] });
    const plan = await agent.plan(put(join(allowed, "report.txt")));
    await agent.runPlanned(refOf(plan));
    const uri = `plasm://session/s0/a/${sha256Of(REPORT)}`;
    await expect(engine.readResource(LOCAL, uri)).rejects.toThrow("No resource");
  });

  it("VAL-02: where an API takes text it is refused before anything is sent", async () => {
    const agent = await agentWith({ directories: [allowed] });
    const name = JSON.stringify(join(allowed, "report.txt"));
    const text = await planned(agent, `Shelf("x").note(note=file(${name}))`);
    const outcome = /\bpc\d+\b/.test(text) ? (await agent.runPlanned(refOf({ text }))).text : text;
    expect(outcome).toMatch(/argument_invalid|takes text|not/);
    expect(uploaded()).toBe("");
  });
});

describe("a file of an address that a program names", () => {
  it("VAL-09: is fetched from an allowed origin, whatever it is, and sent on", async () => {
    fileReply = () => ({
      text: `{"report": "${REPORT}"}`,
      headers: {
        "content-type": "application/json",
        "content-disposition": 'attachment; filename="a.json"',
      },
    });
    const agent = await agentWith({ origins: [files.url] });
    const plan = await agent.plan(put(`${files.url}/reports/7?sig=abc`));
    expect(plan.text).toContain("fetched when it runs");
    expect(files.log).toEqual([]);
    const { text } = await agent.runPlanned(refOf(plan));
    expect(text).toContain("done put");
    expect(files.log.map(({ url }) => url)).toEqual(["/reports/7?sig=abc"]);
    expect(uploaded()).toContain('filename="a.json"\r\nContent-Type: application/json');
    expect(uploaded()).toContain(REPORT);
  });

  it("VAL-09: small ones, too, named by their address", async () => {
    fileReply = () => ({ text: "tiny", headers: { "content-type": "text/plain" } });
    const agent = await agentWith({ origins: [files.url] });
    const { text } = await agent.runPlanned(refOf(await agent.plan(put(`${files.url}/a%20b.txt`))));
    expect(text).toContain("done put");
    expect(uploaded()).toContain('filename="a b.txt"\r\nContent-Type: text/plain\r\n\r\ntiny\r\n');
  });

  it("VAL-09: is off by default, and another origin is refused with the setting's name", async () => {
    const off = await planned(await agentWith(), put(`${files.url}/a.txt`));
    expect(off).toContain("no origin is allowed");
    expect(off).toContain("PLASM_FILE_ORIGINS");
    await engine.close();
    const agent = await agentWith({ origins: ["https://files.example"] });
    expect(await planned(agent, put(`${files.url}/a.txt`))).toContain(
      `${files.url} is not allowed`,
    );
    expect(await planned(agent, put("https://me:pw@files.example/a"))).toContain("without user");
    expect(files.log).toEqual([]);
  });

  it("VAL-09: a redirect to an origin that is not allowed is not followed", async () => {
    fileReply = () => ({ status: 302, text: "", headers: { location: `${server.url}/other` } });
    const agent = await agentWith({ origins: [files.url] });
    const { text } = await agent.runPlanned(refOf(await agent.plan(put(`${files.url}/a.txt`))));
    expect(text).toContain("from which no file may be fetched");
    expect(server.log).toEqual([]);
  });

  it("VAL-09: a failure and a file that is too large are told, and nothing is sent", async () => {
    fileReply = () => ({ status: 404, text: "none" });
    const agent = await agentWith({ origins: [files.url] });
    const gone = await agent.runPlanned(refOf(await agent.plan(put(`${files.url}/a.txt`))));
    expect(gone.text).toContain("answered 404");
    fileReply = () => ({
      text: "x".repeat(1024 * 1024 + 1),
      headers: { "content-type": "video/mp4" },
    });
    const large = await agent.runPlanned(refOf(await agent.plan(put(`${files.url}/b.txt`))));
    expect(large.text).toContain("1048576");
    expect(server.log).toEqual([]);
  });
});

describe("a file of the session that a program names by its address", () => {
  it("VAL-07: is sent, and its content is in the dry run; one of nobody is refused", async () => {
    const agent = await agentWith({ directories: [allowed] });
    await agent.runPlanned(refOf(await agent.plan(put(join(allowed, "report.txt")))));
    server.log.splice(0);
    const uri = `plasm://session/s0/a/${sha256Of(REPORT)}`;
    const plan = await agent.plan(put(uri));
    expect(plan.text).toContain(`sha256 ${sha256Of(REPORT)}`);
    expect((await agent.runPlanned(refOf(plan))).text).toContain("done put");
    expect(uploaded()).toContain(REPORT);
    const never = `plasm://session/s0/a/${"0".repeat(64)}`;
    expect(await planned(agent, put(never))).toContain("No file");
  });
});

describe("a body that is one file", () => {
  it("MAP-024: has its bytes and its type, and nothing around them", async () => {
    const agent = await agentWith({ directories: [allowed] });
    const program = `Shelf("x").fill(file=file(${JSON.stringify(join(allowed, "report.txt"))}))`;
    const { text } = await agent.runPlanned(refOf(await agent.plan(program)));
    expect(text).toContain("done fill");
    const [request] = server.log;
    expect([request?.method, request?.body, request?.headers["content-type"]]).toEqual([
      "PUT",
      REPORT,
      "text/plain",
    ]);
    expect(request?.headers["content-length"]).toBe(String(REPORT.length));
  });

  it("MAP-024: small bytes and text are sent, too", async () => {
    const agent = await agentWith();
    const bytes = Buffer.from("tiny").toString("base64");
    const file = `{__plasm_attachment: {bytes_base64: "${bytes}", mime_type: "image/png"}}`;
    await agent.runPlanned(refOf(await agent.plan(`Shelf("x").fill(file=${file})`)));
    await agent.runPlanned(refOf(await agent.plan('Shelf("x").fill(file="text")')));
    expect(server.log.map(({ body, headers }) => [body, headers["content-type"]])).toEqual([
      ["tiny", "image/png"],
      ["text", "text/plain; charset=utf-8"],
    ]);
  });
});
