import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "@plasm/agent-core";
import { catalogFromOpenApi, type CatalogFromDocument, parseOpenApi } from "@plasm/importers";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { caller } from "../engine/engine-under-test.ts";
import { openEngine } from "../engine/open-engine.ts";

let root: string;
let apis: SampleApis;
let engine: Engine;
let made: CatalogFromDocument;
let taught: string;

/** The catalog that quay's own document gives, as it is, and a session on it. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "plasm-openapi-"));
  apis = await startSampleApis({ dataDir: join(root, "apis"), ports: { quay: 0, yard: 0 } });
  // More than one page of the 100 rows that the document allows.
  for (let more = 0; more < 40; more += 1) {
    const body = JSON.stringify({ name: `More ${more}`, owner: "ann" });
    const headers = { "content-type": "application/json" };
    await fetch(`${apis.quay.url}/boats`, { method: "POST", body, headers });
  }
  const document = parseOpenApi(await (await fetch(`${apis.quay.url}/openapi.json`)).text());
  made = await catalogFromOpenApi(document, { entryId: "harbour" });
  const directory = join(root, "harbour");
  await mkdir(directory);
  await writeFile(join(directory, "domain.yaml"), made.domain);
  await writeFile(join(directory, "mappings.yaml"), made.mappings);
  engine = await openEngine({ dataDir: join(root, "data"), catalogs: [directory] });
  const entities = ["Boat", "Person", "Visit", "Log", "Paper", "Office"];
  const seeds = entities.map((entity) => ({ api: "harbour", entity }));
  taught = (await engine.context(caller(), { intent: "boats and their visits", seeds })).text;
});
afterAll(async () => {
  await engine.close();
  await apis.close();
  await rm(root, { recursive: true });
});

/** What a program answers, and the requests that it made. */
async function ran(program: string) {
  apis.forgetRequests();
  const ref = { kind: "ref", ref: "s0" } as const;
  const { text, results } = await engine.run(caller(), ref, { program, force: true, wait: true });
  const sent = apis.requests.map(({ method, path, body }) => [method, path, body]);
  return { text, rows: results[0]?.rows ?? [], sent };
}

it("has every operation of the document, and teaches all that it has", () => {
  expect([made.left, made.reached]).toEqual([[], made.operations]);
  expect(taught).not.toContain("untaught");
  expect(taught).toMatch(/^harbour: Boat,/m);
});

/** How many rows the API says that a list has. */
async function totalAt(path: string): Promise<number> {
  const answer = await fetch(`${apis.quay.url}${path}`);
  const { total } = (await answer.json()) as { readonly total: number };
  return total;
}

it.each<[string, string, string]>([
  ["a list, page by page to its end", "Boat[id].limit(1000)", "/boats"],
  ["a list with a filter that is sent", "Boat{state=lost}[id].limit(100)", "/boats?state=lost"],
  ["a search", 'Boat~"Al"[id].limit(100)', "/search/boats?q=Al"],
  ["what belongs to somebody", "Boat{login=ann}[id].limit(100)", "/owners/ann/boats"],
  ["a relation", 'Boat("b1").visits[day, fee].limit(100)', "/boats/b1/visits"],
  ["another list", "Person[login, name].limit(100)", "/people"],
])("reads %s", async (_says, program, path) => {
  const { rows, sent, text } = await ran(program);
  const [where] = path.split("?");
  for (const [method, to] of sent) expect([method, to]).toEqual(["GET", where]);
  const total = await totalAt(path);
  expect(total).toBeGreaterThan(0);
  expect(rows.length, text).toBe(total);
});

it.each([
  ["a row", 'Boat("b1")[id, name]', ["/boats/b1"], { id: "b1", name: "Alma" }],
  [
    "a row of two keys",
    "Visit(boat=b1, day=2026-01-05)[fee]",
    ["/boats/b1/visits/2026-01-05"],
    { fee: 4.5 },
  ],
  ["rows within a row", 'Boat("b1").logs[id].limit(1)', ["/boats/b1"], { id: 1 }],
])("reads %s", async (_says, program, paths, first) => {
  const { rows, sent } = await ran(program);
  expect(sent.map(([, path]) => path)).toEqual(paths);
  expect(rows[0]).toMatchObject(first);
});

it("reads on where a page of the API ends", async () => {
  const { sent } = await ran("Boat[id].limit(1000)");
  expect(sent.length).toBe(Math.ceil((await totalAt("/boats")) / 100));
  expect(sent.length).toBeGreaterThan(1);
});

it("a create, an update of the row, and its delete", async () => {
  const { text, sent } = await ran(`made = Boat.create(name="Nova", owner=ann, length=7.5)
made => Boat(_.id).update(note="new")
made => Boat(_.id).delete()`);
  const [, id] = /^done create harbour\.Boat (b\d+)$/m.exec(text) ?? [];
  expect(id, text).toBeDefined();
  expect(sent).toEqual([
    ["POST", "/boats", { name: "Nova", owner: "ann", length: 7.5 }],
    ["PATCH", `/boats/${id}`, { note: "new" }],
    ["DELETE", `/boats/${id}`, undefined],
  ]);
  expect((await fetch(`${apis.quay.url}/boats/${id}`)).status).toBe(404);
});

it("an action, which answers nothing", async () => {
  const { sent } = await ran('Boat("b1").send(to="ann", note="call me")');
  expect(sent).toEqual([["POST", "/boats/b1/messages", { to: "ann", note: "call me" }]]);
});
