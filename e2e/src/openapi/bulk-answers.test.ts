import { catalogFromOpenApi } from "@plasm/importers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { type ServedCatalog, serveCatalog } from "../engine/served-catalog.ts";

/** A depot whose API does many things at once, and some of them later, and says in its answers which it did. */
const text = { type: "string" };
const integer = { type: "integer" };
const ref = { $ref: "#/components/schemas/Part" };
const object = (properties: object) => ({ type: "object", properties });
const list = (items: object) => ({ type: "array", items });
const content = (schema: object) => ({ content: { "application/json": { schema } } });
const told = (schema: object) => ({
  responses: { "200": { description: "", ...content(schema) } },
});
const sent = (schema: object) => ({ requestBody: { required: true, ...content(schema) } });
const id = { name: "id", in: "path", required: true, schema: integer };

const DOCUMENT = {
  openapi: "3.0.3",
  info: { title: "Depot", version: "1" },
  paths: {
    "/parts": {
      get: told(list(ref)),
      post: { ...sent(object({ name: text, stock: integer })), ...told(ref) },
    },
    "/parts/{id}": {
      parameters: [id],
      get: told(ref),
      patch: { ...sent(object({ name: text, stock: integer })), ...told(ref) },
      put: {
        ...sent({ ...object({ name: text, stock: integer }), required: ["name"] }),
        ...told(ref),
      },
      delete: { responses: { "204": { description: "gone" } } },
    },
    "/parts/bulk": {
      post: {
        ...sent({ ...object({ parts: list(object({ name: text })) }), required: ["parts"] }),
        ...told(object({ created: integer, failed: integer })),
      },
    },
    "/parts/remove": {
      post: {
        ...sent({ ...object({ ids: list(integer) }), required: ["ids"] }),
        ...told(object({ results: list(object({ id: integer, status: integer })) })),
      },
    },
    "/parts/upsert": {
      post: {
        ...sent({ ...object({ parts: list(object({ name: text })) }), required: ["parts"] }),
        ...told(list(ref)),
      },
    },
  },
  components: { schemas: { Part: object({ id: integer, name: text, stock: integer }) } },
};

let served: ServedCatalog;
let answers: readonly [status: number, body: unknown];
const writes: string[] = [];

beforeAll(async () => {
  served = await serveCatalog({
    listener: (request, response) => {
      const isRead = request.method === "GET";
      const [code, body] = isRead
        ? [200, [1, 2, 3].map((n) => ({ id: n, name: `p${n}` }))]
        : answers;
      if (!isRead) writes.push(`${request.method} ${request.url}`);
      response.writeHead(code, { "content-type": "application/json" });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    },
    make: (options) => catalogFromOpenApi(DOCUMENT, options),
    entities: ["Part"],
  });
});

afterAll(() => served.close());

beforeEach(() => {
  writes.length = 0;
});

/** The text of a run, or of what it failed with, at an API that answers its effects so. */
async function run(program: string, status: number, body?: unknown): Promise<string> {
  answers = [status, body];
  return served.run(program);
}

const BULK = 'Part.bulk(parts=[{name: "a"}, {name: "b"}, {name: "c"}])';

it.each([
  [{ created: 1, failed: 2, errors: [{ message: "dup" }, { message: "dup" }] }],
  [{ errors: [{ index: 1, message: "dup" }] }],
  [{ errors: true, items: [{ index: { status: 201 } }, { index: { status: 409 } }] }],
])(
  "RUN-187: many of which some failed are in doubt, never said not to be done: %j",
  async (body) => {
    const answered = await run(BULK, 200, body);
    expect(answered).toContain("in doubt");
    expect(answered).toContain("A part of it may be done");
    expect(answered).not.toContain("no effect was performed");
    expect(writes).toHaveLength(1);
  },
);

it("RUN-187: many that were refused as one are not done", async () => {
  const answered = await run(BULK, 200, { created: 0, errors: [{ message: "closed" }] });
  expect(answered).toContain("no effect was performed");
});

it.each([
  [
    "Part.remove(ids=[1, 2])",
    {
      results: [
        { id: 1, status: 200 },
        { id: 2, status: 409 },
      ],
    },
  ],
  [BULK, { created: 1, failed: 2 }],
  ['Part.upsert(parts=[{name: "a"}, {name: "b"}])', [{ id: 1, name: "a" }, { error: "dup" }]],
])(
  "RUN-187: what failed of a 200 is told, whether its rows are a result or not: %s",
  async (program, body) => {
    expect(await run(program, 200, body)).toContain("partial (parts_failed)");
    expect(await run(`u = ${program}\nb = Part.limit(1)[id]\nb`, 200, body)).toContain(
      "parts_failed: ",
    );
  },
);

it("RUN-192: fewer rows than were sent are told", async () => {
  const upsert = 'Part.upsert(parts=[{name: "a"}, {name: "b"}, {name: "c"}])';
  const rows = [1, 2, 3].map((id) => ({ id, name: `p${id}` }));
  const says = "sent 3 rows, and 2 came back; look which of them are done";
  expect(await run(upsert, 200, rows.slice(0, 2))).toContain(says);
  expect(await run(upsert, 200, [])).toContain("and 0 came back");
  expect(await run(`u = ${upsert}\nb = Part.limit(1)[id]\nb`, 200, rows.slice(0, 2))).toContain(
    says,
  );
  expect(await run(upsert, 200, rows)).not.toContain("came back");
});

it.each([
  [
    "Part.remove(ids=[1, 2])",
    {
      results: [
        { id: 1, status: 200 },
        { id: 2, status: 204 },
      ],
    },
  ],
  [BULK, { created: 3, failed: 0, errors: [] }],
  ["Part(1).delete()", undefined],
  ["Part(1).update(name=p1)", { id: 1, name: "p1", stock: 1 }],
  ["Part(1).update(name=p1)", {}],
  ["Part(1).update(name=p1)", { status: "ok", message: "updated" }],
])("RUN-187, RUN-188: what went well is told of nothing: %s", async (program, body) => {
  expect(await run(program, 200, body)).not.toMatch(/parts_failed|unread|accepted|partial/);
});

it.each([
  ["Part(1).delete()", undefined, "done delete"],
  ["Part(1).update(name=q)", { task: "t1" }, 'was answered {"task":"t1"}, which is no Part'],
  ["Part.create(name=q)", { task: "t1" }, 'was answered {"task":"t1"}, which is no Part'],
])("RUN-188: a 202 is told, since it may not be done yet: %s", async (program, body, says) => {
  const answered = await run(program, 202, body);
  expect(answered).toContain("was answered 202: it was taken on");
  expect(answered).toContain("done ");
  expect(answered).toContain(says);
  expect(answered).not.toMatch(/^id\tname/m);
});

it("RUN-188: an answer in which nothing of the row is shows no row of empty fields", async () => {
  const answered = await run("Part(1).update(name=q)", 200, { job: "j1" });
  expect(answered).toContain('was answered {"job":"j1"}, which is no Part');
  expect(answered).not.toMatch(/^id\tname/m);
});

it("PLAN-042: a plan says which fields a PUT may empty beside a PATCH", async () => {
  const address = { kind: "ref", ref: "s0" } as const;
  const plan = async (program: string) =>
    (await served.engine.plan(caller(), address, program)).text;
  expect(await plan("Part(1).replace(name=q)")).toContain(" · may empty stock, not sent");
  expect(await plan("Part.limit(2) => Part(_.id).replace(name=q)")).toContain("may empty stock");
  expect(await plan("Part(1).replace(name=q, stock=1)")).not.toContain("may empty");
  expect(await plan("Part(1).update(name=q)")).not.toContain("may empty");
});
