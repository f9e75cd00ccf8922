import { catalogFromOpenApi } from "@plasm/importers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServedCatalog, serveCatalog } from "../engine/served-catalog.ts";

/** Lists whose conditions are lists themselves, written in the ways of OpenAPI. */
const text = { type: "string" };
const texts = { type: "array", items: text };
const asked = (name: string, more: object = {}) => ({ name, in: "query", schema: texts, ...more });
const hit = { $ref: "#/components/schemas/Hit" };

const DOCUMENT = {
  openapi: "3.0.3",
  info: { title: "Hits", version: "1" },
  paths: {
    "/hits": {
      get: {
        parameters: [
          asked("ids"),
          asked("words", { style: "form", explode: false }),
          asked("pipes", { style: "pipeDelimited", explode: false }),
          asked("by", { schema: text }),
          asked("sort", { schema: { type: "string", enum: ["id", "title"] } }),
        ],
        responses: {
          "200": {
            description: "",
            content: { "application/json": { schema: { type: "array", items: hit } } },
          },
        },
      },
    },
    "/hits/{id}": {
      delete: {
        parameters: [{ name: "id", in: "path", required: true, schema: text }],
        responses: { "204": { description: "gone" } },
      },
    },
  },
  components: { schemas: { Hit: { type: "object", properties: { id: text, title: text } } } },
};

const HITS = [1, 2, 3].map((at) => ({ id: `h${at}`, title: `Hit ${at}` }));
/** Who made each, which no answer says. */
const MAKERS = [["ann"], ["ann", "bob"], ["cy"]];

let served: ServedCatalog;
const seen: string[] = [];

beforeAll(async () => {
  served = await serveCatalog({
    listener: (request, response) => {
      const { searchParams } = new URL(request.url ?? "/", "http://hits.example");
      seen.push(`${request.method} ${request.url}`);
      const ids = searchParams.getAll("ids");
      const by = searchParams.get("by");
      const rows = HITS.filter(({ id }) => ids.length === 0 || ids.includes(id)).filter(
        (_hit, at) => by === null || MAKERS[at]?.includes(by),
      );
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(rows));
    },
    make: (options) => catalogFromOpenApi(DOCUMENT, options),
    entities: ["Hit"],
  });
});

afterAll(() => served.close());

async function run(program: string): Promise<string> {
  seen.length = 0;
  return served.run(program);
}

it.each([
  ['Hit{ids=["h1", "h,2"]}', "/hits?ids=h1&ids=h%2C2"],
  ['Hit{words=["a b", "c&d"]}', "/hits?words=a%20b%2Cc%26d"],
  ['Hit{pipes=["a,b", "c"]}', "/hits?pipes=a%2Cb%7Cc"],
])("%s is sent as it was said", async (program, sent) => {
  const answered = await run(program);
  expect(seen, answered).toEqual([`GET ${sent}`]);
  expect(answered).not.toContain("partial");
});

it.each(['Hit{words=["a,b", "c"]}', 'Hit{pipes=["a|b"]}'])(
  "RUN-195: a value with the separator of its list in it is refused: %s",
  async (program) => {
    expect(await run(program)).toContain("argument_invalid");
    expect(seen).toEqual([]);
  },
);

it.each(["Hit{ids=[]}", 'a = Hit{title="none"}\nHit{ids=a.id}', "Hit{words=[]}"])(
  "RUN-195: an empty list chooses no rows, and the answer says so: %s",
  async (program) => {
    const answered = await run(program);
    expect(answered).toContain("partial (condition_unmet)");
    expect(answered).toContain("is an empty list");
  },
);

it("RUN-195: no effect runs on rows that an empty list did not choose", async () => {
  const answered = await run('a = Hit{title="none"}\nHit{ids=a.id} => _.delete()');
  expect(
    seen.filter((one) => one.startsWith("DELETE")),
    answered,
  ).toEqual([]);
});

it("RUN-111: several values of what only the API tests are asked for one by one, and a row of two comes once", async () => {
  const answered = await run("Hit{by in [ann, bob]}.sort(id)[id]");
  expect(seen, answered).toEqual(["GET /hits?by=ann", "GET /hits?by=bob"]);
  expect(answered).toMatch(/h1\nh2\n```/);
  expect(answered).not.toContain("partial");
});

it("RUN-111: so are those of rows, which an error suggests where one value was meant to be many", async () => {
  const program = 'h = Hit{title="Hit 1"}\nHit{by=h.title}';
  const refused = await run(program);
  expect(refused).toContain("ask for those of all its rows: by in h.title");
  const answered = await run(program.replace("by=", "by in "));
  expect(seen, answered).toEqual(["GET /hits", "GET /hits?by=Hit%201"]);
});

it("RUN-111: an order is one, whatever is in it", async () => {
  expect(await run("Hit{sort in [id, title]}")).toContain("predicate_unsupported");
  expect(seen).toEqual([]);
});
