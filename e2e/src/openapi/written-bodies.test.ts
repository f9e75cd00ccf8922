import { catalogFromOpenApi } from "@plasm/importers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ServedCatalog, serveCatalog } from "../engine/served-catalog.ts";

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

let served: ServedCatalog;

beforeAll(async () => {
  served = await serveCatalog({
    listener: (request, response) => {
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
    },
    make: (options) => catalogFromOpenApi(DOCUMENT, options),
    entities: ["Boat"],
  });
});

afterAll(() => served.close());

beforeEach(() => {
  came.length = 0;
});

it("21 MAP-024: a body of text is sent as the text that it is", async () => {
  await served.run('Boat("7").set-log(content="fair wind, <calm> & \\"dry\\"")');
  expect(came).toEqual([
    { call: "PUT /boats/7/log", type: "text/plain", body: 'fair wind, <calm> & "dry"' },
  ]);
});

it("21 an object that a document sends as text is JSON under that type", async () => {
  await served.run('Boat("7").set-plan(day="monday")');
  expect(came).toEqual([
    { call: "PUT /boats/7/plan", type: "text/plain", body: '{"day":"monday"}' },
  ]);
});

it("21 a type of JSON without its slash is JSON", async () => {
  await served.run('Boat("7").set-crew(captain="Ann")');
  expect(came).toEqual([
    { call: "PUT /boats/7/crew", type: "application/json", body: '{"captain":"Ann"}' },
  ]);
});
