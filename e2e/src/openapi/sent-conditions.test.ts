import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import { catalogFromOpenApi } from "@plasm/importers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";

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

let root: string;
let server: Server;
let engine: Engine;
const seen: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://hits.example");
    seen.push(`${request.method} ${request.url}`);
    const ids = searchParams.getAll("ids");
    const rows = HITS.filter(({ id }) => ids.length === 0 || ids.includes(id));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(rows));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const made = await catalogFromOpenApi(DOCUMENT, {
    entryId: "hits",
    server: `http://127.0.0.1:${port}`,
  });
  root = await mkdtemp(join(tmpdir(), "plasm-hits-"));
  const directory = join(root, "hits");
  await mkdir(directory);
  await writeFile(join(directory, "domain.yaml"), made.domain);
  await writeFile(join(directory, "mappings.yaml"), made.mappings);
  engine = await openEngine({ dataDir: join(root, "data"), catalogs: [directory] });
  const seeds = [{ api: "hits", entity: "Hit" }];
  await engine.context(caller(), { intent: "the hits", seeds, notation: "names" });
});

afterAll(async () => {
  await engine.close();
  await new Promise((resolve) => server.close(resolve));
  await rm(root, { recursive: true, force: true });
});

async function run(program: string): Promise<string> {
  seen.length = 0;
  const address = { kind: "ref", ref: "s0" } as const;
  return engine
    .run(caller(), address, { program, force: true, wait: true })
    .then((answered) => answered.text)
    .catch((thrown: unknown) => engine.problemOf(thrown).text);
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
