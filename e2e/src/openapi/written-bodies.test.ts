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
    "/boats/{id}/photos": {
      parameters: [id],
      put: {
        ...body("multipart/form-data", {
          type: "object",
          properties: {
            files: { type: "array", items: { type: "string", format: "binary" } },
            tags: { type: "array", items: text },
          },
        }),
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

it("21 MAP-016: each file and each text of a list is a part of its own", async () => {
  const file = (bytes: string, name: string): string =>
    `{__plasm_attachment: {bytes_base64: "${bytes}", mime_type: "text/plain", file_name: "${name}"}}`;
  const files = `[${file("YQ==", "a.txt")}, ${file("Yg==", "b.txt")}]`;
  const answered = await served.run(`Boat("7").set-photos(files=${files}, tags=[red, old])`);
  const [sent] = came;
  expect(sent?.type, answered).toMatch(/^multipart\/form-data; boundary=/);
  const form = await new Response(sent?.body ?? "", {
    headers: { "content-type": sent?.type ?? "" },
  }).formData();
  expect(form.getAll("tags")).toEqual(["red", "old"]);
  const got = form.getAll("files").map((one) => one as File);
  expect(await Promise.all(got.map(async (one) => [one.name, await one.text()]))).toEqual([
    ["a.txt", "a"],
    ["b.txt", "b"],
  ]);
});
