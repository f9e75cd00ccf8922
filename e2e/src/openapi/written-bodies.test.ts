import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import { catalogFromOpenApi } from "@plasm/importers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";

/** A boatyard whose requests have bodies that are no JSON: what came is kept as it came. */
interface Came {
  readonly call: string;
  readonly type: string | undefined;
  readonly body: string;
}
const came: Came[] = [];

const text = { type: "string" };
const told = (schema: object) => ({
  responses: { "200": { description: "", content: { "application/json": { schema } } } },
});
const boat = { type: "object", properties: { id: text, name: text } };
const id = { name: "id", in: "path", required: true, schema: text };
const body = (type: string, schema: object) => ({
  requestBody: { required: true, content: { [type]: { schema } } },
});

const DOCUMENT = {
  openapi: "3.0.3",
  info: { title: "Yard", version: "1" },
  paths: {
    "/boats": { get: told({ type: "array", items: boat }) },
    "/boats/{id}": { parameters: [id], get: told(boat) },
    "/boats/{id}/log": {
      parameters: [id],
      put: { ...body("text/plain; utf-8", text), ...told(boat) },
    },
    "/boats/{id}/plan": {
      parameters: [id],
      put: {
        ...body("text/plain", { type: "object", properties: { day: text } }),
        ...told(boat),
      },
    },
    "/boats/{id}/crew": {
      parameters: [id],
      put: {
        ...body("applicationjson;version=2", { type: "object", properties: { captain: text } }),
        ...told(boat),
      },
    },
  },
};

let root: string;
let server: Server;
let engine: Engine;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const call = `${request.method} ${request.url}`;
      const sent = Buffer.concat(chunks).toString("utf8");
      if (request.method !== "GET")
        came.push({ call, type: request.headers["content-type"], body: sent });
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ id: "7", name: "Tern" }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const made = await catalogFromOpenApi(DOCUMENT, {
    entryId: "yard",
    server: `http://127.0.0.1:${port}`,
  });
  root = await mkdtemp(join(tmpdir(), "plasm-written-"));
  const directory = join(root, "yard");
  await mkdir(directory);
  await writeFile(join(directory, "domain.yaml"), made.domain);
  await writeFile(join(directory, "mappings.yaml"), made.mappings);
  engine = await openEngine({ dataDir: join(root, "data"), catalogs: [directory] });
  await engine.context(caller(), {
    intent: "the yard",
    seeds: [{ api: "yard", entity: "Boat" }],
    notation: "names",
  });
});

afterAll(async () => {
  await engine.close();
  await new Promise((resolve) => server.close(resolve));
  await rm(root, { recursive: true, force: true });
});

beforeEach(() => {
  came.length = 0;
});

const run = async (program: string): Promise<string> => {
  const address = { kind: "ref", ref: "s0" } as const;
  return (await engine.run(caller(), address, { program, force: true, wait: true })).text;
};

it("21 MAP-024: a body of text is sent as the text that it is", async () => {
  await run('Boat("7").set-log(content="fair wind, <calm> & \\"dry\\"")');
  expect(came).toEqual([
    { call: "PUT /boats/7/log", type: "text/plain", body: 'fair wind, <calm> & "dry"' },
  ]);
});

it("21 an object that a document sends as text is JSON under that type", async () => {
  await run('Boat("7").set-plan(day="monday")');
  expect(came).toEqual([
    { call: "PUT /boats/7/plan", type: "text/plain", body: '{"day":"monday"}' },
  ]);
});

it("21 a type of JSON without its slash is JSON", async () => {
  await run('Boat("7").set-crew(captain="Ann")');
  expect(came).toEqual([
    { call: "PUT /boats/7/crew", type: "application/json", body: '{"captain":"Ann"}' },
  ]);
});
