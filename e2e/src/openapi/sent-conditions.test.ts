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

let served: ServedCatalog;
const seen: string[] = [];

beforeAll(async () => {
  served = await serveCatalog({
    listener: (request, response) => {
      const { searchParams } = new URL(request.url ?? "/", "http://hits.example");
      seen.push(`${request.method} ${request.url}`);
      const ids = searchParams.getAll("ids");
      const rows = HITS.filter(({ id }) => ids.length === 0 || ids.includes(id));
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
