import { catalogFromOpenApi } from "@plasm/importers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { type ServedCatalog, serveCatalog } from "../engine/served-catalog.ts";

const ANSWERS: Readonly<Record<string, readonly [string, string]>> = {
  "GET /status": ["application/json", '{"state":"open","load":3}'],
  "GET /version": ["application/json", '"2.1"'],
  "GET /words": ["application/json", '["buoy","pier"]'],
  "GET /crates": ["application/json", '[{"size":4},{"size":9}]'],
  "GET /notice": ["text/plain", "closed on Sunday"],
  "GET /berths/b7/depth": ["application/json", "4.5"],
  "POST /mail/send": ["application/json", '{"ticket":"t9"}'],
  "DELETE /locks/k3": ["application/json", "{}"],
  "POST /lamps/json": ["application/json", '{"job":"j7"}'],
  "POST /lamps/text": ["text/plain", "lit"],
  "POST /lamps/xml": ["application/xml", "<job>j7</job>"],
  "POST /lamps/sound": ["audio/mpeg", "\u0001\u0002beep"],
  "POST /lamps/empty": ["application/json", ""],
  "POST /lamps/html": ["text/html", "<html><body>Sign in</body></html>"],
  "GET /berths/b7/wipe": ["application/json", '{"wiped":true}'],
  "POST /tickets": ["application/json", '{"itemId":7,"message":"made"}'],
  "GET /tickets/7": ["application/json", '{"id":7,"title":"Mast"}'],
  "POST /notes": ["application/json", "12"],
  "POST /buoys": ["location", "/buoys/b9"],
  "GET /buoys/b9": ["application/json", '{"id":"b9","title":"Bell"}'],
  "GET /quays/q1/docks": ["application/json", '[{"id":"d1"},{"id":"d2"}]'],
  "GET /docks/d1/cranes": ["application/json", '[{"no":"c1","lifts":9}]'],
  "GET /docks/d2/cranes": ["application/json", '[{"no":"c2","lifts":4}]'],
  "GET /cranes?loads%5B0%5D%5Btons%5D=3&loads%5B1%5D%5Btons%5D=5&near%5Bquay%5D=q1": [
    "application/json",
    '[{"no":"c1","lifts":9}]',
  ],
  "GET /notes/12": ["application/json", '{"id":12,"title":"Rope"}'],
};

const told = (schema: object) => ({
  responses: { "200": { description: "", content: { "application/json": { schema } } } },
});
const id = { name: "id", in: "path", required: true, schema: { type: "string" } };

/** Rows that are made by a POST which answers their key alone. */
const keyed = (path: string, answer: object) => {
  const row = {
    type: "object",
    properties: { id: { type: "integer" }, title: { type: "string" } },
  };
  return {
    [path]: { get: told({ type: "array", items: row }), post: told(answer) },
    [`${path}/{id}`]: {
      get: { parameters: [{ ...id, schema: { type: "integer" } }], ...told(row) },
    },
  };
};

/** Rows that are made by a POST which answers where they are. */
const placed = (path: string) => {
  const row = {
    type: "object",
    properties: { id: { type: "string" }, title: { type: "string" } },
  };
  const headers = { Location: { schema: { type: "string" } } };
  return {
    [path]: { post: { responses: { "201": { description: "made", headers } } } },
    [`${path}/{id}`]: { get: { parameters: [id], ...told(row) } },
  };
};

const dock = { type: "object", properties: { id: { type: "string" } } };
const crane = { $ref: "#/components/schemas/Crane" };
const load = { type: "object", properties: { tons: { type: "integer" } } };
const deep = (name: string, schema: object) => ({ name, in: "query", style: "deepObject", schema });

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Quarter", version: "1" },
  paths: {
    "/status": { get: { responses: { "200": { description: "whatever it is" } } } },
    "/version": { get: told({}) },
    "/words": { get: told({ type: "array", items: { type: "string" } }) },
    "/crates": { get: told({ type: "array", items: {} }) },
    "/notice": {
      get: { responses: { "200": { description: "", content: { "text/plain": {} } } } },
    },
    "/berths/{id}/depth": {
      get: { parameters: [id], ...told({ oneOf: [{ type: "object" }, { type: "number" }] }) },
    },
    "/mail/send": { post: told({ type: "object", properties: { ticket: { type: "string" } } }) },
    "/locks/{id}": { delete: { parameters: [id], ...told({}) } },
    ...Object.fromEntries(
      ["json", "text", "xml", "sound", "empty", "html"].map((what) => [
        `/lamps/${what}`,
        { post: { tags: ["Lamps"], responses: { "200": { description: "lit" } } } },
      ]),
    ),
    "/berths/{id}/wipe": {
      get: {
        summary: "Deletes all that lies there",
        parameters: [id],
        ...told({ type: "object" }),
      },
    },
    ...keyed("/tickets", {
      type: "object",
      properties: { itemId: { type: "object" }, message: { type: "string" } },
    }),
    ...keyed("/notes", { type: "integer" }),
    ...placed("/buoys"),
    "/quays/{quay_id}/docks": {
      get: { parameters: [{ ...id, name: "quay_id" }], ...told({ type: "array", items: dock }) },
    },
    "/docks/{dock_id}/cranes": {
      get: { parameters: [{ ...id, name: "dock_id" }], ...told({ type: "array", items: crane }) },
    },
    "/cranes": {
      get: {
        parameters: [
          deep("loads", { type: "array", items: load }),
          deep("near", { type: "object", additionalProperties: { type: "string" } }),
        ],
        ...told({ type: "array", items: crane }),
      },
    },
  },
  components: {
    schemas: {
      Crane: {
        type: "object",
        properties: { no: { type: "string" }, lifts: { type: "integer" } },
      },
    },
  },
};

let served: ServedCatalog;
const asked: string[] = [];

beforeAll(async () => {
  served = await serveCatalog({
    listener: (request, response) => {
      const key = `${request.method} ${request.url}`;
      asked.push(key);
      const [type, body] = ANSWERS[key] ?? ["application/json", '{"message":"no such place"}'];
      if (type === "location") {
        response.writeHead(201, { location: body });
        response.end();
        return;
      }
      response.writeHead(key in ANSWERS ? 200 : 404, { "content-type": type });
      response.end(body);
    },
    make: (options) => catalogFromOpenApi(DOCUMENT, options),
  });
});
afterAll(() => served.close());

it("leaves out nothing", () => {
  expect(served.made.left.filter((line) => !line.startsWith("the document: "))).toEqual([]);
});

it.each<[string, string, unknown]>([
  [
    "an object that the document does not describe",
    "Status.get()",
    [{ answer: { state: "open", load: 3 } }],
  ],
  ["a text", "Version.get()", [{ answer: "2.1" }]],
  ["a list of texts", "Word", [{ answer: "buoy" }, { answer: "pier" }]],
  ["a list of anything", "Crate", [{ answer: { size: 4 } }, { answer: { size: 9 } }]],
  ["plain text", "Notice.get()", [{ answer: expect.anything() }]],
  [
    "lists below rows that no call gets",
    'Dock{quay_id="q1"}.cranes[lifts]',
    [{ lifts: 9 }, { lifts: 4 }],
  ],
  [
    "what objects in its query ask for",
    'Crane{loads=[{tons: 3}, {tons: 5}], near={quay: "q1"}}[lifts]',
    [{ lifts: 9 }],
  ],
  ["one of several forms, by its place", 'Depth("b7")[answer]', [{ answer: 4.5 }]],
])("a read answers %s", async (_what, program, rows) => {
  const { results, text } = await served.outcome(program);
  expect(results[0]?.rows, `${served.taught}\n${text}`).toEqual(rows);
});

it.each<[string, string, string, unknown]>([
  ["of no entity", "Mail.send()", "POST /mail/send", [{ ticket: "t9" }]],
  ["on what is never read", 'Lock("k3").delete()', "DELETE /locks/k3", expect.anything()],
  ["sent as GET, after review", 'Wipe("b7").wipe()', "GET /berths/b7/wipe", [{ wiped: true }]],
])("an effect %s is sent once and answers its rows", async (_what, program, sent, rows) => {
  asked.length = 0;
  const blocked = served.engine.run(caller(), { kind: "ref", ref: "s0" }, { program });
  await expect(blocked, served.taught).rejects.toThrow(/not run/);
  expect(asked).toEqual([]);
  const { results } = await served.outcome(program);
  expect(asked).toEqual([sent]);
  expect(results[0]?.rows).toEqual(rows);
});

it.each<[string, string, string, unknown]>([
  ["under a name of its own", "Ticket.create()[id,title]", "GET /tickets/7", { title: "Mast" }],
  ["as its place", "Buoy.create()[id,title]", "GET /buoys/b9", { title: "Bell" }],
  ["as its whole answer", "Note.create()[id,title]", "GET /notes/12", { title: "Rope" }],
])(
  "21 a create that answers its key alone %s gives a row that can be read",
  async (_what, program, read, row) => {
    asked.length = 0;
    const { results, text } = await served.outcome(program);
    expect(asked, text).toContain(read);
    expect(results[0]?.rows, text).toEqual([expect.objectContaining(row)]);
  },
);

it.each<[string, unknown]>([
  ["json", { job: "j7" }],
  ["text", { value: "lit" }],
  ["xml", { value: "<job>j7</job>" }],
  [
    "sound",
    {
      value: expect.objectContaining({
        __plasm_attachment: expect.objectContaining({ mime_type: "audio/mpeg" }),
      }),
    },
  ],
  ["empty", { ok: true }],
])(
  "21 an effect of which nothing is said that it answers gives what it answers: %s",
  async (what, row) => {
    const { results, text } = await served.outcome(`Lamp.${what}()`);
    expect(results[0]?.rows, text).toEqual([row]);
  },
);

it("21 a page is no answer of such an effect", async () => {
  expect(await served.run("Lamp.html()")).toMatch(/in doubt|not JSON/);
});
